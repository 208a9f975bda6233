import type { JsonSchema } from '../schemas/field-kinds';

export type { JsonSchema } from '../schemas/field-kinds';

/** Everything that is told once and referred to by name, of both APIs; a document takes what it refers to. */
export const COMPONENTS = new Map<string, JsonSchema>();

const withDescription = (description: string | undefined, schema: JsonSchema): JsonSchema =>
  description === undefined ? schema : { description, ...schema };

export const string = (description?: string, rest: JsonSchema = {}): JsonSchema =>
  withDescription(description, { type: 'string', ...rest });

export const integer = (description?: string, rest: JsonSchema = {}): JsonSchema =>
  withDescription(description, { type: 'integer', ...rest });

export const boolean = (description?: string): JsonSchema => withDescription(description, { type: 'boolean' });

/** Whole cents (specification "Resources and their fields"). */
export const cents = (description?: string): JsonSchema =>
  integer(description, { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** RFC 3339 in UTC with milliseconds and Z (ruling 9). */
export const time = (description?: string): JsonSchema =>
  string(description, { format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });

export const date = (description?: string): JsonSchema => string(description, { format: 'date' });

/** ISO 4217. */
export const currency = (description?: string): JsonSchema => string(description, { pattern: '^[A-Z]{3}$' });

export const uri = (description?: string): JsonSchema => string(description, { format: 'uri' });

/** An identifier of ours: its prefix and lower-case hex (ruling 8). */
export const id = (prefix: string, description?: string): JsonSchema =>
  string(description, { pattern: `^${prefix}_[0-9a-f]+$`, maxLength: 64 });

/** One of these in an answer. Values may be added, so a generated client accepts any other string (ruling 74). */
export const openEnum = (values: readonly string[], description?: string): JsonSchema =>
  withDescription(description, { anyOf: [{ type: 'string', enum: [...values] }, { type: 'string' }] });

/** One of these and nothing else: in a request, or what tells shapes apart. */
export const closedEnum = (values: readonly string[], description?: string): JsonSchema => string(description, { enum: [...values] });

export const list = (items: JsonSchema, description?: string): JsonSchema => withDescription(description, { type: 'array', items });

/** A file that is answered as it is, outside the envelope. */
export const FILE: JsonSchema = { type: 'string', format: 'binary' };

/** Any JSON value. */
export const any = (description: string): JsonSchema => ({ description });

export const mapOf = (values: JsonSchema, description?: string): JsonSchema =>
  withDescription(description, { type: 'object', additionalProperties: values });

/** The same, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  const described = typeof description === 'string' ? { description } : {};
  if (typeof rest.type === 'string' && rest.enum === undefined) return { ...described, ...rest, type: [rest.type, 'null'] };
  return { ...described, anyOf: [...(Array.isArray(rest.anyOf) ? (rest.anyOf as JsonSchema[]) : [rest]), { type: 'null' }] };
}

/** For each field that a presenter answers, what it is and an example; the compiler holds names and examples to the presenter's. */
export type Fields<T> = { readonly [K in keyof T]-?: JsonSchema | readonly [schema: JsonSchema, example: T[K]] };

interface ObjectOptions<T> {
  description?: string;
  /** Fields that are not always there. */
  optional?: readonly (keyof T & string)[];
  /** Of the whole; without it, the examples of its fields. */
  example?: unknown;
}

/** The fields, each with its value of the example. */
export function withExamples<T>(fields: Fields<T>, example: Record<keyof T, unknown>): Fields<T> {
  const names = Object.keys(fields) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, [fields[name], example[name]]])) as unknown as Fields<T>;
}

/** An object with exactly these fields, all of them there unless it is said otherwise. */
export function object<T>(fields: Fields<T>, { description, optional = [], example }: ObjectOptions<T> = {}): JsonSchema {
  const required = Object.keys(fields).filter((field) => !(optional as readonly string[]).includes(field));
  const properties = Object.fromEntries(Object.entries<Field>(fields).map(([name, field]) => [name, propertyOf(name, field)]));
  const schema = withDescription(description, { type: 'object', properties, ...(required.length > 0 ? { required } : {}) });
  return example === undefined ? schema : withExample(schema, example);
}

type Field = Fields<{ field: unknown }>['field'];

const isSchema = (field: Field): field is JsonSchema => !Array.isArray(field);

function propertyOf(name: string, field: Field): JsonSchema {
  if (isSchema(field)) return withTitle(name, field);
  const [schema, example] = field;
  return withExample(withTitle(name, schema), example);
}

/** The known values of an open enum have their field's name, which generated clients give the type. */
function withTitle(name: string, schema: JsonSchema): JsonSchema {
  const [enumSchema, ...rest] = Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchema[]) : [];
  if (enumSchema?.enum === undefined) return schema;
  return { ...schema, anyOf: [{ title: name.charAt(0).toUpperCase() + name.slice(1), ...enumSchema }, ...rest] };
}

/** The examples of the schemas that have one of their own. */
const EXAMPLES = new WeakMap<JsonSchema, unknown>();

/** The same schema with an example of its own. */
export function withExample(schema: JsonSchema, example: unknown): JsonSchema {
  const copy = { ...schema };
  EXAMPLES.set(copy, example);
  return copy;
}

/** An object that is told once, under this name. */
export function resource<T>(name: string, fields: Fields<T>, rest: ObjectOptions<T> = {}): JsonSchema {
  return define(name, object(fields, rest));
}

/** The name of the component that a schema refers to. */
export const componentNameIn = ({ $ref }: JsonSchema): string | null =>
  typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? null) : null;

/** The example of a schema: its own, else null where that is allowed, else the examples of its parts. */
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

/** The same with other values of these fields. */
export const exampleWith = (schema: JsonSchema, fields: object): object => ({ ...(exampleOf(schema) as object), ...fields });

const isNullable = ({ type, anyOf }: JsonSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) || (Array.isArray(anyOf) && (anyOf as JsonSchema[]).some((one) => one.type === 'null'));

/** What a component tells of, with more fields: said anew, because a reader may refuse what a part of it does not know. */
export function extendComponent(component: JsonSchema, fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const base = COMPONENTS.get(componentNameIn(component) ?? '') ?? {};
  const { properties, required } = base as { properties: Record<string, JsonSchema>; required: string[] };
  return { ...base, properties: { ...properties, ...fields }, required: [...required, ...Object.keys(fields)] };
}

export function define(name: string, schema: JsonSchema): JsonSchema {
  if (COMPONENTS.has(name)) throw new Error(`the contract tells ${name} twice`);
  COMPONENTS.set(name, schema);
  return { $ref: `#/components/schemas/${name}` };
}
