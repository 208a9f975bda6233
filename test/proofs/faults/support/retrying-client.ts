import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../support/random';

export interface ReceivedAnswer {
  status: number;
  text: string;
  retryAfter: string | null;
}

export interface ClientCall {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  /** Called for each try: another key of the same account may repeat a request. */
  credential: () => string;
  headers?: Record<string, string>;
  body?: object;
}

/** A try, and whether it was lost or answered 5xx. */
export interface FinishedTry {
  sentAt: number;
  endedAt: number;
  failed: boolean;
}

/** Failures during a run, for its report. */
export interface RequestCounts {
  requests: number;
  faults: number;
  lost: number;
  waits: number;
}

export const createCounts = (): RequestCounts => ({ requests: 0, faults: 0, lost: 0, waits: 0 });

/** A client gives up later than this only because the service is slow. */
const PATIENCE_MS = 20_000;

/** A client that follows the specification: it repeats a request until it gets a final response. */
export class RetryingClient {
  readonly counts = createCounts();
  /** All tries, without those that an impatient client gave up. */
  readonly tries: FinishedTry[] = [];

  constructor(
    private readonly random: Random,
    private readonly giveUpMs: number,
    private readonly onProblem: (problem: string) => void,
  ) {}

  /**
   * Repeats a request until the response is 2xx or a final 4xx.
   * @throws Error when that exceeds its time limit
   */
  async send(call: ClientCall): Promise<ReceivedAnswer> {
    const deadline = Date.now() + this.giveUpMs;
    for (;;) {
      const answer = await this.sendOnce(call, this.random.chance(0.1) ? this.random.between(30, 800) : PATIENCE_MS);
      if (answer !== null && isFinal(answer)) return answer;
      if (Date.now() > deadline)
        throw new Error(
          `${call.method} ${new URL(call.url).pathname}: no final answer within ${this.giveUpMs / 1000} s; the last: ${answer?.status ?? 'none'} ${answer?.text ?? ''}`,
        );
      await delay(this.random.between(100, 700));
    }
  }

  /** Any random number from this client's own seed. */
  pick<T>(choices: readonly T[]): T {
    return this.random.pick(choices);
  }

  /** One try; null if no complete response arrived. */
  async sendOnce({ method, url, credential, headers, body }: ClientCall, timeoutMs: number): Promise<ReceivedAnswer | null> {
    this.counts.requests += 1;
    const sentAt = Date.now();
    const record = (failed: boolean): void => void this.tries.push({ sentAt, endedAt: Date.now(), failed });
    try {
      const reply = await fetch(url, {
        method,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { authorization: `Bearer ${credential()}`, ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer = { status: reply.status, text: await reply.text(), retryAfter: reply.headers.get('retry-after') };
      record(answer.status >= 500);
      this.countAnswer(`${method} ${new URL(url).pathname}`, answer);
      return answer;
    } catch (error) {
      this.counts.lost += 1;
      if ((error as Error).name !== 'TimeoutError' || timeoutMs >= PATIENCE_MS) record(true);
      return null;
    }
  }

  private countAnswer(what: string, answer: ReceivedAnswer): void {
    if (answer.status >= 500) this.counts.faults += 1;
    else if (!isFinal(answer)) this.counts.waits += 1;
    if (answer.status >= 400 && codeOf(answer) === '')
      this.onProblem(`${what} answered ${answer.status} outside the envelope: ${answer.text.slice(0, 200)}`);
  }
}

/** The error's code, or '' if the body is not the envelope. */
export function codeOf({ text }: Pick<ReceivedAnswer, 'text'>): string {
  try {
    const body = JSON.parse(text) as { data: null; error: { code?: unknown; message?: unknown } | null };
    return body.data === null && typeof body.error?.message === 'string' && typeof body.error.code === 'string' ? body.error.code : '';
  } catch {
    return '';
  }
}

function isFinal(answer: ReceivedAnswer): boolean {
  if (answer.status >= 500 || answer.status === 429) return false;
  return !(answer.status === 409 && codeOf(answer) === 'IDEMPOTENCY_KEY_REUSED' && answer.retryAfter !== null);
}
