import type { DeliveryDays, PriceBook } from '../price-book/price-book';
import type { DeliveryDates } from '../shipping/options';
import { DAY_MS, MINUTE_MS } from '../duration';
import { cacheFormats } from '../format-cache';

/**
 * The date, `YYYY-MM-DD` in the studio's time zone, on which work that arrives at `now` is ready after `businessDays`. Work that arrives at
 * or after the cut-off, or on a day off, counts from the next business day (ruling 26).
 */
export function readyDate(book: PriceBook, now: Date, businessDays: number): string {
  const local = localTime(book.timeZone, now);
  const holidays = new Set(book.holidays);
  const isLate = local.time >= book.cutoffTime;
  return businessDaysAfter(firstBusinessDay(isLate ? nextDay(local.date) : local.date, holidays), businessDays, holidays);
}

function businessDaysAfter(date: string, count: number, holidays: ReadonlySet<string>): string {
  let day = date;
  for (let left = count; left > 0; left -= 1) day = firstBusinessDay(nextDay(day), holidays);
  return day;
}

/** The first and last day on which an order that is ready on `readyOn` arrives, by the studio's business days. */
export function deliveryDates(book: PriceBook, readyOn: string, { min, max }: DeliveryDays): DeliveryDates {
  const holidays = new Set(book.holidays);
  return { earliest: businessDaysAfter(readyOn, min, holidays), latest: businessDaysAfter(readyOn, max, holidays) };
}

/** This day, or the next one that is neither on a weekend nor a holiday. */
function firstBusinessDay(date: string, holidays: ReadonlySet<string>): string {
  let day = date;
  while (holidays.has(day) || isWeekend(day)) day = nextDay(day);
  return day;
}

function isWeekend(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6;
}

/** The studio is warned this many days before its last known holidays. */
const HOLIDAYS_NOTICE_DAYS = 90;

/** The end of the last year with holidays in the book, `YYYY-12-31`. Null for a book without holidays. */
export function holidaysUntil(book: PriceBook): string | null {
  const last = book.holidays.toSorted().at(-1);
  return last === undefined ? null : `${last.slice(0, 4)}-12-31`;
}

/** True if `until` is so close that the studio must publish a book with the next holidays. Both are `YYYY-MM-DD`. */
export function holidaysEndSoon(until: string | null, today: string): boolean {
  return until !== null && Date.parse(until) - Date.parse(today) <= HOLIDAYS_NOTICE_DAYS * DAY_MS;
}

/** The day some days later, or earlier if `days` is negative. Calculates in UTC, where every day has 24 hours. */
export function shiftDay(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export const nextDay = (date: string): string => shiftDay(date, 1);
export const previousDay = (date: string): string => shiftDay(date, -1);

export function firstOfMonth(date: string): string {
  return `${date.slice(0, 7)}-01`;
}

/** `YYYY-MM-DD` in the studio's time zone. */
export function localDate(timeZone: string, now: Date): string {
  return localTime(timeZone, now).date;
}

/** The studio's time zone and its present day, `YYYY-MM-DD`. */
export interface StudioDay {
  timeZone: string;
  today: string;
}

/** True from the day after `dueAt` in the studio's calendar, at any time of day. */
export const isPastDue = (dueAt: Date, { timeZone, today }: StudioDay): boolean => localDate(timeZone, dueAt) < today;

/** Returns the first moment of a day, `YYYY-MM-DD`, in the studio's time zone, even if the clock changes at midnight. */
export function startOfDay(timeZone: string, date: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const candidates = [midnight - DAY_MS, midnight + DAY_MS].map((near) => midnight - offsetMs(timeZone, near));
  const matching = candidates.filter((at) => localDate(timeZone, new Date(at)) === date);
  return new Date(Math.min(...(matching.length > 0 ? matching : candidates)));
}

/**
 * Returns the time of a local day, `YYYY-MM-DD`, and time of day, `HH:MM:SS`. Takes the earlier of two times when clocks go back; a time that
 * is skipped counts as on the clocks before the change.
 */
export function timeAt(timeZone: string, date: string, time: string): Date {
  const asUtc = Date.parse(`${date}T${time}Z`);
  const [before, after] = [asUtc - DAY_MS, asUtc + DAY_MS].map((near) => asUtc - offsetMs(timeZone, near)) as [number, number];
  const matching = [before, after].filter((at) => at + offsetMs(timeZone, at) === asUtc);
  return new Date(matching.length > 0 ? Math.min(...matching) : before);
}

/** Returns the same local time some days later. If the clock skips that time, returns the first moment of that day. */
export function addDays(timeZone: string, now: Date, days: number): Date {
  const at = now.getTime() + days * DAY_MS;
  const shifted = new Date(at + offsetMs(timeZone, now.getTime()) - offsetMs(timeZone, at));
  const day = shiftDay(localDate(timeZone, now), days);
  return localDate(timeZone, shifted) === day ? shifted : startOfDay(timeZone, day);
}

/** Offset of the studio's time zone from UTC at a time. */
function offsetMs(timeZone: string, at: number): number {
  const { date, time } = localTime(timeZone, new Date(at));
  return Date.parse(`${date}T${time}:00Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/** `YYYY-MM-DD` and `HH:MM` in the studio's time zone. */
function localTime(timeZone: string, now: Date): { date: string; time: string } {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return { date: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
}

const formatFor = cacheFormats(
  (timeZone) =>
    new Intl.DateTimeFormat('en-AU', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    }),
);
