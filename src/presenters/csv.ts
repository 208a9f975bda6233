import { stringify } from 'csv-stringify/sync';
import { cacheFormats } from '../domain/format-cache';

/** Text, a number, a boolean, an amount in cents, or a time; null is an empty cell. */
export type Cell = string | number | boolean | bigint | Date | null;

/** A heading, and the cell of a row. */
export type CsvColumns<Row> = readonly (readonly [heading: string, cell: (row: Row) => Cell])[];

/**
 * Separators or invisible characters, followed by the first sign of a spreadsheet formula, in half or full width. The sign is optional, so
 * each run of separators is searched only once.
 */
const FORMULA_START = /([,;|"'\s\p{Cc}\p{Cf}]+)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/gu;
/** Characters that some spreadsheets treat as the end of a cell, because of their locale or because they read quotes as text. */
const SEPARATOR = /[,;|\t\r\n"']/;

/** Escapes formulas that the library misses: after invisible characters at the start of a cell, and after a separator. */
function escapeHiddenFormulas(text: string): string {
  return text.replace(FORMULA_START, (match, before: string, formula: string, at: number) =>
    formula !== '' && (at === 0 || SEPARATOR.test(before)) ? `${before}'${formula}` : match,
  );
}

/** The first line of a file, after the byte order mark that Excel needs for UTF-8. */
export function csvHead(columns: CsvColumns<never>): string {
  return `\ufeff${formatLines([columns.map(([heading]) => heading)], 'UTC')}`;
}

/** Lines of a file (RFC 4180). Times have the offset of the IANA time zone, and formulas are escaped. */
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

/** `-1450n` → `-14.50`. The leading minus is not escaped, so spreadsheets read a number. */
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
