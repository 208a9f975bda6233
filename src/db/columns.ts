import { cacheFormats } from '../domain/format-cache';

/** A column. It has a TypeScript type and no run-time value. */
export interface Column<T> {
  readonly type?: T;
}

export const text: Column<string> = {};
export const integer: Column<number> = {};
export const bool: Column<boolean> = {};
export const time: Column<Date> = {};
/** A JSON column, or a text column whose values form a union type. */
export const typed = <T>(): Column<T> => ({});
export const nullable = <T>(column: Column<T>): Column<T | null> => column;

/** The columns with which a row is read, in order. */
export interface Columns<Row = Record<string, unknown>> {
  readonly names: readonly (keyof Row & string)[];
  /** Select-list part: `id, name`. */
  readonly list: string;
  /** Select-list part with a table alias: `a.id, a.name`. */
  of(alias: string): string;
  /** SQL of a JSON object of the columns. Dates become text. */
  json(alias: string): string;
  /** The row with these columns only. */
  pick(row: Row): Row;
  only<Name extends keyof Row & string>(...names: Name[]): Columns<Pick<Row, Name>>;
  without<Name extends keyof Row & string>(...names: Name[]): Columns<Omit<Row, Name>>;
}

/** The row that is read with these columns. */
export type RowOf<C> = C extends Columns<infer Row> ? Row : never;
type FieldsOf<C> = { [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };

/** Every declared list of columns, with its tables. test/service/db/columns.test.ts compares them with the schema. */
export const DECLARED_COLUMNS: { tables: readonly string[]; names: readonly string[] }[] = [];

/** Declares columns of one table, or columns that several tables share. Call it at module level. */
export function columns<C extends Record<string, Column<unknown>>>(tables: string | readonly string[], fields: C): Columns<FieldsOf<C>> {
  const names = Object.keys(fields);
  DECLARED_COLUMNS.push({ tables: [tables].flat(), names });
  return toColumns<FieldsOf<C>>(names as (keyof C & string)[]);
}

function toColumns<Row>(names: readonly (keyof Row & string)[]): Columns<Row> {
  return {
    names,
    list: names.join(', '),
    of: (alias) => names.map((name) => `${alias}.${name}`).join(', '),
    json: (alias) => `jsonb_build_object(${names.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`,
    pick: (row) => Object.fromEntries(names.map((name) => [name, row[name]])) as Row,
    only: (...some) => toColumns(some),
    without: <Name extends keyof Row & string>(...others: Name[]) =>
      toColumns<Omit<Row, Name>>(names.filter((name) => !others.some((other) => other === name)) as Exclude<keyof Row & string, Name>[]),
  };
}

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Name;
type RowFrom<Fields> = { [Name in keyof Fields & string as SnakeCase<Name>]: Fields[Name] };

const snakeCase = cacheFormats((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** Converts fields to columns: names in snake case, values unchanged. */
export const rowFromFields = <Fields extends object>(fields: Fields): RowFrom<Fields> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [snakeCase(name), value])) as RowFrom<Fields>;
