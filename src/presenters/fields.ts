import { cacheFormats } from '../domain/format-cache';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;
type JsonValue<Value> = Value extends Date ? string : Value;
type FieldsOf<Row, Name extends keyof Row & string> = { [Column in Name as CamelCase<Column>]: JsonValue<Row[Column]> };

const camelCase = cacheFormats((name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));

/** Presents only the given columns, in this order: names in camel case, times in RFC 3339. */
export function fieldsOf<Row extends object, Name extends keyof Row & string>(row: Row, ...names: Name[]): FieldsOf<Row, Name> {
  const fields = names.map((name) => {
    const value: unknown = row[name];
    return [camelCase(name), value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(fields) as FieldsOf<Row, Name>;
}
