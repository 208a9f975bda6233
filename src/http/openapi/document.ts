import type Joi from 'joi';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors';
import { jsonSchemaOf } from '../schemas/documented';
import { takesNothing, type Unknown } from '../schemas/validate';
import { sha256 } from '../../security/fingerprint';
import type { ServedEndpoint } from '../types';
import { componentOf, exampleOf, OTHER_ERROR, whenOf } from './errors';
import * as json from './json';
import { COMPONENTS, type JsonSchema } from './json';
import type { Parameter } from './operation';

/** An endpoint as the document tells of it. */
type ToldEndpoint = Omit<ServedEndpoint<never>, 'name' | 'handler'> & { admission: Told };

/** Who may call an endpoint, in words, and how often. */
interface Told {
  needs: string;
  perMinute: number;
  /** True: it takes no credential. */
  isOpen?: boolean;
  /** The codes that letting somebody in may give, where they are not those of every endpoint. */
  refuses?: readonly ErrorCode[];
}

/** One of the two APIs, as its document tells of it. */
export interface ToldApi {
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
  unknown: Unknown;
  endpoints: readonly ToldEndpoint[];
  /** Path parameters, keyed by the preceding path segment: `orders` for `/orders/:id`, `:section` for `/catalogue/:section/:id`. */
  pathParameters: Readonly<Record<string, Parameter>>;
  /** What it sends by itself: request bodies by event type. */
  webhooks?: Readonly<Record<string, JsonSchema>>;
}

/** A part of an OpenAPI document. */
type Part = Record<string, unknown>;

const REQUEST_ID = 'Service-Request-Id';

/** Every endpoint gives these; the last only where it has a budget, which all have. */
export const ALWAYS: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL_ERROR', 'OVERLOADED'];

/** The OpenAPI 3.1 document of an API, made from its endpoint table and the schemas that the table names (specification "Endpoints"). */
export function openApiDocument(api: ToldApi): Part {
  const paths: Record<string, Part> = {};
  const found: Record<string, JsonSchema> = {};
  for (const endpoint of api.endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(api, endpoint, found) };
  }
  const body: Part = { paths, ...(api.webhooks === undefined ? {} : { webhooks: api.webhooks }) };
  const document = {
    openapi: '3.1.0',
    info: { title: api.title, version: '', description: api.description },
    servers: [{ url: api.server, description: 'this service' }],
    security: [{ [api.credential.name]: [] }, ...(api.session === undefined ? [] : [{ [api.session.name]: [] }])],
    tags: api.tags,
    ...body,
    components: {
      securitySchemes: schemesOf(api),
      schemas: referredTo(body, found),
      headers: HEADERS,
      parameters: { RequestId: REQUEST_ID_PARAMETER },
    },
  };
  document.info.version = versionOf({ ...document, servers: [] });
  return document;
}

/** `1.0.0+5f0c2d7e`: the release of the contract, and what changes with every word of the document; where it is served does not count. */
const versionOf = (document: Part): string => `${CONTRACT_RELEASE}+${sha256(JSON.stringify(document)).slice(0, 8)}`;

/** Raised by a release: the last number for words, the middle for additions. The first is the `/v1` of the addresses. */
const CONTRACT_RELEASE = '1.0.0';

const HEADERS: Record<string, Part> = {
  RequestId: {
    description: "Names this request in the service's log. Tell it when you write to the studio.",
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
    example: 'req_4f1c9a',
  },
  RetryAfter: { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 1 }, example: 12 },
};

const REQUEST_ID_PARAMETER: Part = {
  name: REQUEST_ID,
  in: 'header',
  required: false,
  description:
    'A request id of your own: up to 64 letters, digits, dots, underscores and hyphens, a letter or digit first. Another one is replaced, not refused.',
  schema: { type: 'string' },
  example: 'my-request-1041',
};

function schemesOf({ credential, session }: ToldApi): Part {
  const bearer = { [credential.name]: { type: 'http', scheme: 'bearer', description: credential.description } };
  if (session === undefined) return bearer;
  return { ...bearer, [session.name]: { type: 'apiKey', in: 'cookie', name: session.cookie, description: session.description } };
}

function operationOf(api: ToldApi, endpoint: ToldEndpoint, found: Record<string, JsonSchema>): Part {
  const { id, tag, summary, description, admission, deprecated } = endpoint;
  const told = `${description === undefined ? '' : `${description}\n\n`}Needs ${admission.needs}; ${admission.perMinute} requests a minute.`;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: told,
    ...(deprecated === undefined ? {} : { deprecated: true }),
    ...(admission.isOpen === true ? { security: [] } : {}),
    parameters: parametersOf(api, endpoint, found),
    ...requestOf(api, endpoint, found),
    responses: { ...successOf(endpoint, found), ...refusalsOf(api, endpoint, found) },
    'x-needs': admission.needs,
    'x-requests-per-minute': admission.perMinute,
  };
}

function parametersOf({ pathParameters }: ToldApi, { path, query = {}, headers = {} }: ToldEndpoint, found: Record<string, JsonSchema>) {
  const inPath = [...path.matchAll(/(?<=([^/]+)\/):(\w+)/g)].map(([, before = '', name]) => {
    const parameter = pathParameters[before];
    if (parameter === undefined) throw new Error(`${path}: add ${before} to pathParameters.`);
    return { name, in: 'path', required: true, ...parameter };
  });
  const inQuery = Object.entries(query).map(([name, schema]) => {
    const { description, ...rest } = converted(schema, found);
    return { name, in: 'query', required: false, ...(description === undefined ? {} : { description }), schema: rest };
  });
  const inHeader = Object.entries(headers).map(([name, header]) => ({ name, in: 'header', required: false, ...header }));
  return [...inPath, ...inQuery, ...inHeader, { $ref: '#/components/parameters/RequestId' }];
}

function requestOf(api: ToldApi, { body, bodyBytes, requestExample }: ToldEndpoint, found: Record<string, JsonSchema>): Part {
  if (body === undefined) return {};
  const schema = converted(body, found);
  const tolerant = api.unknown === 'ignored' ? withUnknown(schema) : schema;
  if (api.unknown === 'ignored') for (const [name, component] of Object.entries(found)) found[name] = withUnknown(component);
  const example = requestExample === undefined ? {} : { example: requestExample };
  return {
    requestBody: {
      required: !takesNothing(body),
      ...(bodyBytes === undefined ? {} : { description: `At most ${bodyBytes} bytes.` }),
      content: { 'application/json': { schema: tolerant, ...example } },
    },
  };
}

function converted(schema: Joi.Schema, found: Record<string, JsonSchema>): JsonSchema {
  const { schema: jsonSchema, components } = jsonSchemaOf(schema);
  Object.assign(found, components);
  return jsonSchema;
}

/** Fields that are not known are ignored, at every depth. */
function withUnknown(schema: JsonSchema): JsonSchema {
  return mapped(schema, (part) => {
    if (part.additionalProperties !== false) return part;
    const { additionalProperties: _, ...rest } = part;
    return rest;
  });
}

/** A copy with `change` made to each object in it, innermost first. */
function mapped(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const into = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(into);
    return typeof value === 'object' && value !== null ? mapped(value as JsonSchema, change) : value;
  };
  return change(Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, into(value)])));
}

function successOf(endpoint: ToldEndpoint, found: Record<string, JsonSchema>): Part {
  const { id, status, summary, answer, paged = false, example, answerHeaders = {}, links, repeated, notModified = false, media } = endpoint;
  const properties = {
    data: { description: 'what was asked for', ...answer },
    error: NO_ERROR,
    ...(paged
      ? { nextCursor: { ...json.string('pass it as `cursor` for the next page; null on the last'), type: ['string', 'null'] } }
      : {}),
  };
  const headers = {
    [REQUEST_ID]: { $ref: '#/components/headers/RequestId' },
    ...Object.fromEntries(Object.entries(answerHeaders).map(([name, { description, ...schema }]) => [name, { description, schema }])),
  };
  const success = {
    description: summary,
    headers,
    content:
      media === undefined
        ? {
            'application/json': {
              schema: envelope(successName(id, answer), properties, found),
              example: { data: example ?? json.exampleOf(answer), error: null, ...(paged ? { nextCursor: null } : {}) },
            },
          }
        : { [media]: { schema: answer } },
    ...(links === undefined ? {} : { links }),
  };
  return {
    [status]: success,
    ...(repeated === undefined ? {} : { 200: { ...success, description: repeated } }),
    ...(notModified ? { 304: { description: 'What the client has is what there is.', headers } } : {}),
  };
}

const NO_ERROR: JsonSchema = { type: 'null', description: 'null in a success' };
const NO_DATA: JsonSchema = { type: 'null', description: 'null in a refusal' };

/** `OrderEnvelope` and `OrderListEnvelope` of a resource, `GetStatsEnvelope` of what only one endpoint answers. */
function successName(operationId: string, answer: JsonSchema): string {
  const isList = answer.type === 'array';
  const resource = json.nameIn(isList ? (answer.items as JsonSchema) : answer);
  return `${resource === null ? capitalised(operationId) : `${resource}${isList ? 'List' : ''}`}Envelope`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A whole answer as a component, so that generated clients have one type for it. @throws Error where another answer has this name */
function envelope(name: string, properties: Record<string, JsonSchema | undefined>, found: Record<string, JsonSchema>): JsonSchema {
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  if (found[name] !== undefined && JSON.stringify(found[name]) !== JSON.stringify(schema)) throw new Error(`the contract has two ${name}`);
  found[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

/** The codes an endpoint gives, each with its details and an example, by status. */
function refusalsOf(api: ToldApi, endpoint: ToldEndpoint, found: Record<string, JsonSchema>): Part {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(api, endpoint)) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, refusal(refusalName(endpoint.id, status, codes), codes, found)]),
  );
}

/** Every code an endpoint can give, in the order of their statuses. */
function codesOf({ unknown }: ToldApi, { path, body, query, headers, refuses = [], admission }: ToldEndpoint): ErrorCode[] {
  const reads = unknown === 'refused' || body !== undefined || query !== undefined || headers !== undefined;
  const follow: readonly ErrorCode[] = [
    ...(reads ? (['VALIDATION_ERROR'] as const) : []),
    ...(path.includes(':') ? (['NOT_FOUND'] as const) : []),
  ];
  return [...new Set([...(admission.refuses ?? ALWAYS), ...follow, ...refuses])].sort(
    (a, b) => ERROR_STATUS[a] - ERROR_STATUS[b] || (a < b ? -1 : 1),
  );
}

/** Codes with Retry-After: always, or while the first request of a key is running. */
const WITH_RETRY_AFTER: readonly ErrorCode[] = ['RATE_LIMITED', 'IDEMPOTENCY_KEY_REUSED', 'STORAGE_FULL'];

/** `OverloadedOrTemporalAwayEnvelope` of few codes, `CreateQuoteEnvelope400` of many. */
function refusalName(operationId: string, status: number, codes: readonly ErrorCode[]): string {
  if (codes.length > 2) return `${capitalised(operationId)}Envelope${status}`;
  return `${codes.map((code) => componentOf(code).replace(/^Error/, '')).join('Or')}Envelope`;
}

/** Of one or the other code, or of one that came later: `anyOf`, because a reader of `oneOf` refuses what it does not know (ruling 74). */
function refusal(name: string, codes: readonly ErrorCode[], found: Record<string, JsonSchema>): Part {
  const error = {
    description: 'what is wrong',
    anyOf: [...codes.map((code) => ({ $ref: `#/components/schemas/${componentOf(code)}` })), OTHER_ERROR],
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${whenOf(code)}`).join('\n\n'),
    headers: {
      [REQUEST_ID]: { $ref: '#/components/headers/RequestId' },
      ...(codes.some((code) => WITH_RETRY_AFTER.includes(code)) ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: {
      'application/json': {
        schema: envelope(name, { data: NO_DATA, error }, found),
        examples: Object.fromEntries(codes.map((code) => [code, { summary: whenOf(code), value: exampleOf(code) }])),
      },
    },
  };
}

/** Every component that the document refers to, directly or through another. */
function referredTo(body: Part, found: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const take = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (name in schemas) continue;
      const schema = found[name] ?? COMPONENTS.get(name);
      if (schema === undefined) throw new Error(`the contract refers to ${name} and does not tell of it`);
      schemas[name] = schema;
      take(schema);
    }
  };
  take(body);
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}
