import { cacheFormats } from '../domain/format-cache';

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Name;
type RowFor<Fields> = { [Name in keyof Fields & string as SnakeCase<Name>]: Fields[Name] };

const snakeCase = cacheFormats((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** Converts fields to columns: names in snake case, values unchanged. */
export const rowOf = <Fields extends object>(fields: Fields): RowFor<Fields> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [snakeCase(name), value])) as RowFor<Fields>;
