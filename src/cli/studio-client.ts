import { request, type Dispatcher } from 'undici';
import type { Login } from './login';
import { CommandFailure, EXIT, errorMessage } from './errors';
import { safeText } from './safe-text';

export interface ApiCall {
  method: Dispatcher.HttpMethod;
  /** The path below `/studio/v1`, with encoded segments. */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
}
interface ApiResponse {
  data: unknown;
  nextCursor?: string | null;
  error: { code: string; message: string; details?: { issues?: unknown } } | null;
}
interface Issue {
  path: string;
  message: string;
}

export class Refusal extends CommandFailure {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly issues: readonly Issue[],
  ) {
    // A later retry may succeed, as with an unreachable service.
    super(safeText(`${code}: ${message}`), status === 429 || status >= 500 ? EXIT.unreachable : EXIT.refused);
  }
}

/** Replaces the message of the API, which names an HTTP header. */
const TOKEN_REFUSED_MESSAGE =
  'the service refused the token; run `trade-print login` to store another one, or change STUDIO_TOKEN, which overrides the login';

/** Long enough for pings, price trials and erasure. */
const TIMEOUT_MS = 120_000;

export class StudioClient {
  constructor(private readonly login: Login) {}

  /** The `data` of the response, and the cursor of a list. @throws CommandFailure; Refusal with the code and message of the API */
  async send(call: ApiCall, signal?: AbortSignal): Promise<ApiResponse> {
    const { statusCode, bytes } = await this.exchange(call, 'application/json', signal);
    const response = parseResponse(bytes.toString());
    if (statusCode >= 300 || response === null) throw this.toFailure(statusCode, response);
    return response;
  }

  /** The bytes of a file. @throws CommandFailure */
  async file(call: ApiCall): Promise<Buffer> {
    const { statusCode, bytes } = await this.exchange(call, '*/*');
    if (statusCode >= 300) throw this.toFailure(statusCode, parseResponse(bytes.toString()));
    return bytes;
  }

  /** Passes on the bytes of a file as they arrive. @throws CommandFailure, or the error of `receive` */
  async download(call: ApiCall, signal: AbortSignal, receive: (chunks: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
    const { statusCode, body } = await this.start(call, '*/*', signal);
    if (statusCode >= 300) throw this.toFailure(statusCode, parseResponse(await body.text()));
    await receive(this.namingFailures(body));
  }

  private async *namingFailures(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* chunks;
    } catch (error) {
      throw this.unreachable(error);
    }
  }

  /** The rows of all pages up to a limit, and whether more exist; with the limit 0 all rows of a list without pages. */
  async list(call: ApiCall, maxRows: number): Promise<{ rows: unknown[]; hasMore: boolean }> {
    const rows: unknown[] = [];
    let cursor: string | null = null;
    do {
      const limit = String(Math.min(maxRows - rows.length, 100));
      const query = { ...call.query, ...(maxRows === 0 ? {} : { limit }), ...(cursor === null ? {} : { cursor }) };
      const page: ApiResponse = await this.send({ ...call, query });
      rows.push(...(page.data as unknown[]));
      cursor = page.nextCursor ?? null;
    } while (cursor !== null && rows.length < maxRows);
    return { rows, hasMore: cursor !== null };
  }

  private async exchange(call: ApiCall, accept: string, signal?: AbortSignal) {
    const { statusCode, body } = await this.start(call, accept, signal);
    try {
      return { statusCode, bytes: Buffer.from(await body.arrayBuffer()) };
    } catch (error) {
      throw this.unreachable(error);
    }
  }

  /** Sends the request and reads the head of the response. */
  private async start({ method, path, query = {}, body }: ApiCall, accept: string, signal?: AbortSignal) {
    const url = new URL(`${this.login.url}/studio/v1${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    try {
      return await request(url, {
        method,
        headers: {
          authorization: `Bearer ${this.login.token}`,
          accept,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        signal: signal ?? null,
      });
    } catch (error) {
      throw this.unreachable(error);
    }
  }

  private unreachable(error: unknown): CommandFailure {
    return new CommandFailure(
      `cannot reach the studio API at ${this.login.url} (${safeText(errorMessage(error))}); set its URL with STUDIO_URL or --studio`,
      EXIT.unreachable,
    );
  }

  private toFailure(status: number, response: ApiResponse | null): CommandFailure {
    if (!response?.error)
      return new CommandFailure(
        `${this.login.url} returned ${status} and is not the studio API; set its URL with STUDIO_URL or --studio`,
        EXIT.unreachable,
      );
    const { code, details } = response.error;
    const message = code === 'UNAUTHORIZED' ? TOKEN_REFUSED_MESSAGE : response.error.message;
    return new Refusal(status, code, message, Array.isArray(details?.issues) ? (details.issues as Issue[]) : []);
  }
}

function parseResponse(text: string): ApiResponse | null {
  try {
    const response = JSON.parse(text) as ApiResponse | null;
    return typeof response === 'object' && response !== null && 'data' in response && 'error' in response ? response : null;
  } catch {
    return null;
  }
}
