import { parseResponse, toError, parsePdf, type ApiResponse, type BufferedResponse } from './response.js';
import { Deadline } from './deadline.js';
import { ConnectionError } from './errors.js';
import type { Fetch, FetchInit, RequestOptions, Settings } from './options.js';
import { withRetries, type RetryCondition } from './retry.js';
import { isNode, randomId } from './runtime.js';
import { readBody, type Bytes, MAX_RESPONSE_BYTES } from './body.js';
import { VERSION } from './version.js';

/** One API call. */
interface ApiCall {
  method: 'GET' | 'POST' | 'PATCH';
  /** Path below the base URL, with escaped ids. */
  path: string;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** Content type of the response. Default: JSON. */
  accept?: string;
  /** ETag of the caller's copy. `data` is null if the resource has not changed. */
  ifNoneMatch?: string | undefined;
  /** Which failures to retry. Default: all transient failures. */
  retryCondition?: RetryCondition;
}

type Query = NonNullable<ApiCall['query']>;
/** Options of `fetch` without the signal, which comes from the call's deadline. */
export type RequestInitOptions = Omit<FetchInit, 'signal'>;

/** Sends calls, retries transient failures and unwraps the response envelope. */
export class Transport {
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** Returns the resource of a response. @throws TradePrintError, or the signal's reason */
  async data<T>(call: ApiCall, options: RequestOptions = {}): Promise<T> {
    return (await this.request<T>(call, options)).data;
  }

  /** Returns the resource with `nextCursor` and `etag`. */
  request<T>(call: ApiCall, options: RequestOptions = {}): Promise<ApiResponse<T>> {
    return this.#read(call, options, (read) => {
      if (call.ifNoneMatch === undefined || read.response.status !== 304) return parseResponse<T>(read);
      return { data: null as T, etag: call.ifNoneMatch };
    });
  }

  /** Returns the bytes of a PDF. */
  requestPdf(call: ApiCall, options: RequestOptions = {}): Promise<Bytes> {
    return this.#read({ ...call, accept: 'application/pdf, application/json' }, options, parsePdf);
  }

  async #read<T>(call: ApiCall, options: RequestOptions, parse: (read: BufferedResponse) => T): Promise<T> {
    const { baseUrl, fetch, maxRetries } = this.settings;
    const requestId = options.requestId ?? randomId();
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

  /** Created once for a call, so all retries send the same idempotency key. */
  #init(
    { method, body, ifNoneMatch, accept = 'application/json' }: ApiCall,
    { idempotencyKey }: RequestOptions,
    requestId: string,
  ): RequestInitOptions {
    const headers: Record<string, string> = {
      accept,
      authorization: `Bearer ${this.settings.apiKey}`,
      'service-request-id': checkHeaderValue('requestId', requestId),
      // Not sent by browsers, because the CORS preflight would have to allow it.
      ...(isNode ? { 'user-agent': `trade-print-client/${VERSION}` } : {}),
    };
    if (method !== 'GET') headers['idempotency-key'] = checkHeaderValue('idempotencyKey', idempotencyKey ?? randomId());
    if (ifNoneMatch !== undefined) headers['if-none-match'] = checkHeaderValue('etag', ifNoneMatch);
    if (body !== undefined) headers['content-type'] = 'application/json';
    // The service never redirects. A redirect is reported as an unexpected response.
    return { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  }
}

/** @throws TypeError if a header cannot hold the value, such as a line break. The error of `Headers` would contain the value */
function checkHeaderValue(option: string, value: string): string {
  if (typeof value === 'string' && !/[^\t\x20-\x7e\x80-\xff]/.test(value)) return value;
  throw new TypeError(`${option} must contain only characters that an HTTP header allows`);
}

/**
 * Sends one request and reads the complete response.
 * @throws ConnectionError, TimeoutError, TradePrintError if the response is too long, or the signal's reason
 */
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
  const message = `no response from ${new URL(url).origin}: ${reason}`;
  return new ConnectionError({ code: 'CONNECTION_ERROR', message, status: null, requestId, cause });
}

/** `fetch` stores the reason in `cause`, which may have only a code. `instanceof` is not used, because errors of other realms fail it. */
function errorMessageOf(error: unknown): string | null {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  return ([message, code].find((text) => typeof text === 'string' && text !== '') as string | undefined) ?? null;
}

function toQueryString(query: Query): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

/** Escapes an id for a path. @throws TypeError for an empty id, and for `.` and `..`, which would change the path */
export function toPathSegment(id: string): string {
  if (typeof id !== 'string' || id === '') throw new TypeError('the id is missing');
  if (/^\.{1,2}$/.test(id)) throw new TypeError(`the id must not be ${id}`);
  return encodeURIComponent(id);
}
