import { HOUR_MS, MINUTE_MS } from './duration';

/**
 * When a webhook delivery is attempted, and when its endpoint is given up. A delivery is one event to one endpoint: a first attempt, and
 * one more for each entry of the schedule (specification "Delivery guarantees" 3, ruling 36). Receivers plan their outages by the
 * documented times, so what they answer, be it `Retry-After` or 410, does not change them (ruling 39).
 */

/** 1 minute, 5 minutes, 15 minutes, 1 hour, 4 hours, 12 hours, in ms (specification "Limits"). */
export const DEFAULT_RETRY_SCHEDULE_MS: readonly number[] = Object.freeze([
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
]);

/** The most attempts one delivery gets: the first, and one per entry. */
export function attemptsInChain(scheduleMs: readonly number[]): number {
  return 1 + scheduleMs.length;
}

/**
 * How long to wait before attempt number `attempt` (from 1) once the one before it has failed, in ms; 0 for the first, null
 * when the chain is used up.
 * @throws RangeError if `attempt` is not a whole number of at least 1.
 */
export function delayBeforeAttempt(scheduleMs: readonly number[], attempt: number): number | null {
  if (!Number.isSafeInteger(attempt) || attempt < 1) throw new RangeError(`attempt ${attempt} must be a whole number of at least 1`);
  return attempt === 1 ? 0 : (scheduleMs[attempt - 2] ?? null);
}

/** When the last attempt of a chain is due if all before it fail: `attempts` were made, the next is due at `nextAt`. */
export function lastAttemptAt(scheduleMs: readonly number[], attempts: number, nextAt: Date): Date {
  return new Date(scheduleMs.slice(attempts).reduce((total, delayMs) => total + delayMs, nextAt.getTime()));
}

/** How long one attempt may take in all, DNS to the last byte of the reply, in ms (specification "Delivery guarantees" 6). */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** An endpoint is disabled once so many deliveries in a row have used up their chain (specification "Delivery guarantees" 5). */
export const FAILURES_BEFORE_DISABLE = 20;

export const DISABLED_REASON = `${FAILURES_BEFORE_DISABLE} deliveries in a row failed`;

/** So many in a row are told early, long before the endpoint is disabled (ruling 65). */
export const FAILURES_BEFORE_FAILING = 3;

/** So is an endpoint that for so long, ms, has only failed, with at least so many attempts (ruling 65). */
export const FAILING_AFTER_MS = HOUR_MS;
export const FAILING_AFTER_ATTEMPTS = 5;

/** Failures in a row at which mails may be due: that the endpoint is failing, and that it is disabled. */
const ALERT_THRESHOLDS: readonly number[] = [FAILURES_BEFORE_FAILING, FAILURES_BEFORE_DISABLE];

export function alertThreshold(failuresInARow: number): number | null {
  return ALERT_THRESHOLDS.includes(failuresInARow) ? failuresInARow : null;
}

export function describeResponse(status: number | null, errorCode: string | null): string {
  return status === null ? (errorCode ?? 'no answer') : `answered ${status}`;
}

/** After a rotation both secrets sign, unless said otherwise; a week at most (specification "Registering an endpoint"). */
export const DEFAULT_OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 168;

export type EndpointState = 'enabled' | 'disabled';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'held'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What has not arrived: on its way, given up, or kept while its endpoint is disabled. */
export const UNDELIVERED_STATES = ['pending', 'failed', 'held'] as const;
export type UndeliveredState = (typeof UNDELIVERED_STATES)[number];

/** What the studio can have sent again together (ruling 37). */
export const RECOVERABLE_STATES = ['failed', 'held'] as const satisfies readonly DeliveryState[];
export type RecoverableState = (typeof RECOVERABLE_STATES)[number];

/** What began a chain: the event itself, or the studio for one delivery or for many. */
export type DeliveryTrigger = 'automatic' | 'resend' | 'recover';
