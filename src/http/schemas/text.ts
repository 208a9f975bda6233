import Joi from 'joi';

/** A lone surrogate or U+0000 can be stored nowhere (ruling 7). */
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

/** A string taken as sent, `min` to `max` Unicode code points (ruling 7). */
export function text(min: number, max: number): Joi.Schema {
  return Joi.any().custom((value: unknown, helpers) => {
    const problem = textProblem(value, min, max);
    return problem === null ? value : helpers.message({ custom: problem });
  });
}

export function textProblem(value: unknown, min: number, max: number): string | null {
  if (typeof value !== 'string') return `must be a string of ${range(min, max)}`;
  if (UNSTORABLE.test(value)) return 'must not contain U+0000 or lone surrogates';
  // Code points are never more than UTF-16 units: most texts need no counting.
  const length = value.length <= max && value.length >= min * 2 ? value.length : [...value].length;
  return length >= min && length <= max ? null : `must have ${range(min, max)}, it has ${length}`;
}

function range(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return 'any length';
  return min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`;
}

export const optionalText = (max: number): Joi.Schema => text(0, max).allow(null);

/** An absolute URL of at most 2000 characters, as sent. */
export function url(max: number): Joi.Schema {
  return text(1, max).custom((value: unknown, helpers) => (typeof value !== 'string' || URL.canParse(value) ? value : helpers.message({ custom: 'must be an absolute URL, such as the url of POST /uploads' })));
}

const EMAIL = /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+$/u;

/** One e-mail address; domains are not checked against a list of top-level domains (ruling 7). */
export function email(max: number): Joi.Schema {
  return text(3, max).custom((value: unknown, helpers) => {
    if (typeof value !== 'string') return value; // said already
    const plausible = EMAIL.test(value) && !/\.\.|@\.|\.@|^\.|\.$/.test(value) && value.slice(0, value.indexOf('@')).length <= 64;
    return plausible ? value : helpers.message({ custom: 'must be an e-mail address such as name@example.com' });
  });
}

/** A whole number from `min` to `max`, as a JSON number (ruling 7). */
export function integer(min: number, max: number): Joi.Schema {
  const problem = `must be a whole number from ${min} to ${max}`;
  return Joi.any().custom((value: unknown, helpers) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max ? value : helpers.message({ custom: problem }));
}

export function oneOf(values: readonly string[]): Joi.Schema {
  return Joi.any().custom((value: unknown, helpers) =>
    values.includes(value as string) ? value : helpers.message({ custom: `must be one of ${values.join(', ')}` }));
}

export function boolean(): Joi.Schema {
  return Joi.any().custom((value: unknown, helpers) => (typeof value === 'boolean' ? value : helpers.message({ custom: 'must be true or false' })));
}
