import { DAY_MS, HOUR_MS, MINUTE_MS } from './duration';

/** How long uploads may take, when missing artwork is looked for again, and when unused uploads are swept (rulings 49, 59 and 71). */

const MIN_TARGET_SECONDS = 15 * 60;
const MAX_TARGET_SECONDS = 2 * 60 * 60;
const BYTES_PER_MINUTE = 10_000_000;

/** How long the URL of an upload target is valid: a quarter of an hour, and a minute more for every 10 MB. */
export function targetLifetimeSeconds(sizeBytes: number): number {
  return Math.min(MIN_TARGET_SECONDS + 60 * Math.floor(sizeBytes / BYTES_PER_MINUTE), MAX_TARGET_SECONDS);
}

/** A body that began before its URL's end may continue in the embedded store for so long, at this pace. */
export const MAX_BODY_DURATION_MS = 2 * HOUR_MS;
export const PACE_WINDOW_MS = 30_000;
export const PACE_WINDOW_BYTES = 30 * 32 * 1024;

/** How long after the end of its URL an upload may still be under way: a body that began in time may end late. Then it is missing. */
export const ARTWORK_GRACE_MS = 2.5 * HOUR_MS;

/** How long after the end of its URL an unused upload may be swept: long after anything that began in time can still arrive. */
export const UNUSED_TARGET_GRACE_MS = DAY_MS;

/** Between two looks at least: the clocks of Temporal and of who says when to look again may differ. */
export const ARTWORK_CHECK_INTERVAL_MS = MINUTE_MS;
