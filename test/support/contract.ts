import { ServerResponse, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { tradeDocument } from '../../src/http/openapi/trade';
import { studioDocument } from '../../src/http/openapi/studio';

/** What came back for a request. */
export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

type Part = Record<string, any>;

/** Holds what was received against one of the two documents. */
export class Contract {
  private readonly ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  private readonly operations: { method: string; path: RegExp; template: string; operation: Part }[];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(readonly document: Part) {
    addFormats(this.ajv);
    for (const keyword of ['example', 'components']) this.ajv.addKeyword(keyword);
    this.ajv.addSchema({ $id: 'document', components: { schemas: exact(document.components.schemas) } }, 'document');
    this.operations = Object.entries(document.paths as Part).flatMap(([template, methods]) =>
      Object.entries(methods as Part).map(([method, operation]) => ({
        method: method.toUpperCase(),
        template,
        path: new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`),
        operation: operation as Part,
      })),
    );
  }

  /** What is wrong with an answer; null where the document tells of it, or where the path is no endpoint's. */
  faultOf(method: string, target: string, { status, headers, text }: Received): string | null {
    const path = target.split('?')[0] ?? '';
    const found = this.operations.find((one) => one.method === method && one.path.test(path));
    if (found === undefined) return null;
    const where = `${method} ${found.template} answered ${status}`;
    const response = found.operation.responses[status] as Part | undefined;
    if (response === undefined) return `${where}, which the contract does not tell of: ${text.slice(0, 300)}`;
    const missing = Object.entries(response.headers as Part).find(([name, header]) =>
      this.isMissing(header as Part, headers[name.toLowerCase()]),
    );
    if (missing !== undefined) return `${where} without the header ${missing[0]}`;
    const schema = response.content?.['application/json']?.schema as Part | undefined;
    if (schema === undefined || text === '') return null;
    const validate = this.validator(`${method} ${found.template} ${status}`, schema);
    return validate(JSON.parse(text)) ? null : `${where}: ${this.ajv.errorsText(validate.errors?.slice(0, 4))}\n${text.slice(0, 2000)}`;
  }

  /** Whether a value is what a schema of the document says, and nothing besides. */
  faultOfValue(name: string, schema: Part, value: unknown): string | null {
    const validate = this.validator(name, schema);
    return validate(value) ? null : this.ajv.errorsText(validate.errors?.slice(0, 4));
  }

  private isMissing(header: Part, value: unknown): boolean {
    const name = /^#\/components\/headers\/(.*)$/.exec(String(header.$ref))?.[1];
    const told = name === undefined ? header : (this.document.components.headers[name] as Part);
    return told.required === true && value === undefined;
  }

  private validator(name: string, schema: Part): ValidateFunction {
    const known = this.validators.get(name);
    if (known !== undefined) return known;
    const made = this.ajv.compile(JSON.parse(JSON.stringify(exact(schema)).replaceAll('"#/components', '"document#/components')) as Part);
    this.validators.set(name, made);
    return made;
  }
}

/** Objects hold what is told and nothing else: a document leaves room for fields, values and codes to come, today's answers have none. */
function exact(schema: Part): Part {
  if (Array.isArray(schema)) return schema.map((item) => (typeof item === 'object' && item !== null ? exact(item as Part) : item)) as Part;
  const told = schema.anyOf === undefined ? schema : { ...schema, anyOf: withoutLater(schema.anyOf as Part[]) };
  const inside = Object.fromEntries(
    Object.entries(told).map(([key, value]) => [key, typeof value === 'object' && value !== null ? exact(value as Part) : value]),
  );
  const isObject = inside.type === 'object' && inside.properties !== undefined && inside.additionalProperties === undefined;
  return isObject ? { ...inside, additionalProperties: false } : inside;
}

/** The alternatives without what stands for values and codes to come (ruling 74). */
function withoutLater(alternatives: Part[]): Part[] {
  const hasEnum = alternatives.some((one) => one.enum !== undefined);
  return alternatives.filter(
    (one) => one.$ref !== '#/components/schemas/OtherError' && !(hasEnum && one.type === 'string' && one.enum === undefined),
  );
}

let contracts: { trade: Contract; studio: Contract } | undefined;

/** Both contracts, made when they are first needed. */
export const contractOf = (api: 'trade' | 'studio'): Contract =>
  (contracts ??= { trade: new Contract(tradeDocument()), studio: new Contract(studioDocument()) })[api];

/** Every answer that a test receives goes through here. @throws Error where it is not what the contract tells */
export function holdToContract(api: 'trade' | 'studio', method: string, target: string, received: Received): void {
  const fault = contractOf(api).faultOf(method, target, received);
  if (fault !== null) throw new Error(`not as the contract of the ${api} API tells: ${fault}`);
}

const { prototype } = ServerResponse;
const watchers = new Set<string[]>();
const ended = prototype.end;

/**
 * Holds whatever the APIs of this process answer, whoever asked and however, until it is called again: then it tells what was not as the
 * contract says.
 */
export function watchAnswers(): () => string[] {
  const faults: string[] = [];
  watchers.add(faults);
  prototype.end = function (this: ServerResponse<IncomingMessage>, ...given: never[]) {
    const fault = faultOfAnswer(this, given[0]);
    if (fault !== null) for (const watching of watchers) watching.push(fault);
    return ended.apply(this, given as unknown as Parameters<typeof ended>);
  } as typeof prototype.end;
  return () => {
    watchers.delete(faults);
    if (watchers.size === 0) prototype.end = ended;
    return faults;
  };
}

/** A body that is sent at once, as its client reads it. */
function textOf(response: ServerResponse, body: unknown): string | null {
  if (typeof body === 'string') return body;
  const encoding = response.getHeader('content-encoding');
  if (!Buffer.isBuffer(body) || !String(response.getHeader('content-type')).startsWith('application/json')) return null;
  if (encoding === undefined) return body.toString('utf8');
  return (encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString('utf8');
}

function faultOfAnswer(response: ServerResponse<IncomingMessage>, body: unknown): string | null {
  const [, api, target] = /^(\/studio\/v1|\/v1)(\/.*)$/.exec(response.req.url ?? '') ?? [];
  if (api === undefined || target === undefined) return null;
  const text = textOf(response, body);
  if (text === null) return null;
  const headers = response.getHeaders() as Received['headers'];
  return contractOf(api === '/v1' ? 'trade' : 'studio').faultOf(response.req.method ?? '', target, {
    status: response.statusCode,
    headers,
    text,
  });
}
