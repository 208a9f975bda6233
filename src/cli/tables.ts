import Table from 'cli-table3';
import { safeText } from './safe-text';
import { shown } from './values';

/** Dotted path of a field, such as `live.outstandingCents`, then `=` and the heading if it has its own. `#` counts rows from 1. */
export type Column = string;

const LINES = ['top', 'bottom', 'mid'].flatMap((line) => ['', '-mid', '-left', '-right'].map((end) => `${line}${end}`));
const NO_LINES = Object.fromEntries([...LINES, 'left', 'left-mid', 'right', 'right-mid', 'middle'].map((part) => [part, '']));

export function valueAt(row: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined),
      row,
    );
}

/** Rows below headings; figures stand at the right. */
export function table(columns: readonly Column[], rows: readonly unknown[], currency: string | null = null): string {
  const cells = columns.flatMap((column) => {
    const [path = '', heading = fieldLabel(path)] = column.split('=');
    const field = path.split('.').at(-1) ?? '';
    const values = rows.map((row, at) => (path === '#' ? at + 1 : valueAt(row, path)));
    if (values.every((value) => value === undefined)) return []; // such as the slug of what has none
    const texts = values.map((value, at) => shown(field, value, currencyOf(rows[at]) ?? currency));
    return [{ heading, isFigure: values.some((value) => typeof value === 'number'), texts }];
  });
  const drawn = new Table({
    head: cells.map(({ heading }) => heading.toUpperCase()),
    colAligns: cells.map(({ isFigure }) => (isFigure ? 'right' : 'left')),
    chars: NO_LINES,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
  });
  drawn.push(...rows.map((_, at) => cells.map(({ texts }) => texts[at] ?? '')));
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Field by field, and below it each list that it holds. Lists of `parts` have those columns, others those of their first row. */
export function record(row: unknown, fields: readonly Column[] | undefined, parts: Readonly<Record<string, readonly Column[]>>): string {
  const currency = currencyOf(row);
  const lines = (fields ?? fieldsOf(row)).flatMap((column) => {
    const [path = '', heading = fieldLabel(path)] = column.split('=');
    const value = valueAt(row, path);
    return value === undefined ? [] : [{ heading, text: shown(path.split('.').at(-1) ?? '', value, currency) }];
  });
  const width = Math.max(0, ...lines.map(({ heading }) => heading.length));
  return [
    lines.map(({ heading, text }) => `${heading.padEnd(width)}  ${text}`).join('\n'),
    ...listsOf(row, fields === undefined, parts).map(([path, columns]) => {
      const rows = valueAt(row, path) as unknown[];
      return `${fieldLabel(path)}\n${table(columns, rows, currency).replace(/^/gm, '  ')}`;
    }),
  ].join('\n\n');
}

function listsOf(row: unknown, every: boolean, parts: Readonly<Record<string, readonly Column[]>>): [string, readonly Column[]][] {
  const others = every && isRecord(row) ? Object.keys(row).filter((name) => !Object.hasOwn(parts, name)) : [];
  const all = [
    ...Object.entries(parts),
    ...others.map((name): [string, readonly Column[]] => [name, fieldsOf(firstOf(valueAt(row, name)))]),
  ];
  return all.filter(([path, columns]) => isRecord(firstOf(valueAt(row, path))) && columns.length > 0);
}

/** Fields with one value, those of objects by their path. Lists of objects are told by themselves. */
function fieldsOf(row: unknown): Column[] {
  if (!isRecord(row)) return [];
  return Object.entries(row).flatMap(([name, value]) => {
    if (isRecord(value)) return fieldsOf(value).map((path) => `${name}.${path}`);
    return Array.isArray(value) && isRecord(value[0]) ? [] : [name];
  });
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function currencyOf(row: unknown): string | null {
  const currency = valueAt(row, 'currency');
  return typeof currency === 'string' ? safeText(currency) : null;
}

/** Fields whose words without an ending would be those of another one beside them. */
const NAMES: Readonly<Record<string, string>> = { dueCents: 'toPay', voidedCents: 'voidPart', deliveredBps: 'deliveredShare' };

/** `live.creditLimitCents` → `live credit limit`. */
export function fieldLabel(path: string): string {
  return safeText(path)
    .split('.')
    .map((field, at, fields) => (at === fields.length - 1 && Object.hasOwn(NAMES, field) ? (NAMES[field] ?? field) : field))
    .join(' ')
    .replace(/(Cents|Bps|At)$/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
