import Joi from 'joi';
import { integerIssue, textIssue } from '../../domain/field-forms';
import { LIMITS } from '../../domain/limits';

/** What a schema takes, kept beside it for tests that walk `schema.describe()`: Joi cannot describe rules that are ours. */
export type Kind =
  | { kind: 'text'; min: number; max: number }
  | { kind: 'url' | 'webUrl' | 'email' | 'timestamp' | 'boolean' | 'selections' }
  | { kind: 'like'; pattern: string }
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'oneOf'; values: readonly string[] };

export const withKind = <S extends Joi.Schema>(schema: S, kind: Kind): S => schema.meta(kind) as S;

/** A string of `min` to `max` Unicode code points, taken as sent (ruling 7). */
export function text(min: number, max: number): Joi.Schema {
  return withKind(
    Joi.any().custom((value: unknown, helpers) => {
      const problem = textIssue(value, min, max);
      return problem === null ? value : helpers.message({ custom: problem });
    }),
    { kind: 'text', min, max },
  );
}

export const optionalText = (max: number): Joi.Schema => text(0, max).allow(null);

/** An absolute URL, as sent. */
export function url(): Joi.Schema {
  return withKind(
    text(1, LIMITS.urlLength).custom((value: unknown, helpers) =>
      typeof value !== 'string' || URL.canParse(value)
        ? value
        : helpers.message({ custom: 'must be an absolute URL, such as the url of POST /uploads' }),
    ),
    { kind: 'url' },
  );
}

/** No control or invisible character: a mail program would read another address than people do. */
const EMAIL = /^[^\s\p{Cc}\p{Cf}@"(),:;<>[\\\]]+@[^\s\p{Cc}\p{Cf}@"(),:;<>[\\\]]+$/u;

/** One e-mail address; domains are not checked against a list of top-level domains (ruling 7). */
export function email(): Joi.Schema {
  return withKind(
    text(3, LIMITS.emailLength).custom((value: unknown, helpers) => {
      if (typeof value !== 'string') return value; // said already
      const plausible = EMAIL.test(value) && !/\.\.|@\.|\.@|^\.|\.$/.test(value) && value.slice(0, value.indexOf('@')).length <= 64;
      return plausible ? value : helpers.message({ custom: 'must be an e-mail address such as name@example.com' });
    }),
    { kind: 'email' },
  );
}

/** A whole number from `min` to `max`, as a JSON number (ruling 7). */
export function integer(min: number, max: number): Joi.Schema {
  return withKind(
    Joi.any().custom((value: unknown, helpers) => {
      const problem = integerIssue(value, min, max);
      return problem === null ? value : helpers.message({ custom: problem });
    }),
    { kind: 'integer', min, max },
  );
}

export function oneOf(values: readonly string[]): Joi.Schema {
  return withKind(
    Joi.any().custom((value: unknown, helpers) =>
      values.includes(value as string) ? value : helpers.message({ custom: `must be one of ${values.join(', ')}` }),
    ),
    { kind: 'oneOf', values },
  );
}

export function boolean(): Joi.Schema {
  return withKind(
    Joi.any().custom((value: unknown, helpers) =>
      typeof value === 'boolean' ? value : helpers.message({ custom: 'must be true or false' }),
    ),
    { kind: 'boolean' },
  );
}
