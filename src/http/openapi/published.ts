import { sha256 } from '../../security/fingerprint';
import { collectReferencedSchemas, type OpenApiObject } from './document';
import { componentNameIn, type JsonSchema, mapSchema } from './json';

type Schemas = Record<string, JsonSchema>;

interface Response {
  content?: { 'application/json'?: { schema: JsonSchema } };
  links?: Record<string, { requestBody?: unknown }>;
}

/**
 * The served document: the exact one in the keywords that every common code generator supports (ruling 74). Each value that matches the
 * exact document also matches this one.
 */
export function publishedDocument(exact: OpenApiObject): OpenApiObject {
  const { info, paths, components } = exact as { info: object; paths: OpenApiObject; components: { schemas: Schemas } };
  const publish = (schema: JsonSchema): JsonSchema => mapSchema(schema, (part) => toCommonKeywords(part, components.schemas));
  const published = publish(mapResponses(paths));
  const schemas = publish({ ...components.schemas, ...errorSchemas(components.schemas) }) as Schemas;
  const document = {
    ...exact,
    paths: published,
    components: { ...publish({ ...components, schemas: {} }), schemas: collectReferencedSchemas(published, schemas) },
  };
  return { ...document, info: { ...info, version: versionOf({ ...document, servers: [] }) } };
}

/** `1.0.0+5f0c2d7e`: the contract release and a hash of the document without its server URL. */
const versionOf = (document: OpenApiObject): string => `${CONTRACT_RELEASE}+${sha256(JSON.stringify(document)).slice(0, 8)}`;

/** A release raises the last number for texts and the middle one for additions. The first number is the `/v1` of the URLs. */
const CONTRACT_RELEASE = '1.0.0';

/** Gives every error the same schema, and removes the request bodies of links, which OpenAPI Generator expects to be texts. */
function mapResponses(paths: OpenApiObject): OpenApiObject {
  const copy = structuredClone(paths) as Record<string, Record<string, { responses: Record<string, Response> }>>;
  for (const { responses } of Object.values(copy).flatMap((methods) => Object.values(methods)))
    for (const [status, { content, links = {} }] of Object.entries(responses)) {
      if (Number(status) >= 400 && content?.['application/json'] !== undefined)
        content['application/json'].schema = { $ref: '#/components/schemas/ErrorEnvelope' };
      for (const link of Object.values(links)) delete link.requestBody;
    }
  return copy;
}

/** One schema for all errors, because generators read an unknown error as the first alternative or not at all. */
function errorSchemas(schemas: Schemas): Schemas {
  const errors = Object.entries(schemas).filter(([name]) => name.startsWith('Error'));
  const { properties, ...error } = errors.map(([, schema]) => schema).reduce((left, right) => merge(left, right, schemas));
  const { details, ...others } = properties as Schemas;
  return {
    ErrorEnvelope: {
      type: 'object',
      properties: { data: { type: 'null', description: 'null on an error' }, error: { $ref: '#/components/schemas/ApiError' } },
      required: ['data', 'error'],
    },
    ApiError: {
      ...error,
      description: 'An error. Codes may be added, so handle unknown ones by their HTTP status.',
      properties: { ...others, details: { $ref: '#/components/schemas/ErrorDetails' } },
    },
    ErrorDetails: { ...details, description: 'Structured information. The code determines which fields it has.' },
  };
}

/** One part of the document, not those within it, in the keywords that all generators support. */
function toCommonKeywords(part: JsonSchema, schemas: Schemas): JsonSchema {
  const { anyOf, oneOf, const: _, propertyNames: __, pattern, format, ...rest } = flatten(part, schemas);
  const isAnyOfTypes = Array.isArray(anyOf) && (anyOf as JsonSchema[]).some(({ type, $ref }) => type !== undefined || $ref !== undefined);
  return {
    ...(rest.type === 'null' && rest.description !== undefined ? { description: rest.description } : rest),
    ...(isAnyOfTypes ? { anyOf } : {}),
    // PCRE and RE2 have no `\u`. Generators that check a pattern compare it with a parsed time.
    ...(typeof pattern === 'string' && (pattern.includes('\\u') || format === 'date-time') ? {} : defined({ pattern })),
    ...defined({ format: isWideInteger(rest) ? 'int64' : UNCHECKED_FORMATS.includes(String(format)) ? undefined : format }),
    ...(rest.type === 'object' && rest.properties !== undefined && rest.additionalProperties === undefined
      ? { additionalProperties: true }
      : {}),
  };
}

const defined = (fields: object): object => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Java and Go refuse URLs that browsers accept, and ogen such e-mail addresses. */
const UNCHECKED_FORMATS = ['uri', 'email'];

/** An integer that does not fit into the 32 bits that generators use without a format. */
const isWideInteger = ({ type, maximum }: JsonSchema): boolean =>
  [type].flat().includes('integer') && (typeof maximum !== 'number' || maximum >= 2 ** 31);

/** A schema without alternatives that have the same type. Objects have the fields of all alternatives. */
function flatten(schema: JsonSchema, schemas: Schemas): JsonSchema {
  if (!Array.isArray(schema.anyOf)) return schema;
  const { anyOf, ...rest } = schema;
  const alternatives = (anyOf as JsonSchema[]).filter(({ type }) => type !== 'null');
  if (alternatives.length < 2 || alternatives.some(({ type }) => type === undefined)) return schema;
  const merged = alternatives.reduce((left, right) => merge(left, right, schemas));
  return { ...merged, ...rest, ...(alternatives.length < anyOf.length ? { type: [merged.type, 'null'] } : {}) };
}

/** A schema that both match: an object has the fields of both, a text has their values as examples. */
function merge(first: JsonSchema, second: JsonSchema, schemas: Schemas): JsonSchema {
  if (JSON.stringify(first) === JSON.stringify(second)) return first;
  const [left, right] = [first, second].map((schema) => flatten(schemas[componentNameIn(schema) ?? ''] ?? schema, schemas)) as [
    JsonSchema,
    JsonSchema,
  ];
  const types = [...new Set([left.type, right.type].flat())];
  const description = left.description === undefined ? {} : { description: left.description };
  if (types.filter((type) => type !== 'null').length !== 1) return description;
  if (left.properties !== undefined && right.properties !== undefined) {
    const [inLeft, inRight] = [left.properties, right.properties] as [Schemas, Schemas];
    const [required, alsoRequired] = [left.required ?? [], right.required ?? []] as [string[], string[]];
    const shared = Object.entries(inLeft).map(([name, field]) => [
      name,
      name in inRight ? merge(field, inRight[name] ?? {}, schemas) : field,
    ]);
    return {
      ...left,
      properties: { ...inRight, ...Object.fromEntries(shared) },
      required: required.filter((name) => alsoRequired.includes(name)),
    };
  }
  const values = [left, right].flatMap((one) => (one.enum ?? one.examples ?? []) as unknown[]);
  return {
    ...description,
    type: types.length === 1 ? types[0] : types,
    ...(left.items === undefined ? {} : { items: merge(left.items as JsonSchema, right.items as JsonSchema, schemas) }),
    ...(values.length === 0 ? {} : { examples: [...new Set(values)] }),
  };
}
