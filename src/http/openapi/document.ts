import type Joi from 'joi';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors';
import { jsonSchemaOf } from '../schemas/json-schema';
import { acceptsEmptyBody, type UnknownFieldPolicy } from '../schemas/validate';
import { sha256 } from '../../security/fingerprint';
import type { ServedEndpoint } from '../types';
import { componentNameOf, exampleOf, OTHER_ERROR, descriptionOf } from './errors';
import * as json from './json';
import { COMPONENTS, type JsonSchema } from './json';
import type { Parameter } from './operation';

/** An endpoint as the document tells of it. */
type DocumentedEndpoint = Omit<ServedEndpoint<never>, 'name' | 'handler'> & { admission: AdmissionDescription };

/** Who may call an endpoint, in words, and how often. */
interface AdmissionDescription {
  requirement: string;
  perMinute: number;
  /** True: it takes no credential. */
  isOpen?: boolean;
  /** The codes that letting somebody in may give, where they are not those of every endpoint. */
  errorCodes?: readonly ErrorCode[];
}

/** One of the two APIs, as its document tells of it. */
export interface ApiDescription {
  title: string;
  description: string;
  /** Where its endpoints are: absolute, or relative to the document. */
  server: string;
  /** How a caller shows who it is. */
  credential: { name: string; description: string };
  /** What does instead of it in a browser. */
  session?: { name: string; cookie: string; description: string };
  tags: readonly { name: string; description: string }[];
  /** What becomes of fields it does not know. */
  unknownFields: UnknownFieldPolicy;
  endpoints: readonly DocumentedEndpoint[];
  /** Path parameters, keyed by the preceding path segment: `orders` for `/orders/:id`, `:section` for `/catalogue/:section/:id`. */
  pathParameters: Readonly<Record<string, Parameter>>;
  /** What it sends by itself: request bodies by event type. */
  webhooks?: Readonly<Record<string, JsonSchema>>;
}

/** A part of an OpenAPI document. */
type OpenApiObject = Record<string, unknown>;

const REQUEST_ID_HEADER_NAME = 'Service-Request-Id';

/** Every endpoint gives these; the last only where it has a budget, which all have. */
export const COMMON_ERROR_CODES: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL_ERROR', 'OVERLOADED'];

/** The OpenAPI 3.1 document of an API, made from its endpoint table and the schemas that the table names (specification "Endpoints"). */
export function openApiDocument(api: ApiDescription): OpenApiObject {
  const paths: Record<string, OpenApiObject> = {};
  const components: Record<string, JsonSchema> = {};
  for (const endpoint of api.endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(api, endpoint, components) };
  }
  const body: OpenApiObject = { paths, ...(api.webhooks === undefined ? {} : { webhooks: api.webhooks }) };
  const document = {
    openapi: '3.1.0',
    info: { title: api.title, version: '', description: api.description },
    servers: [{ url: api.server, description: 'this service' }],
    security: [{ [api.credential.name]: [] }, ...(api.session === undefined ? [] : [{ [api.session.name]: [] }])],
    tags: api.tags,
    ...body,
    components: {
      securitySchemes: securitySchemes(api),
      schemas: collectReferencedSchemas(body, components),
      headers: HEADERS,
      parameters: { RequestId: REQUEST_ID_PARAMETER },
    },
  };
  document.info.version = versionOf({ ...document, servers: [] });
  return document;
}

/** `1.0.0+5f0c2d7e`: the release of the contract, and what changes with every word of the document; where it is served does not count. */
const versionOf = (document: OpenApiObject): string => `${CONTRACT_RELEASE}+${sha256(JSON.stringify(document)).slice(0, 8)}`;

/** Raised by a release: the last number for words, the middle for additions. The first is the `/v1` of the addresses. */
const CONTRACT_RELEASE = '1.0.0';

const HEADERS: Record<string, OpenApiObject> = {
  RequestId: {
    description: "Names this request in the service's log. Tell it when you write to the studio.",
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
    example: 'req_4f1c9a',
  },
  RetryAfter: { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 1 }, example: 12 },
};

const REQUEST_ID_PARAMETER: OpenApiObject = {
  name: REQUEST_ID_HEADER_NAME,
  in: 'header',
  required: false,
  description:
    'A request id of your own: up to 64 letters, digits, dots, underscores and hyphens, a letter or digit first. Another one is replaced, not refused.',
  schema: { type: 'string' },
  example: 'my-request-1041',
};

function securitySchemes({ credential, session }: ApiDescription): OpenApiObject {
  const bearer = { [credential.name]: { type: 'http', scheme: 'bearer', description: credential.description } };
  if (session === undefined) return bearer;
  return { ...bearer, [session.name]: { type: 'apiKey', in: 'cookie', name: session.cookie, description: session.description } };
}

function toOperation(api: ApiDescription, endpoint: DocumentedEndpoint, components: Record<string, JsonSchema>): OpenApiObject {
  const { id, tag, summary, description, admission, deprecated } = endpoint;
  const fullDescription = `${description === undefined ? '' : `${description}\n\n`}Needs ${admission.requirement}; ${admission.perMinute} requests a minute.`;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: fullDescription,
    ...(deprecated === undefined ? {} : { deprecated: true }),
    ...(admission.isOpen === true ? { security: [] } : {}),
    parameters: toParameters(api, endpoint, components),
    ...toRequestBody(api, endpoint, components),
    responses: { ...toSuccessResponses(endpoint, components), ...toErrorResponses(api, endpoint, components) },
    'x-needs': admission.requirement,
    'x-requests-per-minute': admission.perMinute,
  };
}

function toParameters(
  { pathParameters }: ApiDescription,
  { path, query = {}, headers = {} }: DocumentedEndpoint,
  components: Record<string, JsonSchema>,
) {
  const inPath = [...path.matchAll(/(?<=([^/]+)\/):(\w+)/g)].map(([, parent = '', name]) => {
    const parameter = pathParameters[parent];
    if (parameter === undefined) throw new Error(`${path}: add ${parent} to pathParameters.`);
    return { name, in: 'path', required: true, ...parameter };
  });
  const inQuery = Object.entries(query).map(([name, schema]) => {
    const { description, ...rest } = convertSchema(schema, components);
    return { name, in: 'query', required: false, ...(description === undefined ? {} : { description }), schema: rest };
  });
  const inHeader = Object.entries(headers).map(([name, header]) => ({ name, in: 'header', required: false, ...header }));
  return [...inPath, ...inQuery, ...inHeader, { $ref: '#/components/parameters/RequestId' }];
}

function toRequestBody(
  api: ApiDescription,
  { body, bodyBytes, requestExample }: DocumentedEndpoint,
  components: Record<string, JsonSchema>,
): OpenApiObject {
  if (body === undefined) return {};
  const schema = convertSchema(body, components);
  const bodySchema = api.unknownFields === 'ignored' ? allowUnknownFields(schema) : schema;
  if (api.unknownFields === 'ignored')
    for (const [name, component] of Object.entries(components)) components[name] = allowUnknownFields(component);
  const example = requestExample === undefined ? {} : { example: requestExample };
  return {
    requestBody: {
      required: !acceptsEmptyBody(body),
      ...(bodyBytes === undefined ? {} : { description: `At most ${bodyBytes} bytes.` }),
      content: { 'application/json': { schema: bodySchema, ...example } },
    },
  };
}

function convertSchema(schema: Joi.Schema, collected: Record<string, JsonSchema>): JsonSchema {
  const { schema: jsonSchema, components } = jsonSchemaOf(schema);
  Object.assign(collected, components);
  return jsonSchema;
}

/** Fields that are not known are ignored, at every depth. */
function allowUnknownFields(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) => {
    if (part.additionalProperties !== false) return part;
    const { additionalProperties: _, ...rest } = part;
    return rest;
  });
}

/** A copy with `change` made to each object in it, innermost first. */
function mapSchema(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const mapValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mapValue);
    return typeof value === 'object' && value !== null ? mapSchema(value as JsonSchema, change) : value;
  };
  return change(Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, mapValue(value)])));
}

function toSuccessResponses(endpoint: DocumentedEndpoint, components: Record<string, JsonSchema>): OpenApiObject {
  const {
    id,
    status,
    summary,
    response,
    paged = false,
    example,
    responseHeaders = {},
    links,
    repeatDescription,
    notModified = false,
    mediaType,
  } = endpoint;
  const properties = {
    data: { description: 'what was asked for', ...response },
    error: NO_ERROR,
    ...(paged
      ? { nextCursor: { ...json.string('pass it as `cursor` for the next page; null on the last'), type: ['string', 'null'] } }
      : {}),
  };
  const headers = {
    [REQUEST_ID_HEADER_NAME]: { $ref: '#/components/headers/RequestId' },
    ...Object.fromEntries(Object.entries(responseHeaders).map(([name, { description, ...schema }]) => [name, { description, schema }])),
  };
  const success = {
    description: summary,
    headers,
    content:
      mediaType === undefined
        ? {
            'application/json': {
              schema: defineEnvelope(successEnvelopeName(id, response), properties, components),
              example: { data: example ?? json.exampleOf(response), error: null, ...(paged ? { nextCursor: null } : {}) },
            },
          }
        : { [mediaType]: { schema: response } },
    ...(links === undefined ? {} : { links }),
  };
  return {
    [status]: success,
    ...(repeatDescription === undefined ? {} : { 200: { ...success, description: repeatDescription } }),
    ...(notModified ? { 304: { description: 'What the client has is what there is.', headers } } : {}),
  };
}

const NO_ERROR: JsonSchema = { type: 'null', description: 'null in a success' };
const NO_DATA: JsonSchema = { type: 'null', description: 'null in a refusal' };

/** `OrderEnvelope` and `OrderListEnvelope` of a resource, `GetStatsEnvelope` of what only one endpoint answers. */
function successEnvelopeName(operationId: string, response: JsonSchema): string {
  const isList = response.type === 'array';
  const resource = json.componentNameIn(isList ? (response.items as JsonSchema) : response);
  return `${resource === null ? capitalize(operationId) : `${resource}${isList ? 'List' : ''}`}Envelope`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A whole answer as a component, so that generated clients have one type for it. @throws Error where another answer has this name */
function defineEnvelope(
  name: string,
  properties: Record<string, JsonSchema | undefined>,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  if (components[name] !== undefined && JSON.stringify(components[name]) !== JSON.stringify(schema))
    throw new Error(`the contract has two ${name}`);
  components[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

/** The codes an endpoint gives, each with its details and an example, by status. */
function toErrorResponses(api: ApiDescription, endpoint: DocumentedEndpoint, components: Record<string, JsonSchema>): OpenApiObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(api, endpoint)) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, toErrorResponse(errorEnvelopeName(endpoint.id, status, codes), codes, components)]),
  );
}

/** Every code an endpoint can give, in the order of their statuses. */
function errorCodesOf(
  { unknownFields }: ApiDescription,
  { path, body, query, headers, errorCodes = [], admission }: DocumentedEndpoint,
): ErrorCode[] {
  const isValidated = unknownFields === 'refused' || body !== undefined || query !== undefined || headers !== undefined;
  const impliedCodes: readonly ErrorCode[] = [
    ...(isValidated ? (['VALIDATION_ERROR'] as const) : []),
    ...(path.includes(':') ? (['NOT_FOUND'] as const) : []),
  ];
  return [...new Set([...(admission.errorCodes ?? COMMON_ERROR_CODES), ...impliedCodes, ...errorCodes])].sort(
    (a, b) => ERROR_STATUS[a] - ERROR_STATUS[b] || (a < b ? -1 : 1),
  );
}

/** Codes with Retry-After: always, or while the first request of a key is running. */
const RETRY_AFTER_CODES: readonly ErrorCode[] = ['RATE_LIMITED', 'IDEMPOTENCY_KEY_REUSED', 'STORAGE_FULL'];

/** `OverloadedOrTemporalAwayEnvelope` of few codes, `CreateQuoteEnvelope400` of many. */
function errorEnvelopeName(operationId: string, status: number, codes: readonly ErrorCode[]): string {
  if (codes.length > 2) return `${capitalize(operationId)}Envelope${status}`;
  return `${codes.map((code) => componentNameOf(code).replace(/^Error/, '')).join('Or')}Envelope`;
}

/** Of one or the other code, or of one that came later: `anyOf`, because a reader of `oneOf` refuses what it does not know (ruling 74). */
function toErrorResponse(name: string, codes: readonly ErrorCode[], components: Record<string, JsonSchema>): OpenApiObject {
  const error = {
    description: 'what is wrong',
    anyOf: [...codes.map((code) => ({ $ref: `#/components/schemas/${componentNameOf(code)}` })), OTHER_ERROR],
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${descriptionOf(code)}`).join('\n\n'),
    headers: {
      [REQUEST_ID_HEADER_NAME]: { $ref: '#/components/headers/RequestId' },
      ...(codes.some((code) => RETRY_AFTER_CODES.includes(code)) ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: {
      'application/json': {
        schema: defineEnvelope(name, { data: NO_DATA, error }, components),
        examples: Object.fromEntries(codes.map((code) => [code, { summary: descriptionOf(code), value: exampleOf(code) }])),
      },
    },
  };
}

/** Every component that the document refers to, directly or through another. */
function collectReferencedSchemas(body: OpenApiObject, components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const collect = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (name in schemas) continue;
      const schema = components[name] ?? COMPONENTS.get(name);
      if (schema === undefined) throw new Error(`the contract refers to ${name} and does not tell of it`);
      schemas[name] = schema;
      collect(schema);
    }
  };
  collect(body);
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}
