import type { ValidationIssue } from '../errors';

/** Judges a value found at a dotted path and adds an issue where it is wrong. A value without issues is a `T`. */
export interface Check<T = unknown> {
  (value: unknown, path: string, issues: ValidationIssue[]): void;
  readonly type?: T;
}
export type Checked<C> = C extends Check<infer T> ? T : never;

const at = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Exactly these fields: a missing one and an unknown one are both issues, so that a misspelling is seen. */
export function object<F extends Record<string, Check>>(fields: F): Check<{ [Name in keyof F]: Checked<F[Name]> }> {
  return (value, path, issues) => {
    if (!isObject(value)) return void issues.push({ path, message: 'must be an object' });
    for (const [key, check] of Object.entries(fields)) {
      if (Object.hasOwn(value, key)) check(value[key], at(path, key), issues);
      else issues.push({ path: at(path, key), message: 'is required' });
    }
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(fields, key)) issues.push({ path: at(path, key), message: 'is not a field of a price book' });
    }
  };
}

interface Keys {
  pattern: RegExp;
  what: string;
}
const ANY_KEY: Keys = {
  pattern: /^(?!.*[\u0000\p{Surrogate}]).{1,100}$/u,
  what: 'one line of 1 to 100 characters, without U+0000 or lone surrogates',
};

export function record<T>(each: Check<T>, { pattern, what }: Keys = ANY_KEY): Check<Record<string, T>> {
  return (value, path, issues) => {
    if (!isObject(value)) return void issues.push({ path, message: 'must be an object' });
    for (const [key, entry] of Object.entries(value)) {
      if (!pattern.test(key)) issues.push({ path: at(path, key), message: `must have a key that is ${what}` });
      each(entry, at(path, key), issues);
    }
  };
}

export function list<T>(each: Check<T>, minLength = 0): Check<T[]> {
  return (value, path, issues) => {
    if (!Array.isArray(value)) return void issues.push({ path, message: 'must be an array' });
    if (value.length < minLength) issues.push({ path, message: `must have at least ${minLength} entry` });
    value.forEach((entry, index) => each(entry, at(path, index), issues));
  };
}

export const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value, path, issues) => {
    if (value !== null) check(value, path, issues);
  };

/** Accepts values that `holds` of. */
const that =
  <T>(holds: (value: unknown) => boolean, what: string): Check<T> =>
  (value, path, issues) => {
    if (!holds(value)) issues.push({ path, message: `must be ${what}` });
  };

export const integer = (min: number, max: number): Check<number> =>
  that((value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max, `an integer from ${min} to ${max}`);

export const only = <const T>(allowed: T, what: string): Check<T> => that((value) => value === allowed, what);

export const textThat = <T extends string = string>(accepts: (value: string) => boolean, what: string): Check<T> =>
  that((value) => typeof value === 'string' && accepts(value), what);

export const text = (pattern: RegExp, what: string): Check<string> => textThat((value) => pattern.test(value), what);

export const boolean: Check<boolean> = that((value) => typeof value === 'boolean', 'true or false');
