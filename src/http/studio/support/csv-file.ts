import { CsvError, type Options, parse } from 'csv-parse/sync';
import { decodeText } from '../../../platform/text-encoding';

/** A row of a file with its number in a spreadsheet, from 1. */
export interface FileRow {
  row: number;
  cells: readonly string[];
}

/** What a spreadsheet or another program separates cells with. */
const DELIMITERS = [',', ';', '\t', '|'];
/** Excel writes the separator of the file in a line before the headings. */
const SEPARATOR_LINE = /^"?sep=."?(?:\r\n?|\n)/i;

/** Includes empty rows. The parser is slow for rows that are shorter or longer than the headings. */
const MAX_ROWS = 10_000;
const NOT_BLANK = /[^\s\p{Cc}\p{Cf}]/u;

/** Programs leave quotes in a text as they are, and write spaces before a quoted cell. */
function parseRows(text: string, options: Options): string[][] | CsvError {
  try {
    return parse(text, {
      relax_column_count: true,
      relax_quotes: true,
      ltrim: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      ...options,
    }) as string[][];
  } catch (error) {
    if (error instanceof CsvError) return error;
    throw error;
  }
}

/**
 * Reads a CSV file. Chooses the separator with which `findHeadings` finds the headings in the first row.
 * @returns the rows below the headings, or what is wrong with the file; null if it lacks the headings
 */
export function readCsvFile<T>(
  bytes: Uint8Array,
  findHeadings: (headings: readonly string[]) => T | null,
): { headings: T; rows: FileRow[] } | { issue: string } | null {
  const text = decodeText(bytes).replace(SEPARATOR_LINE, '');
  for (const delimiter of DELIMITERS) {
    const first = parseRows(text, { delimiter, to: 1, skip_records_with_empty_values: true });
    const headings = first instanceof CsvError ? null : findHeadings(first[0] ?? []);
    if (headings === null) continue;
    const rows = parseRows(text, { delimiter, to: MAX_ROWS + 1 });
    if (rows instanceof CsvError) return { issue: `must close each quote; a quote in row ${Number(rows.records) + 1} is open` };
    if (rows.length > MAX_ROWS) return { issue: `must have at most ${MAX_ROWS} rows, empty rows included` };
    const filled = rows
      .map((cells, index) => ({ row: index + 1, cells }))
      .filter(({ cells }) => cells.some((cell) => NOT_BLANK.test(cell)));
    return { headings, rows: filled.slice(1) };
  }
  return null;
}
