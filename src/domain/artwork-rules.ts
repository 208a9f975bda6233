import { HOUR_MS, MINUTE_MS } from './duration';

/** When artwork that was not there as its order was placed is looked for (ruling 59). */

/** How long after the end of its URL an upload may still be under way: what began in time may end late in S3. Then it is missing. */
export const ARTWORK_GRACE_MS = HOUR_MS;

/** Between two looks at least: the clocks of Temporal and of who says when to look again may differ. */
export const ARTWORK_LOOKS_APART_MS = MINUTE_MS;
