import { request, type Dispatcher } from 'undici';
import type { Login } from './login';
import { CommandProblem, EXIT, errorMessage } from './problems';
import { safeText } from './safe-text';

type Query = Readonly<Record<string, string | undefined>>;
export interface Call {
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
interface ApiAnswer extends Page {
  error: { code: string; message: string; details?: { issues?: unknown } } | null;
}
interface Issue {
  path: string;
  message: string;
}

export class Refusal extends CommandProblem {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly issues: readonly Issue[],
  ) {
    // What to do is the same as where nobody answers: try again later.
    super(safeText(`${code}: ${message}`), status === 429 || status >= 500 ? EXIT.notReached : EXIT.refused);
  }
}

/** The API tells programs which header to send. */
const NO_SUCH_TOKEN =
  'the service takes no such token; `trade-print login` keeps another one, and STUDIO_TOKEN, where it is set, comes before that';

/** Resending a failed webhook waits for nothing; pinging, pricing again and erasing take their time. */
const PATIENCE_MS = 120_000;

export class StudioClient {
  constructor(private readonly login: Login) {}

  /** `data` of the answer, and of a list where it goes on. @throws CommandProblem; Refusal with the API's code and message */
  async send(call: Call, signal?: AbortSignal): Promise<Page> {
    const { statusCode, bytes } = await this.exchange(call, 'application/json', signal);
    const answer = parsed(bytes.toString());
    if (statusCode >= 300 || answer === null) throw this.refused(statusCode, answer);
    return answer;
  }

  /** A document as it is. @throws CommandProblem */
  async file(call: Call): Promise<Buffer> {
    const { statusCode, bytes } = await this.exchange(call, '*/*');
    if (statusCode >= 300) throw this.refused(statusCode, parsed(bytes.toString()));
    return bytes;
  }

  /** Every row of a list, page after page, `most` at most. Ends with whether there is more. */
  async *rows(call: Call, most: number): AsyncGenerator<unknown, boolean> {
    let cursor: string | null = null;
    for (let left = most; left > 0;) {
      const limit = String(Math.min(left, 100));
      const page: Page = await this.send({ ...call, query: { ...call.query, limit, ...(cursor === null ? {} : { cursor }) } });
      const rows = Array.isArray(page.data) ? page.data : [];
      yield* rows;
      left -= rows.length;
      cursor = page.nextCursor ?? null;
      if (cursor === null || rows.length === 0) return false;
    }
    return cursor !== null;
  }

  private async exchange({ method, path, query = {}, body }: Call, accept: string, signal?: AbortSignal) {
    const url = new URL(`${this.login.url}/studio/v1${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    try {
      const answer = await request(url, {
        method,
        headers: {
          authorization: `Bearer ${this.login.token}`,
          accept,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        headersTimeout: PATIENCE_MS,
        bodyTimeout: PATIENCE_MS,
        signal: signal ?? null,
      });
      return { statusCode: answer.statusCode, bytes: Buffer.from(await answer.body.arrayBuffer()) };
    } catch (error) {
      throw new CommandProblem(
        `the studio API at ${this.login.url} cannot be reached (${safeText(errorMessage(error))}); STUDIO_URL or --studio says where it is`,
        EXIT.notReached,
      );
    }
  }

  private refused(status: number, answer: ApiAnswer | null): CommandProblem {
    if (!answer?.error) return new CommandProblem(`${this.login.url} answered ${status}, and not as the studio API does`, EXIT.notReached);
    const { code, details } = answer.error;
    const message = code === 'UNAUTHORIZED' ? NO_SUCH_TOKEN : answer.error.message;
    return new Refusal(status, code, message, Array.isArray(details?.issues) ? (details.issues as Issue[]) : []);
  }
}

function parsed(text: string): ApiAnswer | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'data' in answer && 'error' in answer ? (answer as ApiAnswer) : null;
  } catch {
    return null;
  }
}
