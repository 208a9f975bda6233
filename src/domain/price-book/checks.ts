import type { ValidationIssue } from '../errors';

/** Checks a value at a dotted path and adds an issue if it is wrong. A value without issues is a `T`. */
export interface Check<T = unknown> {
  (value: unknown, path: string, issues: ValidationIssue[]): void;
  readonly type?: T;
}
export type CheckedValue<C> = C extends Check<infer T> ? T : never;

const childPath = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Exactly these fields. Missing and unknown fields are issues, so a misspelling is found. */
export function object<F extends Record<string, Check>>(fields: F): Check<{ [Name in keyof F]: CheckedValue<F[Name]> }> {
  return (value, path, issues) => {
    if (!isObject(value)) return void issues.push({ path, message: 'must be an object' });
    for (const [key, check] of Object.entries(fields)) {
      if (Object.hasOwn(value, key)) check(value[key], childPath(path, key), issues);
      else issues.push({ path: childPath(path, key), message: 'is required' });
    }
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(fields, key)) issues.push({ path: childPath(path, key), message: 'is not a field of a price book' });
    }
  };
}

interface KeyRule {
  pattern: RegExp;
  description: string;
}
const ANY_KEY: KeyRule = {
  pattern: /^(?!.*[\u0000\p{Surrogate}]).{1,100}$/u,
  description: 'one line of 1 to 100 characters, without U+0000 or lone surrogates',
};

export function record<T>(checkValue: Check<T>, { pattern, description }: KeyRule = ANY_KEY): Check<Record<string, T>> {
  return (value, path, issues) => {
    if (!isObject(value)) return void issues.push({ path, message: 'must be an object' });
    for (const [key, entry] of Object.entries(value)) {
      if (!pattern.test(key)) issues.push({ path: childPath(path, key), message: `must have a key that is ${description}` });
      checkValue(entry, childPath(path, key), issues);
    }
  };
}

export function list<T>(checkEntry: Check<T>, minLength = 0): Check<T[]> {
  return (value, path, issues) => {
    if (!Array.isArray(value)) return void issues.push({ path, message: 'must be an array' });
    if (value.length < minLength) issues.push({ path, message: `must have at least ${minLength} entry` });
    value.forEach((entry, index) => checkEntry(entry, childPath(path, index), issues));
  };
}

export const nullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value, path, issues) => {
    if (value !== null) check(value, path, issues);
  };

/** Accepts values for which `holds` is true. */
const checkThat =
  <T>(holds: (value: unknown) => boolean, what: string): Check<T> =>
  (value, path, issues) => {
    if (!holds(value)) issues.push({ path, message: `must be ${what}` });
  };

export const integer = (min: number, max: number): Check<number> =>
  checkThat((value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max, `an integer from ${min} to ${max}`);

export const literal = <const T>(allowed: T, description: string): Check<T> => checkThat((value) => value === allowed, description);

export const textMatching = <T extends string = string>(accepts: (value: string) => boolean, description: string): Check<T> =>
  checkThat((value) => typeof value === 'string' && accepts(value), description);

export const text = (pattern: RegExp, description: string): Check<string> => textMatching((value) => pattern.test(value), description);

export const boolean: Check<boolean> = checkThat((value) => typeof value === 'boolean', 'true or false');
