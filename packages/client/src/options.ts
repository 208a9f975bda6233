/** The options that the client passes to `fetch`. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  redirect: 'manual';
  signal: AbortSignal;
  // Each implementation of fetch declares a different body type.
  // oxlint-disable-next-line typescript/no-explicit-any
  body?: any;
  /** Set if the body is a stream. */
  duplex?: 'half';
}

/** The properties of a response that the client reads. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: object | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A function compatible with the standard `fetch`, such as the global one or undici's. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface ClientOptions {
  /** `lpk_test_…` or `lpk_live_…`. The key gives access to the account: keep it on a server and out of public pages. */
  apiKey: string;
  /** Base URL of the API; it ends in `/v1`. Default: `http://127.0.0.1:8080/v1`, where `npm start` of the service listens. */
  baseUrl?: string | undefined;
  /** Replaces the global `fetch`, for example to use a proxy or in tests. */
  fetch?: Fetch | undefined;
  /** Time limit of a call in milliseconds, including retries and waits. Default: 60,000, and two hours for uploads. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries of a failed call. Default: 3; 0 disables retries. */
  maxRetries?: number | undefined;
}

/** Options of every call. */
export interface RequestOptions {
  /** Aborts the call, also between retries. The call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Time limit of this call in milliseconds. Default: the client's. */
  timeoutMs?: number | undefined;
  /**
   * Idempotency key of a POST or PATCH. Default: a random one. For 24 hours, the service executes requests with the same key and body
   * once.
   */
  idempotencyKey?: string | undefined;
  /** Identifies the call in the service's log and in errors: 1 to 64 characters of `A-Z a-z 0-9 . _ -`. Default: a random one. */
  requestId?: string | undefined;
}

/** The client's options with all defaults applied. */
export interface Settings {
  apiKey: string;
  baseUrl: string;
  fetch: Fetch;
  timeoutMs: number;
  uploadTimeoutMs: number;
  maxRetries: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_UPLOAD_TIMEOUT_MS = 7_200_000;

/** @throws TypeError if an option has an invalid value */
export function createSettings(options: ClientOptions): Settings {
  const { apiKey, baseUrl = 'http://127.0.0.1:8080/v1', timeoutMs, maxRetries = 3 } = options;
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new TypeError('maxRetries must be a whole number of 0 or more');
  return {
    apiKey: parseApiKey(apiKey),
    baseUrl: parseBaseUrl(baseUrl),
    // Browsers throw if fetch is called as a method of another object.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: parseTimeoutMs(timeoutMs ?? DEFAULT_TIMEOUT_MS),
    uploadTimeoutMs: parseTimeoutMs(timeoutMs ?? DEFAULT_UPLOAD_TIMEOUT_MS),
    maxRetries,
  };
}

/** @throws TypeError if it is not a positive number, or longer than a timer supports */
export function parseTimeoutMs(timeoutMs: number): number {
  if (!(timeoutMs > 0 && timeoutMs <= 2_147_483_647))
    throw new TypeError('timeoutMs must be more than 0 and at most 2147483647 milliseconds');
  return timeoutMs;
}

/** Removes spaces from pasting. @throws TypeError if a header cannot hold the key. The message omits the key, because logs store messages */
function parseApiKey(apiKey: string): string {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey must be the complete key from the studio; it begins with lpk_');
  return key;
}

/** @throws TypeError if it is not a URL of the API. The message omits the URL, because it may contain a password */
function parseBaseUrl(baseUrl: string): string {
  const address = String(baseUrl).replace(/(?<!\/)\/+$/, '');
  const url = /^https?:\/\/.+\/v1$/.test(address) ? parseUrl(address) : null;
  if (url === null) throw new TypeError('baseUrl must be the URL of the API and end in /v1, such as https://print.example/v1');
  if (url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must not contain a user name or password, because fetch refuses them');
  return address;
}

function parseUrl(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
