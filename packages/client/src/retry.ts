import type { Deadline } from './deadline.js';
import { ConnectionError, TradePrintError } from './errors.js';

const INITIAL_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** `when-not-executed` retries only requests that the service refused because of a rate limit or overload. */
export type RetryCondition = 'when-retryable' | 'when-not-executed';

interface RetryOptions {
  maxRetries: number;
  deadline: Deadline;
  retryCondition?: RetryCondition | undefined;
}

/**
 * Retries transient failures and throws the last error when no retries are left. `attempt` must be idempotent unless `retryCondition` is
 * `when-not-executed`.
 */
export async function withRetries<T>(attempt: () => Promise<T>, { maxRetries, deadline, retryCondition }: RetryOptions): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      deadline.throwIfOver();
      if (retries >= maxRetries || !isRetryable(error) || (retryCondition === 'when-not-executed' && !wasNotExecuted(error))) throw error;
      const waitMs = delayMs(retries, error.retryAfterSeconds);
      // If the wait exceeds the time limit, throws the service's error, because it contains more than a timeout error.
      if (waitMs >= deadline.remainingMs) throw error;
      await deadline.wait(waitMs);
    }
  }
}

/** True for a broken connection, a rate limit, a server error, and a request with the same idempotency key that is still running. */
function isRetryable(error: unknown): error is TradePrintError {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof TradePrintError) || error.status === null) return false;
  if (error.status === 409) return error.code === 'IDEMPOTENCY_KEY_REUSED' && error.retryAfterSeconds !== null;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}

/** True if the service refused the request before executing it (specification "Errors"). */
function wasNotExecuted({ status, code }: TradePrintError): boolean {
  return status === 429 || code === 'OVERLOADED';
}

/** Full jitter up to a ceiling that doubles with each retry. After `Retry-After`, a short jitter keeps clients from retrying together. */
function delayMs(retries: number, retryAfterSeconds: number | null): number {
  const ceilingMs = Math.min(INITIAL_DELAY_MS * 2 ** retries, MAX_DELAY_MS);
  if (retryAfterSeconds === null) return Math.random() * ceilingMs;
  return retryAfterSeconds * 1000 + Math.random() * INITIAL_DELAY_MS;
}

/** Parses `Retry-After`, in seconds or as a date, to whole seconds from now. Returns null if it is missing or invalid. */
export function parseRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
