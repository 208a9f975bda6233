import { request, type Dispatcher } from 'undici';
import type { Login } from './login';
import { CommandFailure, EXIT, errorMessage } from './errors';
import { safeText } from './safe-text';

type Query = Readonly<Record<string, string | undefined>>;
export interface ApiCall {
  method: Dispatcher.HttpMethod;
  /** Below `/studio/v1`, its segments encoded. */
  path: string;
  query?: Query;
  body?: object;
}
interface Page {
  data: unknown;
  nextCursor?: string | null;
}
interface ApiResponse extends Page {
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
    // What to do is the same as where nobody answers: try again later.
    super(safeText(`${code}: ${message}`), status === 429 || status >= 500 ? EXIT.unreachable : EXIT.refused);
  }
}

/** The API tells programs which header to send. */
const TOKEN_REFUSED_MESSAGE =
  'the service takes no such token; `trade-print login` keeps another one, and STUDIO_TOKEN, where it is set, comes before that';

/** Resending a failed webhook waits for nothing; pinging, pricing again and erasing take their time. */
const TIMEOUT_MS = 120_000;

export class StudioClient {
  constructor(private readonly login: Login) {}

  /** `data` of the answer, and of a list where it goes on. @throws CommandProblem; Refusal with the API's code and message */
  async send(call: ApiCall, signal?: AbortSignal): Promise<Page> {
    const { statusCode, bytes } = await this.exchange(call, 'application/json', signal);
    const response = parseResponse(bytes.toString());
    if (statusCode >= 300 || response === null) throw this.toFailure(statusCode, response);
    return response;
  }

  /** A document as it is. @throws CommandProblem */
  async file(call: ApiCall): Promise<Buffer> {
    const { statusCode, bytes } = await this.exchange(call, '*/*');
    if (statusCode >= 300) throw this.toFailure(statusCode, parseResponse(bytes.toString()));
    return bytes;
  }

  /** Every row of a list, page after page, `most` at most. Ends with whether there is more. */
  async *rows(call: ApiCall, maxRows: number): AsyncGenerator<unknown, boolean> {
    let cursor: string | null = null;
    for (let remaining = maxRows; remaining > 0;) {
      const limit = String(Math.min(remaining, 100));
      const page: Page = await this.send({ ...call, query: { ...call.query, limit, ...(cursor === null ? {} : { cursor }) } });
      const rows = Array.isArray(page.data) ? page.data : [];
      yield* rows;
      remaining -= rows.length;
      cursor = page.nextCursor ?? null;
      if (cursor === null || rows.length === 0) return false;
    }
    return cursor !== null;
  }

  private async exchange({ method, path, query = {}, body }: ApiCall, accept: string, signal?: AbortSignal) {
    const url = new URL(`${this.login.url}/studio/v1${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    try {
      const response = await request(url, {
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
      return { statusCode: response.statusCode, bytes: Buffer.from(await response.body.arrayBuffer()) };
    } catch (error) {
      throw new CommandFailure(
        `the studio API at ${this.login.url} cannot be reached (${safeText(errorMessage(error))}); STUDIO_URL or --studio says where it is`,
        EXIT.unreachable,
      );
    }
  }

  private toFailure(status: number, response: ApiResponse | null): CommandFailure {
    if (!response?.error)
      return new CommandFailure(`${this.login.url} answered ${status}, and not as the studio API does`, EXIT.unreachable);
    const { code, details } = response.error;
    const message = code === 'UNAUTHORIZED' ? TOKEN_REFUSED_MESSAGE : response.error.message;
    return new Refusal(status, code, message, Array.isArray(details?.issues) ? (details.issues as Issue[]) : []);
  }
}

function parseResponse(text: string): ApiResponse | null {
  try {
    const response: unknown = JSON.parse(text);
    return typeof response === 'object' && response !== null && 'data' in response && 'error' in response
      ? (response as ApiResponse)
      : null;
  } catch {
    return null;
  }
}
