import { stringify } from 'csv-stringify/sync';
import { cacheFormats } from '../domain/format-cache';
import { localDate } from '../domain/pricing/ready-date';

/** Text, a number, a boolean or an amount in cents; null is an empty cell. */
export type Cell = string | number | boolean | bigint | null | UnmarkedText;

/**
 * A heading, and the cell of a row. A `day` is `YYYY-MM-DD`. A `time`, in RFC 3339, becomes two columns with its local day and time of day,
 * because spreadsheets read a day with time and offset as text.
 */
type CsvColumn<Row> =
  | readonly [heading: string, cell: (row: Row) => Cell]
  | readonly [heading: string, cell: (row: Row) => string | null | undefined, kind: 'day' | 'time'];
export type CsvColumns<Row> = readonly CsvColumn<Row>[];

/** A text that is written as it is: a day or time of day, whose value a spreadsheet of any locale reads, or the cell of another program. */
interface UnmarkedText {
  readonly unmarked: string;
}

/** Texts that begin with a sign of a formula but are none: phone numbers, also with an extension, and placeholders such as `-`. */
const NO_FORMULA = /^(?:\+\d[\d ()]*(?:,? ?(?:ext|x|#) ?\d+)?|[-+@=]{1,3})$/i;

/**
 * A text in one line for a program that imports the file. Numbers and postcodes get no `'`, because a program would read it as a part of
 * them. Formulas get one, because people also open the file in a spreadsheet.
 */
export const exactText = (text: string): UnmarkedText => ({ unmarked: escapeHiddenFormulas(text.replaceAll(/\s+/g, ' ').trim()) });

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

/** The months of these languages, in small letters. A spreadsheet reads the months of its own language, also shortened. */
const MONTHS = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt']
  .flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2026, month)).toLowerCase());
  })
  .concat('mrz', 'mrt');
const TRUTH_VALUE = /^\s*(?:true|false|wahr|falsch|verdadero|verdadeiro|falso|vrai|faux|vero|waar|onwaar)\s*$/i;

const isMonth = (word: string): boolean => word.length >= 3 && MONTHS.some((month) => month.startsWith(word));
/** An exponent, or a word of a twelve-hour clock. It follows a number. */
const AFTER_NUMBER = new Set(['e', 'a', 'p', 'am', 'pm']);

/** True if a spreadsheet may read the whole text as a number, day, time or truth value: `0123`, `1-2`, `1E5`, `50%`, `3 Mar`, `TRUE`. */
function isReadAsValue(text: string): boolean {
  // Marked already, feet, JSON or an id. In Switzerland `1'000` is a number.
  if (/^'|'(?!\d{3})|["{_]/.test(text)) return false;
  if (!/\p{N}/u.test(text)) return TRUTH_VALUE.test(text);
  const beginsWithNumber = /^[^\p{L}\p{N}]*\p{N}/u.test(text);
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return words.every((word) => isMonth(word) || (beginsWithNumber && AFTER_NUMBER.has(word)));
}

/** Text that stays text in a spreadsheet. The library adds `'` before a formula at the start. */
function markText(text: string): string {
  const escaped = escapeHiddenFormulas(text);
  return isReadAsValue(escaped) ? `'${escaped}` : escaped;
}

/** The first line of a file, after the byte order mark that Excel needs for UTF-8. */
export function csvHead(columns: CsvColumns<never>): string {
  return `\ufeff${formatLines([columns.flatMap(([heading, , kind]) => (kind === 'time' ? [heading, `${heading} time`] : [heading]))])}`;
}

/** Lines of a file (RFC 4180). Days and times of day are local in the IANA time zone. */
export function csvRows<Row>(columns: CsvColumns<Row>, rows: readonly Row[], timeZone: string): string {
  return formatLines(rows.map((row) => columns.flatMap((column) => cellsOf(column, row, timeZone))));
}

function cellsOf<Row>([, cellOf, kind]: CsvColumn<Row>, row: Row, timeZone: string): Cell[] {
  const cell = cellOf(row) ?? null;
  if (kind === undefined) return [cell];
  if (typeof cell !== 'string') return kind === 'time' ? [null, null] : [null];
  if (kind === 'day') return [{ unmarked: cell }];
  const at = new Date(cell);
  return [{ unmarked: localDate(timeZone, at) }, { unmarked: clockFor(timeZone).format(at) }];
}

const clockFor = cacheFormats(
  (timeZone) => new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
);

function formatLines(rows: readonly Cell[][]): string {
  return stringify(
    rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? markText(cell) : cell))),
    {
      record_delimiter: '\r\n',
      escape_formulas: true,
      quoted_string: true,
      cast: {
        bigint: formatDecimal,
        boolean: (is) => (is ? 'yes' : 'no'),
        object: (cell) => {
          const value = (cell as unknown as UnmarkedText).unmarked;
          return NO_FORMULA.test(value) ? { value, escape_formulas: false } : value;
        },
      },
    },
  );
}

/** `-1450n` → `-14.50`. The leading minus is not escaped, so spreadsheets read a number. */
function formatDecimal(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
