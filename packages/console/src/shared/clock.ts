/** What a clock in `timeZone` shows as `2026-07-01T09:30`, as the instant it is (ISO 8601); null where it is no time. */
export function instantOf(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  const guess = asUtc - offsetMs(asUtc, timeZone);
  return new Date(asUtc - offsetMs(guess, timeZone)).toISOString();
}

/** How far the clock in `timeZone` is ahead of UTC at an instant. */
function offsetMs(at: number, timeZone: string): number {
  const whole = Math.floor(at / 1000) * 1000;
  const clock = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' });
  return Date.parse(`${clock.format(whole).replace(', ', 'T')}Z`) - whole;
}
