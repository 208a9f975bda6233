import { stringify } from 'csv-stringify/sync';
import { cacheFormats } from '../domain/format-cache';

/** Text, a figure, yes or no, an amount in cents, or a moment; null is an empty cell. */
export type Cell = string | number | boolean | bigint | Date | null;

/** A column: its heading in plain words, and the cell of a row. */
export type CsvColumns<Row> = readonly (readonly [heading: string, cell: (row: Row) => Cell])[];

/**
 * What begins a formula for spreadsheets, in either width, behind separators and characters that are not seen. It is optional, so that
 * the search for the next one never starts again inside of them.
 */
const FORMULA_START = /([,;|"'\s\p{Cc}\p{Cf}]+)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/gu;
/** What separates cells where a spreadsheet is set to another separator, or takes quotes for text. */
const SEPARATOR = /[,;|\t\r\n"']/;

/** Escapes formulas where the library does not look for one: after what is not seen at the beginning, and after a separator. */
function escapeHiddenFormulas(text: string): string {
  return text.replace(FORMULA_START, (match, before: string, formula: string, at: number) =>
    formula !== '' && (at === 0 || SEPARATOR.test(before)) ? `${before}'${formula}` : match,
  );
}

/** The first line of a file, behind the mark by which Excel knows UTF-8. */
export function csvHead(columns: CsvColumns<never>): string {
  return `\ufeff${formatLines([columns.map(([heading]) => heading)], 'UTC')}`;
}

/** Lines of a file as RFC 4180 has them: moments by the clock of that zone, IANA, with its offset; text that would be a formula is none. */
export function csvRows<Row>(columns: CsvColumns<Row>, rows: readonly Row[], timeZone: string): string {
  return formatLines(
    rows.map((row) => columns.map(([, cell]) => cell(row))),
    timeZone,
  );
}

function formatLines(rows: readonly Cell[][], timeZone: string): string {
  return stringify(
    rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? escapeHiddenFormulas(cell) : cell))),
    {
      record_delimiter: '\r\n',
      escape_formulas: true,
      quoted_string: true,
      cast: {
        bigint: formatDecimal,
        boolean: (is) => (is ? 'yes' : 'no'),
        date: (at) => formatZoned(at, timeZone),
      },
    },
  );
}

/** `-1450n` → `-14.50`: an amount stays a number, less than nothing as well. */
function formatDecimal(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `2026-11-22T23:05:00+11:00`: to the second. */
function formatZoned(at: Date, timeZone: string): string {
  const parts = Object.fromEntries(
    formatterFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const offset = parts.timeZoneName === 'GMT' ? '+00:00' : (parts.timeZoneName ?? '').replace('GMT', '');
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}${offset}`;
}

const formatterFor = cacheFormats(
  (timeZone) =>
    new Intl.DateTimeFormat('en', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    }),
);
