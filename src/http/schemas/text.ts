import Joi from 'joi';
import { machineTextIssue, integerIssue, textIssue, webUrlIssue } from '../../domain/field-forms';
import { LIMITS } from '../../domain/limits';
import { readUrl } from '../../domain/urls';
import { jsonSchemaOfKind, type Kind } from './kinds';

type Issue = (value: unknown) => string | null;

/** A schema of values of this type. */
export type Field<T = string> = Joi.AnySchema<T>;

/** A value that one function of ours judges, told to programs by its kind: the contract and the tests read it from there. */
const joiField = Joi.extend({
  type: 'checked',
  base: Joi.any(),
  messages: { checked: '{{#problem}}' },
  // Its typings say that $_setFlag answers nothing; it answers the schema.
  args: (schema: Joi.Schema, kind: Kind, issue: Issue) => (schema.$_setFlag('checks', { issue }) as unknown as Joi.Schema).meta(kind),
  validate(value: unknown, { schema, error }: Joi.CustomHelpers) {
    const problem = (schema.$_getFlag('checks') as { issue: Issue }).issue(value);
    return problem === null ? { value } : { value, errors: error('checked', { problem }) };
  },
  jsonSchema: (schema: Joi.Schema, told: object) => ({ ...told, ...jsonSchemaOfKind(kindOf(schema)) }),
} as Joi.Extension) as { checked: <T>(kind: Kind, issue: Issue) => Field<T> };

function kindOf(schema: Joi.Schema): Kind {
  return (schema.$_terms.metas as Kind[]).at(-1) as Kind;
}

/** A schema that takes what `issue` finds nothing wrong with; null is allowed only where the caller says so. */
export const checked = <T = string>(kind: Kind, issue: Issue): Field<T> => joiField.checked<T>(kind, issue);

export const orNull = <T>(field: Field<T>): Field<T | null> => field.allow(null) as Field<T | null>;

export const optional = <T>(field: Field<T>): Field<T | undefined> => field.optional();

type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<F> = F extends Field<infer T> ? T : never;
type OptionalIn<F extends Fields> = { [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never }[keyof F];

/** The values of these fields. */
export type ValuesOf<F extends Fields> = { [K in Exclude<keyof F, OptionalIn<F>>]: ValueOf<F[K]> } & {
  [K in OptionalIn<F>]?: ValueOf<F[K]>;
};

/** A body with these fields, each required unless it is `optional`. */
export function bodySchema<F extends Fields>(fields: F): Joi.ObjectSchema<ValuesOf<F>> {
  const judged = Object.entries(fields).map(([name, field]) => [name, isOptional(field) ? field : field.required()]);
  return Joi.object(Object.fromEntries(judged) as Joi.SchemaMap);
}

const isOptional = (field: Field<unknown>): boolean => field.$_getFlag('presence') === 'optional';

/** What a body holds, by its schema. */
export type BodyOf<S> = S extends Joi.ObjectSchema<infer T> ? T : never;

/** A string of `min` to `max` Unicode code points, taken as sent (ruling 7). */
export function textField(min: number, max: number): Field {
  return checked({ kind: 'text', min, max }, (value) => textIssue(value, min, max));
}

/** An id, a reference or another value that programs write: text without control characters (ruling 75). */
export function machineTextField(min: number, max: number): Field {
  return checked({ kind: 'machineText', min, max }, (value) => machineTextIssue(value, min, max));
}

/** An absolute URL, as sent. */
export function urlField(): Field {
  return checked(
    { kind: 'url' },
    (value) =>
      textIssue(value, 1, LIMITS.urlLength) ??
      (readUrl(String(value)) === null ? 'must be an absolute URL, such as the url of POST /uploads' : null),
  );
}

/** No control or invisible character: a mail program would read another address than people do. */
const EMAIL = /^[^\s\p{Cc}\p{Cf}@"(),:;<>[\\\]]+@[^\s\p{Cc}\p{Cf}@"(),:;<>[\\\]]+$/u;

/** One e-mail address; domains are not checked against a list of top-level domains (ruling 7). */
export function emailField(): Field {
  return checked({ kind: 'email' }, (value) => textIssue(value, 3, LIMITS.emailLength) ?? emailIssue(String(value)));
}

function emailIssue(value: string): string | null {
  const plausible = EMAIL.test(value) && !/\.\.|@\.|\.@|^\.|\.$/.test(value) && value.slice(0, value.indexOf('@')).length <= 64;
  return plausible ? null : 'must be an e-mail address such as name@example.com';
}

/** A whole number from `min` to `max`, as a JSON number (ruling 7). */
export function integerField(min: number, max: number): Field<number> {
  return checked<number>({ kind: 'integer', min, max }, (value) => integerIssue(value, min, max));
}

export function oneOfField<const V extends string>(values: readonly V[]): Field<V> {
  return checked<V>({ kind: 'oneOf', values }, (value) => (values.includes(value as V) ? null : `must be one of ${values.join(', ')}`));
}

export function booleanField(): Field<boolean> {
  return checked<boolean>({ kind: 'boolean' }, (value) => (typeof value === 'boolean' ? null : 'must be true or false'));
}

/** A list of different values. */
export function listOf<T>(each: Field<T>, min: number, max: number): Field<T[]> {
  return Joi.array<T[]>().items(each).min(min).max(max).unique();
}

/** An absolute http or https URL, as sent. */
export const webUrl = (): Field => checked({ kind: 'webUrl' }, webUrlIssue);

/** Text of a given form; `form` tells what the pattern asks for. */
export function textLike(pattern: RegExp, form: string): Field {
  return checked({ kind: 'like', pattern: pattern.source }, (value) =>
    typeof value === 'string' && pattern.test(value) ? null : `must be ${form}`,
  );
}

/** A text, except those that are reserved. */
export function textExcept(min: number, max: number, reserved: RegExp, problem: string): Field {
  return checked({ kind: 'text', min, max }, (value) => textIssue(value, min, max) ?? (reserved.test(String(value)) ? problem : null));
}
