const DAY_MS = 86_400_000;

/**
 * The time of what a field for a time of day holds, `2026-11-22T09:30`, read where the studio is, as `2026-11-21T22:30:00.000Z`; null where
 * it is no time. Of the two that an hour set back has, the later one; in an hour that is skipped, as late as if it were not.
 */
export function instantOf(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  // Clocks change once at most in two days: it is by those before the change, or by those after it.
  const [before, after] = [-DAY_MS, DAY_MS].map((by) => asUtc - aheadMs(new Date(asUtc + by), timeZone)) as [number, number];
  const fitting = [before, after].filter((time) => time + aheadMs(new Date(time), timeZone) === asUtc);
  return new Date(fitting.length === 0 ? before : Math.max(...fitting)).toISOString();
}

/** What such a field shows of a time: `2026-11-22T09:30` where the studio is. */
export function localOf(time: Date, timeZone: string): string {
  return new Date(time.getTime() + aheadMs(time, timeZone)).toISOString().slice(0, 16);
}

/** By how much the clocks there are ahead of UTC then, in ms. */
function aheadMs(time: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time.getTime() / 1000) * 1000;
}

export function todayIn(timeZone: string, now = new Date()): string {
  return localOf(now, timeZone).slice(0, 10);
}

export function msToMidnight(timeZone: string, now = new Date()): number {
  const tomorrow = daysFrom(todayIn(timeZone, now), 1);
  return Date.parse(instantOf(`${tomorrow}T00:00`, timeZone) ?? '') - now.getTime();
}

export function daysFrom(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** When a day (`2026-11-22`) begins where the studio is, as an RFC 3339 time; empty where it is no day. */
export const startOf = (day: string, timeZone: string): string => instantOf(`${day}T00:00`, timeZone) ?? '';

/** Noon of a day where the studio is: for what is known by its day alone. */
export const noonOf = (day: string, timeZone: string): string => instantOf(`${day}T12:00`, timeZone) ?? '';
