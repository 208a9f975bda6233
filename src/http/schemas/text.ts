import Joi from 'joi';
import { abnIssue } from '../../domain/abn';
import { singleLineTextIssue, integerIssue, textIssue, webUrlIssue } from '../../domain/field-formats';
import { LIMITS } from '../../domain/limits';
import { readUrl } from '../../domain/urls';
import { jsonSchemaOfKind, type FieldKind } from './field-kinds';

type FieldCheck = (value: unknown) => string | null;

export type Field<T = string> = Joi.AnySchema<T>;

/** A field that one of our functions validates. The contract and the tests read its kind. */
const joiField = Joi.extend({
  type: 'checked',
  base: Joi.any(),
  messages: { checked: '{{#problem}}' },
  args: (schema: Joi.Schema, kind: FieldKind, issue: FieldCheck) =>
    schema.meta(kind).custom((value: unknown, { error }) => {
      const problem = issue(value);
      return problem === null ? value : error('checked', { problem });
    }),
  jsonSchema: (schema: Joi.Schema, base: object) => ({ ...base, ...jsonSchemaOfKind(kindOf(schema)) }),
} as Joi.Extension) as { checked: <T>(kind: FieldKind, issue: FieldCheck) => Field<T> };

const kindOf = (schema: Joi.Schema): FieldKind => (schema.describe() as { metas: FieldKind[] }).metas.at(-1) as FieldKind;

/** A field that accepts the values for which `issue` returns null. */
export const checkedField = <T = string>(kind: FieldKind, issue: FieldCheck): Field<T> => joiField.checked<T>(kind, issue);

export const nullable = <T>(field: Field<T>): Field<T | null> => field.allow(null) as Field<T | null>;

export const optional = <T>(field: Field<T>): Field<T | undefined> => field.optional();

export type Fields = Readonly<Record<string, Field<unknown>>>;
type FieldValue<F> = F extends Field<infer T> ? T : never;
type OptionalIn<F extends Fields> = { [K in keyof F]: undefined extends FieldValue<F[K]> ? K : never }[keyof F];

export type ValuesOf<F extends Fields> = { [K in Exclude<keyof F, OptionalIn<F>>]: FieldValue<F[K]> } & {
  [K in OptionalIn<F>]?: FieldValue<F[K]>;
};

/** A body whose fields are required unless they are `optional`. */
export function bodySchema<F extends Fields>(fields: F): Joi.ObjectSchema<ValuesOf<F>> {
  const schemas = Object.entries(fields).map(([name, field]) => [name, isOptional(field) ? field : field.required()]);
  return Joi.object(Object.fromEntries(schemas) as Joi.SchemaMap);
}

type OptionalFields<F extends Fields> = { [K in keyof F]: Field<FieldValue<F[K]> | undefined> };

export const allOptional = <F extends Fields>(fields: F): OptionalFields<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])) as OptionalFields<F>;

/** A body with at least one of these fields. */
export function changeSchema<F extends Fields>(fields: F, emptyIssue: string): Joi.ObjectSchema<ValuesOf<OptionalFields<F>>> {
  return bodySchema(allOptional(fields)).min(1).messages({ 'object.min': emptyIssue });
}

const presenceOf = (field: Joi.Schema): unknown => (field.describe() as { flags?: { presence?: string } }).flags?.presence;

export const isRequired = (field: Joi.Schema): boolean => presenceOf(field) === 'required';

const isOptional = (field: Joi.Schema): boolean => presenceOf(field) === 'optional';

/** The type of a body, from its schema. */
export type BodyOf<S> = S extends Joi.ObjectSchema<infer T> ? T : never;

/** A string of `min` to `max` Unicode code points, stored unchanged. */
export function textField(min: number, max: number): Field {
  return checkedField({ kind: 'text', min, max }, (value) => textIssue(value, min, max));
}

/** One line of text, such as an id or a reference: no control characters. */
export function singleLineTextField(min: number, max: number): Field {
  return checkedField({ kind: 'singleLineText', min, max }, (value) => singleLineTextIssue(value, min, max));
}

/** An absolute URL, stored unchanged. */
export function urlField(): Field {
  return checkedField(
    { kind: 'url' },
    (value) =>
      textIssue(value, 1, LIMITS.urlLength) ??
      (readUrl(String(value)) === null ? 'must be an absolute URL, such as the url of POST /uploads' : null),
  );
}

/** Without control or invisible characters, which make mail programs read another address than people. */
const EMAIL_PATTERN = /^[^\s\p{Cc}\p{Cf}@"(),:;<>[\\\]]+@[^\s\p{Cc}\p{Cf}@"(),:;<>[\\\]]+$/u;

/** One e-mail address; a list of top-level domains would soon be outdated, so domains are not checked. */
export function emailField(): Field {
  return checkedField({ kind: 'email' }, (value) => textIssue(value, 3, LIMITS.emailLength) ?? emailIssue(String(value)));
}

function emailIssue(value: string): string | null {
  const isPlausible = EMAIL_PATTERN.test(value) && !/\.\.|@\.|\.@|^\.|\.$/.test(value) && value.slice(0, value.indexOf('@')).length <= 64;
  return isPlausible ? null : 'must be an e-mail address such as name@example.com';
}

/** An Australian Business Number, grouped or not. */
export const abnField = (): Field => checkedField({ kind: 'like', pattern: '^[0-9]( ?[0-9]){10}$' }, abnIssue);

/** A whole number from `min` to `max`, as a JSON number. */
export function integerField(min: number, max: number): Field<number> {
  return checkedField<number>({ kind: 'integer', min, max }, (value) => integerIssue(value, min, max));
}

export function oneOfField<const V extends string>(values: readonly V[]): Field<V> {
  return checkedField<V>({ kind: 'oneOf', values }, (value) =>
    values.includes(value as V) ? null : `must be one of ${values.join(', ')}`,
  );
}

export function booleanField(): Field<boolean> {
  return checkedField<boolean>({ kind: 'boolean' }, (value) => (typeof value === 'boolean' ? null : 'must be true or false'));
}

/** A list of different values. */
export function listField<T>(each: Field<T>, min: number, max: number): Field<T[]> {
  return Joi.array<T[]>().items(each).min(min).max(max).unique();
}

/** An absolute http or https URL, stored unchanged. */
export const webUrlField = (): Field => checkedField({ kind: 'webUrl' }, webUrlIssue);

/** Text that matches a pattern; `format` describes it. */
export function patternField(pattern: RegExp, format: string): Field {
  return checkedField({ kind: 'like', pattern: pattern.source }, (value) =>
    typeof value === 'string' && pattern.test(value) ? null : `must be ${format}`,
  );
}

/** A text that does not match `reserved`. */
export function textFieldExcept(min: number, max: number, reserved: RegExp, problem: string): Field {
  return checkedField({ kind: 'text', min, max }, (value) => textIssue(value, min, max) ?? (reserved.test(String(value)) ? problem : null));
}
