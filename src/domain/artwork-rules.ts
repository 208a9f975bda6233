import { DAY_MS, HOUR_MS, MINUTE_MS } from './duration';

/** When missing artwork is looked for again, and when unused uploads are swept (rulings 49 and 59). */

/** How long after the end of its URL an upload may still be under way: what began in time may end late in S3. Then it is missing. */
export const ARTWORK_GRACE_MS = HOUR_MS;

/** How long after the end of its URL an unused upload may be swept: long after anything that began in time can still arrive. */
export const UNUSED_TARGET_GRACE_MS = DAY_MS;

/** Between two looks at least: the clocks of Temporal and of who says when to look again may differ. */
export const ARTWORK_LOOKS_APART_MS = MINUTE_MS;
