import type Joi from 'joi';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors';
import { jsonSchemaOf } from '../schemas/json-schema';
import { isRequired } from '../schemas/text';
import { acceptsEmptyBody, type UnknownFieldPolicy } from '../schemas/validate';
import type { ServedEndpoint } from '../types';
import { componentNameOf, exampleOf, OTHER_ERROR, descriptionOf } from './errors';
import * as json from './json';
import { COMPONENTS, type JsonSchema, mapSchema } from './json';
import type { Parameter } from './operation';

type DocumentedEndpoint = Omit<ServedEndpoint<never, never>, 'name' | 'handler'> & { admission: AdmissionDescription };

interface AdmissionDescription {
  requirement: string;
  perMinute: number;
  /** True if the endpoint needs no credential. */
  isOpen?: boolean;
  /** The error codes of admission, if they differ from the defaults. */
  errorCodes?: readonly ErrorCode[];
}

export interface ApiDescription {
  title: string;
  description: string;
  /** The base URL: absolute, or relative to the document. */
  server: string;
  credential: { name: string; description: string };
  /** The cookie that replaces the credential in a browser. */
  session?: { name: string; cookie: string; description: string };
  tags: readonly { name: string; description: string }[];
  unknownFields: UnknownFieldPolicy;
  endpoints: readonly DocumentedEndpoint[];
  /** Path parameters, keyed by the preceding path segment: `orders` for `/orders/:id`, `:section` for `/catalogue/:section/:id`. */
  pathParameters: Readonly<Record<string, Parameter>>;
}

export type OpenApiObject = Record<string, unknown>;

const REQUEST_ID_HEADER_NAME = 'Service-Request-Id';

/** The error codes of every endpoint. */
export const COMMON_ERROR_CODES: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL_ERROR', 'OVERLOADED'];

/** Generates the exact OpenAPI 3.1 document from the endpoint table and its schemas; `publishedDocument` makes the served one. */
export function exactDocument(api: ApiDescription): OpenApiObject {
  const paths: Record<string, OpenApiObject> = {};
  const components: Record<string, JsonSchema> = {};
  for (const endpoint of api.endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(api, endpoint, components) };
  }
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: '', description: api.description },
    servers: [{ url: api.server, description: 'this service' }],
    security: [{ [api.credential.name]: [] }, ...(api.session === undefined ? [] : [{ [api.session.name]: [] }])],
    tags: api.tags,
    paths,
    components: {
      securitySchemes: securitySchemes(api),
      schemas: collectReferencedSchemas(paths, components),
      headers: HEADERS,
      parameters: { RequestId: REQUEST_ID_PARAMETER },
    },
  };
}

const HEADERS: Record<string, OpenApiObject> = {
  RequestId: {
    description: "The id of this request in the service's log. Include it in messages to the studio.",
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
    example: 'req_4f1c9a',
  },
  RetryAfter: { description: 'The seconds to wait before the next request.', schema: { type: 'integer', minimum: 1 }, example: 12 },
};

const REQUEST_ID_PARAMETER: OpenApiObject = {
  name: REQUEST_ID_HEADER_NAME,
  in: 'header',
  required: false,
  description:
    'A request id of your choice: up to 64 letters, digits, dots, underscores and hyphens, beginning with a letter or digit. The service replaces an invalid id.',
  schema: { type: 'string' },
  example: 'my-request-1041',
};

function securitySchemes({ credential, session }: ApiDescription): OpenApiObject {
  const bearer = { [credential.name]: { type: 'http', scheme: 'bearer', description: credential.description } };
  if (session === undefined) return bearer;
  return { ...bearer, [session.name]: { type: 'apiKey', in: 'cookie', name: session.cookie, description: session.description } };
}

function toOperation(api: ApiDescription, endpoint: DocumentedEndpoint, components: Record<string, JsonSchema>): OpenApiObject {
  const { id, tag, summary, description, admission, deprecated, callbacks } = endpoint;
  const fullDescription = `${description === undefined ? '' : `${description}\n\n`}The request needs ${admission.requirement}. The limit is ${admission.perMinute} requests a minute.`;
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
    ...(callbacks === undefined ? {} : { callbacks }),
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
    return { name, in: 'query', required: isRequired(schema), ...(description === undefined ? {} : { description }), schema: rest };
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

/** Allows unknown fields at every depth. */
function allowUnknownFields(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) => {
    if (part.additionalProperties !== false) return part;
    const { additionalProperties: _, ...rest } = part;
    return rest;
  });
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
    data: { description: 'the result', ...response },
    error: NO_ERROR,
    ...(paged ? { nextCursor: { ...json.string('the `cursor` for the next page; null on the last page'), type: ['string', 'null'] } } : {}),
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
    ...(notModified ? { 304: { description: "The client's copy is current.", headers } } : {}),
  };
}

const NO_ERROR: JsonSchema = { type: 'null', description: 'null on success' };
const NO_DATA: JsonSchema = { type: 'null', description: 'null on an error' };

/** `OrderEnvelope` and `OrderListEnvelope` for a resource; `GetStatsEnvelope` for the response of one endpoint. */
function successEnvelopeName(operationId: string, response: JsonSchema): string {
  const isList = response.type === 'array';
  const resource = json.componentNameIn(isList ? (response.items as JsonSchema) : response);
  return `${resource === null ? capitalize(operationId) : `${resource}${isList ? 'List' : ''}`}Envelope`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Makes a response a component, so generated clients have one type for it. @throws Error if the name is taken */
function defineEnvelope(
  name: string,
  properties: Record<string, JsonSchema | undefined>,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  if (components[name] !== undefined && JSON.stringify(components[name]) !== JSON.stringify(schema))
    throw new Error(`the contract defines ${name} twice`);
  components[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

/** The error codes of an endpoint by status, each with its details and an example. */
function toErrorResponses(api: ApiDescription, endpoint: DocumentedEndpoint, components: Record<string, JsonSchema>): OpenApiObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(api, endpoint)) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, toErrorResponse(errorEnvelopeName(endpoint.id, status, codes), codes, components)]),
  );
}

/** All error codes of an endpoint, in the order of their statuses. */
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

/** Codes with Retry-After; IDEMPOTENCY_KEY_REUSED has it only while the first request runs. */
const RETRY_AFTER_CODES: readonly ErrorCode[] = ['RATE_LIMITED', 'IDEMPOTENCY_KEY_REUSED'];

/** `OverloadedOrTemporalAwayEnvelope` for few codes, `CreateQuoteEnvelope400` for many. */
function errorEnvelopeName(operationId: string, status: number, codes: readonly ErrorCode[]): string {
  if (codes.length > 2) return `${capitalize(operationId)}Envelope${status}`;
  return `${codes.map((code) => componentNameOf(code).replace(/^Error/, '')).join('Or')}Envelope`;
}

/** Uses `anyOf` with a schema for future codes. */
function toErrorResponse(name: string, codes: readonly ErrorCode[], components: Record<string, JsonSchema>): OpenApiObject {
  const error = {
    description: 'the error',
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

/** All components that the document references, directly or through others. */
export function collectReferencedSchemas(paths: OpenApiObject, components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const collect = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (name in schemas) continue;
      const schema = components[name] ?? COMPONENTS.get(name);
      if (schema === undefined) throw new Error(`the contract references ${name} but does not define it`);
      schemas[name] = schema;
      collect(schema);
    }
  };
  collect(paths);
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}
