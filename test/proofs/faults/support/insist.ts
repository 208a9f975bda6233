import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../support/random';

export interface Heard {
  status: number;
  text: string;
  retryAfter: string | null;
}

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  /** Asked for each try: another key of the same account may repeat a request. */
  credential: () => string;
  headers?: Record<string, string>;
  body?: object;
}

/** What was met on the way, for the report of a run. */
export interface Tally {
  requests: number;
  faults: number;
  lost: number;
  waits: number;
}

export const newTally = (): Tally => ({ requests: 0, faults: 0, lost: 0, waits: 0 });

/** A client as the specification wants it: the same request again until it hears a final answer. */
export class Insistence {
  readonly tally = newTally();

  constructor(
    private readonly random: Random,
    private readonly giveUpMs: number,
    private readonly complain: (problem: string) => void,
  ) {}

  /**
   * Sends until it hears 2xx or a 4xx that another try cannot change.
   * @throws Error when that takes longer than it may
   */
  async hear(call: Call): Promise<Heard> {
    const deadline = Date.now() + this.giveUpMs;
    for (;;) {
      const heard = await this.once(call, this.random.chance(0.1) ? this.random.between(30, 800) : 20_000);
      if (heard !== null && isFinal(heard)) return heard;
      if (Date.now() > deadline)
        throw new Error(
          `${call.method} ${new URL(call.url).pathname}: no final answer within ${this.giveUpMs / 1000} s; the last: ${heard?.status ?? 'none'} ${heard?.text ?? ''}`,
        );
      await delay(this.random.between(100, 700));
    }
  }

  /** Any of them, by this client's own numbers. */
  pick<T>(choices: readonly T[]): T {
    return this.random.pick(choices);
  }

  /** One try; null where no whole answer came. */
  async once({ method, url, credential, headers, body }: Call, patienceMs: number): Promise<Heard | null> {
    this.tally.requests += 1;
    try {
      const reply = await fetch(url, {
        method,
        signal: AbortSignal.timeout(patienceMs),
        headers: { authorization: `Bearer ${credential()}`, ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      const heard = { status: reply.status, text: await reply.text(), retryAfter: reply.headers.get('retry-after') };
      this.judge(`${method} ${new URL(url).pathname}`, heard);
      return heard;
    } catch {
      this.tally.lost += 1;
      return null;
    }
  }

  private judge(what: string, heard: Heard): void {
    if (heard.status >= 500) this.tally.faults += 1;
    else if (!isFinal(heard)) this.tally.waits += 1;
    if (heard.status >= 400 && codeOf(heard) === '')
      this.complain(`${what} answered ${heard.status} outside the envelope: ${heard.text.slice(0, 200)}`);
  }
}

/** The error's code, or '' where the body is not the envelope. */
export function codeOf({ text }: Pick<Heard, 'text'>): string {
  try {
    const body = JSON.parse(text) as { data: null; error: { code?: unknown; message?: unknown } | null };
    return body.data === null && typeof body.error?.message === 'string' && typeof body.error.code === 'string' ? body.error.code : '';
  } catch {
    return '';
  }
}

function isFinal(heard: Heard): boolean {
  if (heard.status >= 500 || heard.status === 429) return false;
  return !(heard.status === 409 && codeOf(heard) === 'IDEMPOTENCY_KEY_REUSED' && heard.retryAfter !== null);
}
