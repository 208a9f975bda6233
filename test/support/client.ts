import { request as undiciRequest, type Dispatcher } from 'undici';
import { assertContract } from './contract';

export interface Reply<T = any> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body as text. For an aborted event stream it is empty. */
  text: string;
  /** The body as JSON; null if it is empty or a CSV file. */
  json: { data: T; error: { code: string; message: string; details?: any } | null; nextCursor?: string | null };
}

/** Real HTTP against a base URL with a bearer credential. Every response of an API is compared with its contract. */
export class HttpClient {
  constructor(
    readonly baseUrl: string,
    private readonly credential?: string,
  ) {}

  get<T = any>(path: string, headers: Record<string, string> = {}): Promise<Reply<T>> {
    return this.send('GET', path, undefined, headers);
  }

  post<T = any>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
    return this.send('POST', path, body, headers);
  }

  /** A string or Buffer body is sent unchanged, and any other value as JSON. */
  async send<T = any>(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<T>> {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
    const reply = await undiciRequest(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(this.credential === undefined ? {} : { authorization: `Bearer ${this.credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isRaw ? ((body as string | Buffer | undefined) ?? null) : JSON.stringify(body),
    });
    const isEventStream = method !== 'HEAD' && reply.headers['content-type'] === 'text/event-stream';
    const text = isEventStream ? '' : await reply.body.text();
    if (isEventStream) reply.body.on('error', () => undefined).destroy();
    const isDocument = /^(text\/csv|application\/pdf)/.test(String(reply.headers['content-type']));
    const api = /(\/studio)?\/v1$/.exec(this.baseUrl);
    if (api !== null)
      assertContract(api[1] === undefined ? 'trade' : 'studio', method, path, { status: reply.statusCode, headers: reply.headers, text });
    return { status: reply.statusCode, headers: reply.headers, text, json: text === '' || isDocument ? (null as never) : JSON.parse(text) };
  }
}
