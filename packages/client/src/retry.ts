import type { Deadline } from './deadline.js';
import { ConnectionError, TradePrintError } from './errors.js';

const INITIAL_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** `when-not-executed`: only requests that were refused because of a budget or overload. */
export type RetryCondition = 'when-retryable' | 'when-not-executed';

interface RetryOptions {
  maxRetries: number;
  deadline: Deadline;
  retryCondition?: RetryCondition | undefined;
}

/**
 * Repeats what failed while a repeat can help, and gives its last error when none is left. Unless `repeats` says
 * otherwise, `attempt` must be safe to repeat: what it may have done already is not done twice.
 */
export async function withRetries<T>(attempt: () => Promise<T>, { maxRetries, deadline, retryCondition }: RetryOptions): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      deadline.throwIfOver();
      if (retries >= maxRetries || !isRetryable(error) || (retryCondition === 'when-not-executed' && !wasNotExecuted(error))) throw error;
      const waitMs = delayMs(retries, error.retryAfterSeconds);
      // What the service asks for does not fit in any more: its own words say more than our timeout would.
      if (waitMs >= deadline.remainingMs) throw error;
      await deadline.wait(waitMs);
    }
  }
}

/** What may be gone the next time: no connection, too much at once, the service's own trouble, the same key still at work. */
function isRetryable(error: unknown): error is TradePrintError {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof TradePrintError) || error.status === null) return false;
  if (error.status === 409) return error.code === 'IDEMPOTENCY_KEY_REUSED' && error.retryAfterSeconds !== null;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}

/** The service did nothing for the request (specification "Errors"). */
function wasNotExecuted({ status, code }: TradePrintError): boolean {
  return status === 429 || code === 'OVERLOADED';
}

/** Full jitter: anything up to a ceiling that doubles. After what the service asks for only a little, so that not all come at once. */
function delayMs(retries: number, retryAfterSeconds: number | null): number {
  const ceilingMs = Math.min(INITIAL_DELAY_MS * 2 ** retries, MAX_DELAY_MS);
  if (retryAfterSeconds === null) return Math.random() * ceilingMs;
  return retryAfterSeconds * 1000 + Math.random() * INITIAL_DELAY_MS;
}

/** `Retry-After`, as seconds or as a date, in whole seconds from now; null where there is none that can be read. */
export function parseRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
