/** Converts to Unix seconds. @throws TypeError for an invalid date: all comparisons with NaN are false, so every request would pass */
export function toUnixSeconds(now: Date): number {
  // `instanceof` is not used, because a Date of another realm fails it.
  const ms: unknown = typeof (now as Partial<Date> | null)?.getTime === 'function' ? now.getTime() : NaN;
  if (!Number.isFinite(ms)) throw new TypeError('now must be a valid Date');
  return Math.floor((ms as number) / 1000);
}

/** @throws TypeError unless it is a finite number of 0 or more: otherwise requests of any age would pass */
export function parseTolerance(toleranceSeconds: number): number {
  if (typeof toleranceSeconds !== 'number' || !Number.isFinite(toleranceSeconds) || toleranceSeconds < 0)
    throw new TypeError('toleranceSeconds must be a number of seconds of 0 or more');
  return toleranceSeconds;
}
