import { HOUR_MS, MINUTE_MS } from './duration';

/**
 * When a webhook delivery is attempted, and when its endpoint is disabled. A delivery is one event to one endpoint: a first attempt, and
 * one more per entry of the schedule (specification "Delivery guarantees" 3). Receivers plan for the documented times, so `Retry-After` or
 * 410 does not change them.
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

/** Maximum of attempts per delivery: the first, and one per entry. */
export function attemptsInChain(scheduleMs: readonly number[]): number {
  return 1 + scheduleMs.length;
}

/**
 * Wait before attempt number `attempt` (from 1) after the previous one failed, in ms; 0 for the first, null after the last.
 * @throws RangeError if `attempt` is no whole number from 1
 */
export function delayBeforeAttempt(scheduleMs: readonly number[], attempt: number): number | null {
  if (!Number.isSafeInteger(attempt) || attempt < 1) throw new RangeError(`attempt ${attempt} must be a whole number of at least 1`);
  return attempt === 1 ? 0 : (scheduleMs[attempt - 2] ?? null);
}

/** Returns when the last attempt of a chain is due if all earlier ones fail. `attempts` were made, and the next one is due at `nextAt`. */
export function lastAttemptAt(scheduleMs: readonly number[], attempts: number, nextAt: Date): Date {
  return new Date(scheduleMs.slice(attempts).reduce((total, delayMs) => total + delayMs, nextAt.getTime()));
}

/** Maximum duration of one attempt, from DNS to the last byte of the response, in ms (specification "Delivery guarantees" 6). */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** Failed deliveries in a row that disable an endpoint (specification "Delivery guarantees" 5). */
export const FAILURES_BEFORE_DISABLE = 20;

export const DISABLED_REASON = `${FAILURES_BEFORE_DISABLE} deliveries in a row failed`;

/** Failed deliveries in a row that mark an endpoint as failing, long before it is disabled. */
export const FAILURES_BEFORE_FAILING = 3;

/** An endpoint also counts as failing if at least FAILING_AFTER_ATTEMPTS attempts over this time, ms, have all failed. */
export const FAILING_AFTER_MS = HOUR_MS;
export const FAILING_AFTER_ATTEMPTS = 5;

/** Numbers of failures in a row at which mails are sent: when the endpoint counts as failing, and when it is disabled. */
const ALERT_THRESHOLDS: readonly number[] = [FAILURES_BEFORE_FAILING, FAILURES_BEFORE_DISABLE];

export function alertThreshold(failuresInARow: number): number | null {
  return ALERT_THRESHOLDS.includes(failuresInARow) ? failuresInARow : null;
}

export function describeResponse(status: number | null, errorCode: string | null): string {
  return status === null ? (errorCode ?? 'no answer') : `answered ${status}`;
}

/** After a rotation both secrets sign for this time by default; a week at most (specification "Registering an endpoint"). */
export const DEFAULT_OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 168;

export type EndpointState = 'enabled' | 'disabled';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'held'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** States of deliveries that have not arrived: waiting for an attempt, failed, or held while their endpoint is disabled. */
export const UNDELIVERED_STATES = ['pending', 'failed', 'held'] as const;
export type UndeliveredState = (typeof UNDELIVERED_STATES)[number];

/** Deliveries that the studio can resend together. */
export const RECOVERABLE_STATES = ['failed', 'held'] as const satisfies readonly DeliveryState[];
export type RecoverableState = (typeof RECOVERABLE_STATES)[number];

/** The start of a chain: the event itself, or the studio for one delivery or many. */
export type DeliveryTrigger = 'automatic' | 'resend' | 'recover';
