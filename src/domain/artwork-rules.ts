import { DAY_MS, HOUR_MS, MINUTE_MS } from './duration';

/** Durations of uploads, checks for missing artwork, and sweeps of unused uploads (rulings 49, 59 and 71). */

const MIN_TARGET_SECONDS = 15 * 60;
const MAX_TARGET_SECONDS = 2 * 60 * 60;
const BYTES_PER_MINUTE = 10_000_000;

/** How long the URL of an upload target is valid: 15 minutes, plus one minute per 10 MB. */
export function targetLifetimeSeconds(sizeBytes: number): number {
  return Math.min(MIN_TARGET_SECONDS + 60 * Math.floor(sizeBytes / BYTES_PER_MINUTE), MAX_TARGET_SECONDS);
}

/** How long an upload to the embedded store may take. */
export const MAX_BODY_DURATION_MS = 2 * HOUR_MS;

/** A file counts as missing this long after its URL's expiry, because an upload that started in time may end later. */
export const ARTWORK_GRACE_MS = 2.5 * HOUR_MS;

/** The sweep may remove an unused upload this long after its URL's expiry. Every upload takes much less time. */
export const UNUSED_TARGET_GRACE_MS = DAY_MS;

/**
 * The minimum time between two checks for missing artwork. The clocks of Temporal and of the process that schedules the next check may
 * differ.
 */
export const ARTWORK_CHECK_INTERVAL_MS = MINUTE_MS;
