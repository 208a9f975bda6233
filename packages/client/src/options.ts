/** What the client passes to `fetch`. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  redirect: 'manual';
  signal: AbortSignal;
  // Every fetch declares its own type of body.
  // oxlint-disable-next-line typescript/no-explicit-any
  body?: any;
  /** Set with a streamed body. */
  duplex?: 'half';
}

/** What the client reads of an answer. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: object | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Anything that does what the standard `fetch` does: the global one, or undici's. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface ClientOptions {
  /** `lpk_test_…` or `lpk_live_…`. It opens the whole account: keep it on a server, not in a public page. */
  apiKey: string;
  /** The service's base address, which ends in `/v1`. Default: where `npm start` of the service listens, `http://127.0.0.1:8080/v1`. */
  baseUrl?: string | undefined;
  /** Instead of the global `fetch`: a proxy's, a test's. */
  fetch?: Fetch | undefined;
  /** How long a call may take in all, repeats and waits included, in ms. Default 60,000; an upload has two hours. */
  timeoutMs?: number | undefined;
  /** How often a call that failed is repeated at most. Default 3; 0: never. */
  maxRetries?: number | undefined;
}

/** What every call takes beside its own input. */
export interface RequestOptions {
  /** Ends the call at once, waits between repeats too; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  timeoutMs?: number | undefined;
  /** Of a POST or PATCH: instead of a random one. The same key with the same body never orders or changes twice, for 24 hours. */
  idempotencyKey?: string | undefined;
  /** Names the call in the service's log, 1 to 64 of `A-Z a-z 0-9 . _ -`. Default: a random one. Errors carry it. */
  requestId?: string | undefined;
}

/** The client's options with every default in its place. */
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

/** @throws TypeError for an option that cannot be meant. */
export function createSettings(options: ClientOptions): Settings {
  const { apiKey, baseUrl = 'http://127.0.0.1:8080/v1', timeoutMs, maxRetries = 3 } = options;
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new TypeError('maxRetries takes a whole number from 0');
  return {
    apiKey: parseApiKey(apiKey),
    baseUrl: parseBaseUrl(baseUrl),
    // Called as a bare function: browsers refuse a fetch that is called as somebody's method.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: parseTimeoutMs(timeoutMs ?? DEFAULT_TIMEOUT_MS),
    uploadTimeoutMs: parseTimeoutMs(timeoutMs ?? DEFAULT_UPLOAD_TIMEOUT_MS),
    maxRetries,
  };
}

/** @throws TypeError where it is no duration, or longer than a timer takes. */
export function parseTimeoutMs(timeoutMs: number): number {
  if (!(timeoutMs > 0 && timeoutMs <= 2_147_483_647)) throw new TypeError('timeoutMs takes milliseconds, more than 0');
  return timeoutMs;
}

/** Spaces around it are of pasting. @throws TypeError for what no header can hold, without the key: messages go into logs */
function parseApiKey(apiKey: string): string {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey takes the lpk_ text that the studio issued');
  return key;
}

/** @throws TypeError for what is no address of the API, without the address: it may hold a password */
function parseBaseUrl(baseUrl: string): string {
  const address = String(baseUrl).replace(/(?<!\/)\/+$/, '');
  const url = /^https?:\/\/.+\/v1$/.test(address) ? parseUrl(address) : null;
  if (url === null) throw new TypeError('baseUrl takes the address of the API, such as https://print.example/v1');
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl takes no user and no password: fetch refuses them');
  return address;
}

function parseUrl(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
