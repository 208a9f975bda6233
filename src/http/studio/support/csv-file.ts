import { CsvError, parse } from 'csv-parse/sync';

/** A row of a file with its number in a spreadsheet, from 1. */
export interface FileRow {
  row: number;
  cells: readonly string[];
}

/** What a spreadsheet or another program separates cells with. */
const DELIMITERS = [',', ';', '\t', '|'];
/** Excel writes the separator of the file in a line before the headings. */
const SEPARATOR_LINE = /^sep=.\r?\n/i;

/** The text of a file in UTF-8 or UTF-16, with or without a byte order mark, or in the character set of older Windows programs. */
function decodeFile(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Headings have Latin letters, so one byte of each is zero in UTF-16.
  if (first !== 0 && second === 0) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0 && second !== 0) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function parseWith(text: string, delimiter: string): FileRow[] | string {
  try {
    const rows = parse(text, { delimiter, relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] });
    return rows.map((cells, index) => ({ row: index + 1, cells })).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  } catch (error) {
    if (error instanceof CsvError) return error.message;
    throw error;
  }
}

/**
 * Reads a CSV file. Chooses the separator with which `hasHeadings` finds the headings in the first row.
 * @returns the rows below the headings, or what is wrong with the file
 */
export function readCsvFile<T>(
  bytes: Uint8Array,
  findHeadings: (headings: readonly string[]) => T | null,
): { headings: T; rows: FileRow[] } | { issue: string } {
  const text = decodeFile(bytes).replace(SEPARATOR_LINE, '');
  let issue = 'must have the headings of the order number and the tracking number in its first row';
  for (const delimiter of DELIMITERS) {
    const rows = parseWith(text, delimiter);
    if (typeof rows === 'string') {
      if (delimiter === ',') issue = `is no CSV file: ${rows}`;
      continue;
    }
    const [first, ...others] = rows;
    const headings = first === undefined ? null : findHeadings(first.cells);
    if (headings !== null) return { headings, rows: others };
  }
  return { issue };
}
