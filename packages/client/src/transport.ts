import { parseResponse, toError, parsePdf, type ApiResponse, type BufferedResponse } from './response.js';
import { Deadline } from './deadline.js';
import { ConnectionError } from './errors.js';
import type { Fetch, FetchInit, RequestOptions, Settings } from './options.js';
import { withRetries, type RetryCondition } from './retry.js';
import { isNode } from './runtime.js';
import { readBody, MAX_RESPONSE_BYTES } from './body.js';
import { VERSION } from './version.js';

/** One call as its resource says it. */
interface ApiCall {
  method: 'GET' | 'POST' | 'PATCH';
  /** Below the base address, its ids escaped. */
  path: string;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** The content type that it answers; JSON unless it is named. */
  accept?: string;
  /** The ETag of what the caller has. The answer's `data` is null while it is the same. */
  ifNoneMatch?: string | undefined;
  /** Which failures are repeated: all that may pass (the default), or those alone after which the service has done nothing. */
  retryCondition?: RetryCondition;
}

type Query = NonNullable<ApiCall['query']>;
/** The deadline of the call adds its signal. */
export type RequestInitOptions = Omit<FetchInit, 'signal'>;

/** Sends calls, repeats those that failed for a passing reason, and takes the envelope apart. */
export class Transport {
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** The resource that a call answers. @throws TradePrintError, or the signal's reason */
  async data<T>(call: ApiCall, options: RequestOptions = {}): Promise<T> {
    return (await this.request<T>(call, options)).data;
  }

  /** The same with `nextCursor` and `etag`. */
  request<T>(call: ApiCall, options: RequestOptions = {}): Promise<ApiResponse<T>> {
    return this.#read(call, options, (read) => {
      if (call.ifNoneMatch === undefined || read.response.status !== 304) return parseResponse<T>(read);
      return { data: null as T, etag: call.ifNoneMatch };
    });
  }

  /** The bytes of a call that answers a PDF. */
  requestPdf(call: ApiCall, options: RequestOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return this.#read({ ...call, accept: 'application/pdf, application/json' }, options, parsePdf);
  }

  async #read<T>(call: ApiCall, options: RequestOptions, parse: (read: BufferedResponse) => T): Promise<T> {
    const { baseUrl, fetch, maxRetries } = this.settings;
    const requestId = options.requestId ?? crypto.randomUUID();
    const init = this.#init(call, options, requestId);
    const url = `${baseUrl}${call.path}${toQueryString(call.query ?? {})}`;
    const deadline = new Deadline({ signal: options.signal, timeoutMs: options.timeoutMs ?? this.settings.timeoutMs, requestId });
    try {
      const attempt = async (): Promise<T> => parse(await send(fetch, url, init, deadline, requestId));
      return await withRetries(attempt, { maxRetries, deadline, retryCondition: call.retryCondition });
    } finally {
      deadline.release();
    }
  }

  /** Made once for a call: a repeat carries the same key, so that the service knows it for one. */
  #init(
    { method, body, ifNoneMatch, accept = 'application/json' }: ApiCall,
    { idempotencyKey }: RequestOptions,
    requestId: string,
  ): RequestInitOptions {
    const headers: Record<string, string> = {
      accept,
      authorization: `Bearer ${this.settings.apiKey}`,
      'service-request-id': checkHeaderValue('requestId', requestId),
      // In a page it would be one more header to ask permission for.
      ...(isNode ? { 'user-agent': `trade-print-client/${VERSION}` } : {}),
    };
    if (method !== 'GET') headers['idempotency-key'] = checkHeaderValue('idempotencyKey', idempotencyKey ?? crypto.randomUUID());
    if (ifNoneMatch !== undefined) headers['if-none-match'] = checkHeaderValue('etag', ifNoneMatch);
    if (body !== undefined) headers['content-type'] = 'application/json';
    // A redirect is somebody else's: it is shown, not followed.
    return { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  }
}

/** @throws TypeError for what no header can hold, such as a line break: no repeat would help. Headers' own message repeats the value */
function checkHeaderValue(option: string, value: string): string {
  if (typeof value === 'string' && !/[^\t\x20-\x7e\x80-\xff]/.test(value)) return value;
  throw new TypeError(`${option} takes text that a header can hold`);
}

/** Sends once and reads the whole answer. @throws ConnectionError, TimeoutError, TradePrintError for one too long, the signal's reason */
export async function send(
  fetch: Fetch,
  url: string,
  init: RequestInitOptions,
  deadline: Deadline,
  requestId: string,
): Promise<BufferedResponse> {
  const { response, bytes } = await fetchBuffered(fetch, url, init, deadline, requestId);
  if (bytes === null) throw toError({ response, text: `more than ${MAX_RESPONSE_BYTES} bytes`, requestId });
  return { response, bytes, text: new TextDecoder().decode(bytes), requestId };
}

async function fetchBuffered(fetch: Fetch, url: string, init: RequestInitOptions, deadline: Deadline, requestId: string) {
  deadline.throwIfOver();
  try {
    const response = await fetch(url, { ...init, signal: deadline.signal });
    return { response, bytes: await readBody(response) };
  } catch (cause) {
    deadline.throwIfOver();
    throw connectionError(url, cause, requestId);
  }
}

function connectionError(url: string, cause: unknown, requestId: string): ConnectionError {
  const reason = errorMessageOf((cause as { cause?: unknown } | null)?.cause) ?? errorMessageOf(cause) ?? String(cause);
  const message = `no answer from ${new URL(url).origin}: ${reason}`;
  return new ConnectionError({ code: 'CONNECTION_ERROR', message, status: null, requestId, cause });
}

/** fetch hides the reason one level down; some reasons have a code alone. By their looks: errors of another realm are no `Error` here. */
function errorMessageOf(error: unknown): string | null {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  return ([message, code].find((text) => typeof text === 'string' && text !== '') as string | undefined) ?? null;
}

function toQueryString(query: Query): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

/** An id in a path. @throws TypeError for none, and for dots: the path would name another endpoint */
export function toPathSegment(id: string): string {
  if (typeof id !== 'string' || id === '') throw new TypeError('an id is missing');
  if (/^\.{1,2}$/.test(id)) throw new TypeError(`${id} is no id`);
  return encodeURIComponent(id);
}
