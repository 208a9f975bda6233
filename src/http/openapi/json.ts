import type { JsonSchema } from '../schemas/field-kinds';

export type { JsonSchema } from '../schemas/field-kinds';

/** The components of both APIs; a document contains those that it references. */
export const COMPONENTS = new Map<string, JsonSchema>();

const withDescription = (description: string | undefined, schema: JsonSchema): JsonSchema =>
  description === undefined ? schema : { description, ...schema };

export const string = (description?: string, rest: JsonSchema = {}): JsonSchema =>
  withDescription(description, { type: 'string', ...rest });

export const integer = (description?: string, rest: JsonSchema = {}): JsonSchema =>
  withDescription(description, { type: 'integer', ...rest });

export const number = (description?: string): JsonSchema => withDescription(description, { type: 'number' });

export const boolean = (description?: string): JsonSchema => withDescription(description, { type: 'boolean' });

/** Whole cents (specification "Resources and their fields"). */
export const cents = (description?: string): JsonSchema =>
  integer(description, { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** RFC 3339 in UTC with milliseconds and Z. */
export const time = (description?: string): JsonSchema =>
  string(description, { format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });

export const date = (description?: string): JsonSchema => string(description, { format: 'date' });

/** ISO 4217. */
export const currency = (description?: string): JsonSchema => string(description, { pattern: '^[A-Z]{3}$' });

export const uri = (description?: string): JsonSchema => string(description, { format: 'uri' });

/** An id of the service: a prefix and lower-case hex. */
export const id = (prefix: string, description?: string): JsonSchema =>
  string(description, { pattern: `^${prefix}_[0-9a-f]+$`, maxLength: 64 });

/** An enum in responses. Values may be added, so other strings match too. The served document lists the values as examples. */
export const openEnum = (values: readonly string[], description?: string): JsonSchema =>
  withDescription(description, { anyOf: [{ type: 'string', enum: [...values] }, { type: 'string' }] });

/** A fixed enum, for requests and for values that distinguish shapes. */
export const closedEnum = (values: readonly string[], description?: string): JsonSchema => string(description, { enum: [...values] });

export const list = (items: JsonSchema, description?: string): JsonSchema => withDescription(description, { type: 'array', items });

/** A file outside the envelope. */
export const FILE: JsonSchema = { type: 'string', format: 'binary' };

/** Any JSON value. */
export const any = (description: string): JsonSchema => ({ description });

export const mapOf = (values: JsonSchema, description?: string): JsonSchema =>
  withDescription(description, { type: 'object', additionalProperties: values });

export function nullable(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  const described = typeof description === 'string' ? { description } : {};
  if (typeof rest.type === 'string' && rest.enum === undefined) return { ...described, ...rest, type: [rest.type, 'null'] };
  return { ...described, anyOf: [...(Array.isArray(rest.anyOf) ? (rest.anyOf as JsonSchema[]) : [rest]), { type: 'null' }] };
}

/** A schema and an example for each field of a presenter; the compiler checks names and examples. */
export type Fields<T> = { readonly [K in keyof T]-?: JsonSchema | readonly [schema: JsonSchema, example: T[K]] };

interface ObjectOptions<T> {
  description?: string;
  /** Optional fields. */
  optional?: readonly (keyof T & string)[];
  /** The example of the object; the default combines the examples of its fields. */
  example?: unknown;
}

export function withExamples<T>(fields: Fields<T>, example: Record<keyof T, unknown>): Fields<T> {
  const names = Object.keys(fields) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, [fields[name], example[name]]])) as unknown as Fields<T>;
}

/** An object with exactly these fields, all required unless they are `optional`. */
export function object<T>(fields: Fields<T>, { description, optional = [], example }: ObjectOptions<T> = {}): JsonSchema {
  const required = Object.keys(fields).filter((field) => !(optional as readonly string[]).includes(field));
  const properties = Object.fromEntries(Object.entries<Field>(fields).map(([name, field]) => [name, propertyOf(field)]));
  const schema = withDescription(description, { type: 'object', properties, ...(required.length > 0 ? { required } : {}) });
  return example === undefined ? schema : withExample(schema, example);
}

type Field = Fields<{ field: unknown }>['field'];

const isSchema = (field: Field): field is JsonSchema => !Array.isArray(field);

function propertyOf(field: Field): JsonSchema {
  if (isSchema(field)) return field;
  const [schema, example] = field;
  return withExample(schema, example);
}

const EXAMPLES = new WeakMap<JsonSchema, unknown>();

export function withExample(schema: JsonSchema, example: unknown): JsonSchema {
  const copy = { ...schema };
  EXAMPLES.set(copy, example);
  return copy;
}

/** An object as a component of this name. */
export function resource<T>(name: string, fields: Fields<T>, rest: ObjectOptions<T> = {}): JsonSchema {
  return define(name, object(fields, rest));
}

export const componentNameIn = ({ $ref }: JsonSchema): string | null =>
  typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? null) : null;

/** The example of a schema: the given one, else null if allowed, else the examples of its parts. */
export function exampleOf(schema: JsonSchema): unknown {
  if (EXAMPLES.has(schema)) return EXAMPLES.get(schema);
  if (isNullable(schema)) return null;
  const component = COMPONENTS.get(componentNameIn(schema) ?? '');
  if (component !== undefined) return exampleOf(component);
  if (schema.type === 'array') return [exampleOf(schema.items as JsonSchema)];
  if (schema.type !== 'object') throw new Error(`${JSON.stringify(schema)} has no example`);
  const { properties, required = [] } = schema as { properties: Record<string, JsonSchema>; required?: string[] };
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}

/** The example of a schema with other values of these fields. */
export const exampleWith = (schema: JsonSchema, fields: object): object => ({ ...(exampleOf(schema) as object), ...fields });

const isNullable = ({ type, anyOf }: JsonSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) || (Array.isArray(anyOf) && (anyOf as JsonSchema[]).some((one) => one.type === 'null'));

/** A component with more fields, written as one object because `allOf` parts may refuse unknown fields. */
export function extendComponent(component: JsonSchema, fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const base = COMPONENTS.get(componentNameIn(component) ?? '') ?? {};
  const { properties, required } = base as { properties: Record<string, JsonSchema>; required: string[] };
  return { ...base, properties: { ...properties, ...fields }, required: [...required, ...Object.keys(fields)] };
}

export function define(name: string, schema: JsonSchema): JsonSchema {
  if (COMPONENTS.has(name)) throw new Error(`the contract defines ${name} twice`);
  COMPONENTS.set(name, schema);
  return { $ref: `#/components/schemas/${name}` };
}

/** Keys whose values are data, not schemas. */
const DATA_KEYS = ['example', 'examples', 'enum'];

/** Copies a value and applies `change` to each schema in it, outermost first. Names of properties are no keywords. */
export function mapSchema(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const mapValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mapValue);
    return isObject(value) ? mapSchema(value, change) : value;
  };
  const mapProperty = ([key, value]: [string, unknown]): [string, unknown] => {
    if (key === 'properties' && isObject(value))
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapValue(one)]))];
    return [key, DATA_KEYS.includes(key) ? value : mapValue(value)];
  };
  return Object.fromEntries(Object.entries(change(schema)).map(mapProperty));
}

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value);
