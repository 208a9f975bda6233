import type { JsonSchema } from '../schemas/kinds';

export type { JsonSchema } from '../schemas/kinds';

/** Everything that is told once and referred to by name, of both APIs; a document takes what it refers to. */
export const COMPONENTS = new Map<string, JsonSchema>();

const told = (description: string | undefined, schema: JsonSchema): JsonSchema =>
  description === undefined ? schema : { description, ...schema };

export const string = (description?: string, rest: JsonSchema = {}): JsonSchema => told(description, { type: 'string', ...rest });

export const integer = (description?: string, rest: JsonSchema = {}): JsonSchema => told(description, { type: 'integer', ...rest });

export const boolean = (description?: string): JsonSchema => told(description, { type: 'boolean' });

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
export const oneOf = (values: readonly string[], description?: string): JsonSchema =>
  told(description, { anyOf: [{ type: 'string', enum: [...values] }, { type: 'string' }] });

/** One of these and nothing else: in a request, or what tells shapes apart. */
export const only = (values: readonly string[], description?: string): JsonSchema => string(description, { enum: [...values] });

export const list = (items: JsonSchema, description?: string): JsonSchema => told(description, { type: 'array', items });

/** A file that is answered as it is, outside the envelope. */
export const FILE: JsonSchema = { type: 'string', format: 'binary' };

/** Any JSON value. */
export const any = (description: string): JsonSchema => ({ description });

export const mapOf = (values: JsonSchema, description?: string): JsonSchema =>
  told(description, { type: 'object', additionalProperties: values });

/** The same, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  const said = typeof description === 'string' ? { description } : {};
  if (typeof rest.type === 'string' && rest.enum === undefined) return { ...said, ...rest, type: [rest.type, 'null'] };
  return { ...said, anyOf: [...(Array.isArray(rest.anyOf) ? (rest.anyOf as JsonSchema[]) : [rest]), { type: 'null' }] };
}

/** For each field that a presenter answers, what it is; the compiler holds the names to the presenter's. */
export type Fields<T> = { readonly [K in keyof T]-?: JsonSchema };

interface ObjectRest<T> {
  description?: string;
  /** Fields that are not always there. */
  optional?: readonly (keyof T & string)[];
}

/** An object with exactly these fields, all of them there unless it is said otherwise. */
export function object<T>(fields: Fields<T>, { description, optional = [] }: ObjectRest<T> = {}): JsonSchema {
  const required = Object.keys(fields).filter((field) => !(optional as readonly string[]).includes(field));
  const properties = Object.fromEntries(Object.entries<JsonSchema>(fields).map(([name, schema]) => [name, titled(name, schema)]));
  return told(description, { type: 'object', properties, ...(required.length > 0 ? { required } : {}) });
}

/** The known values of an open enum have their field's name, which generated clients give the type. */
function titled(name: string, schema: JsonSchema): JsonSchema {
  const [known, ...rest] = Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchema[]) : [];
  if (known?.enum === undefined) return schema;
  return { ...schema, anyOf: [{ title: name.charAt(0).toUpperCase() + name.slice(1), ...known }, ...rest] };
}

/** An example of each component that has one. */
const EXAMPLES = new Map<string, unknown>();

/** An object that is told once, under this name. */
export function resource<T>(name: string, fields: Fields<T>, rest: ObjectRest<T> = {}): JsonSchema {
  return define(name, object(fields, rest));
}

/** The same with an example, which every answer of this resource shows unless its endpoint gives another. */
export function resourceWithExample<T>(name: string, example: unknown, fields: Fields<T>, rest: ObjectRest<T> = {}): JsonSchema {
  EXAMPLES.set(name, example);
  return resource(name, fields, rest);
}

/** The name of the component that a schema refers to. */
export const nameIn = ({ $ref }: JsonSchema): string | null => (typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? null) : null);

/** The example of a resource, or of a list of them. */
export function exampleOf(answer: JsonSchema): unknown {
  if (answer.type === 'array') return [exampleOf(answer.items as JsonSchema)];
  const name = nameIn(answer) ?? '';
  if (!EXAMPLES.has(name)) throw new Error(`${JSON.stringify(answer)} has no example`);
  return EXAMPLES.get(name);
}

/** What a component tells of, with more fields: said anew, because a reader may refuse what a part of it does not know. */
export function extended(component: JsonSchema, fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const whole = COMPONENTS.get(nameIn(component) ?? '') ?? {};
  const { properties, required } = whole as { properties: Record<string, JsonSchema>; required: string[] };
  return { ...whole, properties: { ...properties, ...fields }, required: [...required, ...Object.keys(fields)] };
}

export function define(name: string, schema: JsonSchema): JsonSchema {
  if (COMPONENTS.has(name)) throw new Error(`the contract tells ${name} twice`);
  COMPONENTS.set(name, schema);
  return { $ref: `#/components/schemas/${name}` };
}
