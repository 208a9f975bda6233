import { ServerResponse, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { exactTradeDocument } from '../../src/http/openapi/trade';
import { exactStudioDocument } from '../../src/http/openapi/studio';

/** A response with its request. */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

type JsonObject = Record<string, any>;

/** Compares responses with one of the two exact OpenAPI documents. */
export class Contract {
  private readonly ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  private readonly operations: { method: string; path: RegExp; template: string; operation: JsonObject }[];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(readonly document: JsonObject) {
    addFormats(this.ajv);
    for (const keyword of ['example', 'components']) this.ajv.addKeyword(keyword);
    this.ajv.addSchema({ $id: 'document', components: { schemas: forbidUndocumentedFields(document.components.schemas) } }, 'document');
    this.operations = Object.entries(document.paths as JsonObject).flatMap(([template, methods]) =>
      Object.entries(methods as JsonObject).map(([method, operation]) => ({
        method: method.toUpperCase(),
        template,
        path: new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`),
        operation: operation as JsonObject,
      })),
    );
  }

  /** Describes the violation in a response; null if it matches the document, or if the path is not an endpoint. */
  findFault(method: string, target: string, { status, headers, text }: ReceivedResponse): string | null {
    const path = target.split('?')[0] ?? '';
    const endpoint = this.operations.find((one) => one.method === method && one.path.test(path));
    if (endpoint === undefined || (status === 303 && String(headers['location']).startsWith('/sign-in?'))) return null; // the console's
    const location = `${method} ${endpoint.template} answered ${status}`;
    const response = endpoint.operation.responses[status] as JsonObject | undefined;
    if (response === undefined) return `${location}, which the contract does not list: ${text.slice(0, 300)}`;
    const missing = Object.entries(response.headers as JsonObject).find(([name, header]) =>
      this.isMissing(header as JsonObject, headers[name.toLowerCase()]),
    );
    if (missing !== undefined) return `${location} without the header ${missing[0]}`;
    const schema = response.content?.['application/json']?.schema as JsonObject | undefined;
    if (schema === undefined || text === '') return null;
    const validate = this.validatorFor(`${method} ${endpoint.template} ${status}`, schema);
    return validate(JSON.parse(text)) ? null : `${location}: ${this.ajv.errorsText(validate.errors?.slice(0, 4))}\n${text.slice(0, 2000)}`;
  }

  /** Whether a value matches a schema of the document without additional fields. */
  findValueFault(name: string, schema: JsonObject, value: unknown): string | null {
    const validate = this.validatorFor(name, schema);
    return validate(value) ? null : this.ajv.errorsText(validate.errors?.slice(0, 4));
  }

  private isMissing(header: JsonObject, value: unknown): boolean {
    const name = /^#\/components\/headers\/(.*)$/.exec(String(header.$ref))?.[1];
    const definition = name === undefined ? header : (this.document.components.headers[name] as JsonObject);
    return definition.required === true && value === undefined;
  }

  private validatorFor(name: string, schema: JsonObject): ValidateFunction {
    const existing = this.validators.get(name);
    if (existing !== undefined) return existing;
    const compiled = this.ajv.compile(
      JSON.parse(JSON.stringify(forbidUndocumentedFields(schema)).replaceAll('"#/components', '"document#/components')) as JsonObject,
    );
    this.validators.set(name, compiled);
    return compiled;
  }
}

/** Forbids additional fields. The document allows later fields, values and codes, but current responses have none. */
function forbidUndocumentedFields(schema: JsonObject): JsonObject {
  if (Array.isArray(schema))
    return schema.map((item) =>
      typeof item === 'object' && item !== null ? forbidUndocumentedFields(item as JsonObject) : item,
    ) as JsonObject;
  const current = schema.anyOf === undefined ? schema : { ...schema, anyOf: withoutFutureValues(schema.anyOf as JsonObject[]) };
  const closed = Object.fromEntries(
    Object.entries(current).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null ? forbidUndocumentedFields(value as JsonObject) : value,
    ]),
  );
  const isObject = closed.type === 'object' && closed.properties !== undefined && closed.additionalProperties === undefined;
  return isObject ? { ...closed, additionalProperties: false } : closed;
}

/** The alternatives without the placeholder for later values and codes (ruling 74). */
function withoutFutureValues(alternatives: JsonObject[]): JsonObject[] {
  const hasEnum = alternatives.some((one) => one.enum !== undefined);
  return alternatives.filter(
    (one) => one.$ref !== '#/components/schemas/OtherError' && !(hasEnum && one.type === 'string' && one.enum === undefined),
  );
}

let contracts: { trade: Contract; studio: Contract } | undefined;

/** Both contracts, created when first needed. */
export const contractOf = (api: 'trade' | 'studio'): Contract =>
  (contracts ??= { trade: new Contract(exactTradeDocument()), studio: new Contract(exactStudioDocument()) })[api];

/** Checks every response that a test receives. @throws Error if it violates the contract */
export function assertContract(api: 'trade' | 'studio', method: string, target: string, received: ReceivedResponse): void {
  const fault = contractOf(api).findFault(method, target, received);
  if (fault !== null) throw new Error(`not as the contract of the ${api} API tells: ${fault}`);
}

const { prototype } = ServerResponse;
const faultLists = new Set<string[]>();
const originalEnd = prototype.end;

/**
 * Checks all responses of the APIs in this process, for every client. The returned function ends the recording and returns the violations.
 */
export function recordContractFaults(): () => string[] {
  const faults: string[] = [];
  faultLists.add(faults);
  prototype.end = function (this: ServerResponse<IncomingMessage>, ...args: never[]) {
    const fault = findResponseFault(this, args[0]);
    if (fault !== null) for (const list of faultLists) list.push(fault);
    return originalEnd.apply(this, args as unknown as Parameters<typeof originalEnd>);
  } as typeof prototype.end;
  return () => {
    faultLists.delete(faults);
    if (faultLists.size === 0) prototype.end = originalEnd;
    return faults;
  };
}

/** A body that is sent at once, in the form that its client reads. */
function bodyText(response: ServerResponse, body: unknown): string | null {
  if (typeof body === 'string') return body;
  const encoding = response.getHeader('content-encoding');
  if (!Buffer.isBuffer(body) || !String(response.getHeader('content-type')).startsWith('application/json')) return null;
  if (encoding === undefined) return body.toString('utf8');
  return (encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString('utf8');
}

function findResponseFault(response: ServerResponse<IncomingMessage>, body: unknown): string | null {
  const [, api, target] = /^(\/studio\/v1|\/v1)(\/.*)$/.exec(response.req.url ?? '') ?? [];
  if (api === undefined || target === undefined) return null;
  const text = bodyText(response, body);
  if (text === null) return null;
  const headers = response.getHeaders() as ReceivedResponse['headers'];
  return contractOf(api === '/v1' ? 'trade' : 'studio').findFault(response.req.method ?? '', target, {
    status: response.statusCode,
    headers,
    text,
  });
}
