/** Unix seconds of a clock. @throws TypeError where it tells no time: comparisons with that are false, so that any request would pass */
export function toUnixSeconds(now: Date): number {
  // By its looks: a Date of another realm is no `Date` here.
  const ms: unknown = typeof (now as Partial<Date> | null)?.getTime === 'function' ? now.getTime() : NaN;
  if (!Number.isFinite(ms)) throw new TypeError('now takes a Date that tells a time');
  return Math.floor((ms as number) / 1000);
}

/** @throws TypeError for what is no length of time, and for one without end: with either, a request of any age would pass */
export function parseTolerance(toleranceSeconds: number): number {
  if (typeof toleranceSeconds !== 'number' || !Number.isFinite(toleranceSeconds) || toleranceSeconds < 0)
    throw new TypeError('toleranceSeconds takes a number of seconds from 0');
  return toleranceSeconds;
}
