import Table from 'cli-table3';
import { safeText } from './safe-text';
import { formatValue } from './values';

/** Dotted paths such as `live.outstandingCents`, each optionally with `=` and a heading, separated by `, `. `#` counts rows from 1. */
export type Columns = string;

const splitColumns = (columns: Columns): string[] => columns.split(', ');

const BORDER_NAMES = ['top', 'bottom', 'mid'].flatMap((line) => ['', '-mid', '-left', '-right'].map((end) => `${line}${end}`));
const NO_BORDERS = Object.fromEntries([...BORDER_NAMES, 'left', 'left-mid', 'right', 'right-mid', 'middle'].map((part) => [part, '']));

export const valueAt = (row: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), row);

/** A table with headings; numbers are right-aligned. */
export function formatTable(columns: Columns, rows: readonly unknown[], currency: string | null = null): string {
  const columnCells = splitColumns(columns).flatMap((column) => {
    const [path = '', heading = fieldLabel(path)] = column.split('=');
    const field = path.split('.').at(-1) ?? '';
    const values = rows.map((row, index) => (path === '#' ? index + 1 : valueAt(row, path)));
    if (values.every((value) => value === undefined)) return []; // no row has the field
    const texts = values.map((value, index) => formatValue(field, value, currencyOf(rows[index]) ?? currency));
    return [{ heading, isFigure: values.some((value) => typeof value === 'number'), texts }];
  });
  const cliTable = new Table({
    head: columnCells.map(({ heading }) => heading.toUpperCase()),
    colAligns: columnCells.map(({ isFigure }) => (isFigure ? 'right' : 'left')),
    chars: NO_BORDERS,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
  });
  cliTable.push(...rows.map((_, index) => columnCells.map(({ texts }) => texts[index] ?? '')));
  return cliTable
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Prints fields, then lists. `lists` sets the columns of a list; the default is the fields of its first row. */
export function formatRecord(row: unknown, fields: Columns | undefined, lists: Readonly<Record<string, Columns>>): string {
  const currency = currencyOf(row);
  const lines = splitColumns(fields ?? columnsOf(row)).flatMap((column) => {
    const [path = '', heading = fieldLabel(path)] = column.split('=');
    const value = valueAt(row, path);
    return value === undefined ? [] : [{ heading, text: formatValue(path.split('.').at(-1) ?? '', value, currency) }];
  });
  const width = Math.max(0, ...lines.map(({ heading }) => heading.length));
  return [
    lines.map(({ heading, text }) => `${heading.padEnd(width)}  ${text}`).join('\n'),
    ...visibleLists(row, fields === undefined, lists).map(([path, columns]) => {
      const rows = valueAt(row, path) as unknown[];
      return `${fieldLabel(path)}\n${formatTable(columns, rows, currency).replace(/^/gm, '  ')}`;
    }),
  ].join('\n\n');
}

function visibleLists(row: unknown, includesUnnamed: boolean, lists: Readonly<Record<string, Columns>>): [string, Columns][] {
  const unlistedNames = includesUnnamed && isRecord(row) ? Object.keys(row).filter((name) => !Object.hasOwn(lists, name)) : [];
  const unlisted = unlistedNames.map((name): [string, Columns] => [name, columnsOf(firstOf(valueAt(row, name)))]);
  return [...Object.entries(lists), ...unlisted].filter(([path, columns]) => isRecord(firstOf(valueAt(row, path))) && columns !== '');
}

/** The single-value fields, with dotted paths; lists of objects are printed separately. */
function columnsOf(row: unknown, prefix = ''): Columns {
  if (!isRecord(row)) return '';
  return Object.entries(row)
    .map(([name, value]) => {
      if (isRecord(value)) return columnsOf(value, `${prefix}${name}.`);
      return Array.isArray(value) && isRecord(value[0]) ? '' : `${prefix}${name}`;
    })
    .filter((columns) => columns !== '')
    .join(', ');
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value) && !Array.isArray(value);

function currencyOf(row: unknown): string | null {
  const currency = valueAt(row, 'currency');
  return typeof currency === 'string' ? safeText(currency) : null;
}

/** Fields whose label without the suffix would equal the label of another field. */
const FIELD_LABELS: Readonly<Record<string, string>> = { dueCents: 'toPay', voidedCents: 'voidPart', deliveredBps: 'deliveredShare' };

/** `live.creditLimitCents` → `live credit limit`. */
export function fieldLabel(path: string): string {
  return safeText(path)
    .split('.')
    .map((field, at, fields) => (at === fields.length - 1 && Object.hasOwn(FIELD_LABELS, field) ? (FIELD_LABELS[field] ?? field) : field))
    .join(' ')
    .replace(/(Cents|Bps|At)$/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
