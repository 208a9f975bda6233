import { serviceNow } from './service-clock.js';

const DAY_MS = 86_400_000;

/**
 * Reads a local time of the studio, `2026-11-22T09:30`, as UTC, `2026-11-21T22:30:00.000Z`. Null if it is no time. Takes the later of two
 * times when clocks go back; a time that is skipped counts as on the clocks before the change.
 */
export function parseLocalTime(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  // Clocks change at most once in two days, so try the offsets before and after a change.
  const [before, after] = [-DAY_MS, DAY_MS].map((by) => asUtc - offsetMs(new Date(asUtc + by), timeZone)) as [number, number];
  const fitting = [before, after].filter((time) => time + offsetMs(new Date(time), timeZone) === asUtc);
  return new Date(fitting.length === 0 ? before : Math.max(...fitting)).toISOString();
}

/** A time on the studio's clock, as `2026-11-22T09:30`. */
export function formatLocalTime(time: Date, timeZone: string): string {
  return new Date(time.getTime() + offsetMs(time, timeZone)).toISOString().slice(0, 16);
}

/** The time zone's offset from UTC at that time, ms. */
function offsetMs(time: Date, timeZone: string): number {
  const local = time.toLocaleString('sv-SE', { timeZone }); // 2026-11-22 09:30:00
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(time.getTime() / 1000) * 1000;
}

export const isPast = (time: string): boolean => Date.parse(time) <= serviceNow();

export function todayIn(timeZone: string, now = new Date(serviceNow())): string {
  return formatLocalTime(now, timeZone).slice(0, 10);
}

/** Whether the day of `dueAt` has ended in the time zone, as the API judges invoices. */
export const isPastDue = (dueAt: string, timeZone: string, now = new Date(serviceNow())): boolean =>
  todayIn(timeZone, new Date(dueAt)) < todayIn(timeZone, now);

/** Time until midnight in the time zone, ms. */
export function msToMidnight(timeZone: string, now = new Date(serviceNow())): number {
  const tomorrow = addDays(todayIn(timeZone, now), 1);
  return Date.parse(parseLocalTime(`${tomorrow}T00:00`, timeZone) ?? '') - now.getTime();
}

/** Adds days to a day of the calendar: `2026-11-22` and 1 are `2026-11-23`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The start of a day (`2026-11-22`) in the time zone, as an RFC 3339 time. Empty if it is no day. */
export const startOfDay = (day: string, timeZone: string): string => parseLocalTime(`${day}T00:00`, timeZone) ?? '';

/** Noon of a day in the time zone, for events without a time of day. */
export const noonOfDay = (day: string, timeZone: string): string => parseLocalTime(`${day}T12:00`, timeZone) ?? '';
