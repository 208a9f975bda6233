/** The columns that a row is read with, in their order. */
export interface Columns<Name extends string = string, Row = unknown> {
  readonly names: readonly Name[];
  /** Select-list part: `id, name`. */
  readonly list: string;
  /** The same of a table under an alias: `a.id, a.name`. */
  of(alias: string): string;
  /** An object of them as JSON, dates as text. */
  json(alias: string): string;
  /** What of a row they name. */
  pick(row: Row): Row;
}

/** Every list there is, with the tables it is read from: test/service/db/columns.test.ts holds them to the schema. */
export const DECLARED: { tables: readonly string[]; names: readonly string[] }[] = [];

/**
 * `columns<Row>('orders')('id', …)`: every field of `Row`, each a column of that name in each of the tables. A field that is not listed,
 * and a name that is no field, do not compile: what is read cannot drift from what the row says it holds. Stands at the top of a module.
 */
export function columns<Row>(...tables: [string, ...string[]]) {
  return <const Names extends readonly (keyof Row & string)[]>(
    ...names: Names & ([Exclude<keyof Row, Names[number]>] extends [never] ? unknown : { notListed: Exclude<keyof Row, Names[number]> })
  ): Columns<Names[number], Row> => {
    DECLARED.push({ tables, names });
    return {
      names,
      list: names.join(', '),
      of: (alias) => names.map((name) => `${alias}.${name}`).join(', '),
      json: (alias) => `jsonb_build_object(${names.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`,
      pick: (row) => Object.fromEntries(names.map((name) => [name, row[name]])) as Row,
    };
  };
}

/** Select-list part of a row that is put together: each field of `Row` and the SQL of its value. */
export function expressions<Row>(values: Record<keyof Row & string, string>): string {
  return Object.entries<string>(values)
    .map(([name, value]) => (value.endsWith(`.${name}`) ? value : `${value} AS ${name}`))
    .join(', ');
}
