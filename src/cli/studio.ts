import { request } from 'undici';

/** What stopped a command, in words for the person at the terminal. */
export class CommandProblem extends Error {}

/** The studio API as the command line calls it: `STUDIO_URL` and `STUDIO_TOKEN`. */
export class StudioClient {
  private readonly origin: string;
  private readonly token: string;

  /** @throws CommandProblem where there is no token */
  constructor(env: Record<string, string | undefined>) {
    this.origin = (env.STUDIO_URL || 'http://127.0.0.1:8081').replace(/\/+$/, '');
    if (!env.STUDIO_TOKEN)
      throw new CommandProblem(
        'STUDIO_TOKEN is not set; it takes a studio token (npm start keeps the admin token in DATA_DIR/admin-token)',
      );
    this.token = env.STUDIO_TOKEN;
  }

  /** `data` of the answer. @throws CommandProblem with the refusal's code and message */
  async post<T>(path: string, body: object): Promise<T> {
    const { statusCode, text } = await this.send(path, body);
    const answer = parsed(text);
    if (statusCode < 300 && answer !== null) return answer.data as T;
    throw new CommandProblem(
      answer?.error
        ? `${answer.error.code}: ${answer.error.message}`
        : `${this.origin} answered ${statusCode}, and not as the studio API does`,
    );
  }

  private async send(path: string, body: object): Promise<{ statusCode: number; text: string }> {
    try {
      const answer = await request(`${this.origin}/studio/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { statusCode: answer.statusCode, text: await answer.body.text() };
    } catch (error) {
      throw new CommandProblem(
        `the studio API at ${this.origin} cannot be reached (${error instanceof Error ? error.message : String(error)}); STUDIO_URL says where it is`,
      );
    }
  }
}

function parsed(text: string): { data: unknown; error: { code: string; message: string } | null } | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'data' in answer && 'error' in answer
      ? (answer as ReturnType<typeof parsed>)
      : null;
  } catch {
    return null;
  }
}
