import { shiftDay } from '../../domain/pricing/ready-date';

const MONDAY = 1;
const TUESDAY = 2;
const SATURDAY = 6;

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();
const isWeekend = (day: string): boolean => [0, SATURDAY].includes(weekdayOf(day));
const dayOf = (year: number, month: number, date: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;

/** The first given weekday of a month, or the one `weeksLater` after it. */
function weekdayIn(year: number, month: number, weekday: number, weeksLater = 0): string {
  const first = dayOf(year, month, 1);
  return shiftDay(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * weeksLater);
}

/** Easter Sunday by the Gregorian calendar (the method of Meeus, Jones and Butcher). */
function easterOf(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const epact = (19 * golden + century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  return shiftDay(dayOf(year, 3, 22), epact + toSunday - 7 * late);
}

/**
 * The public holidays of Victoria on weekdays. The date of the AFL Grand Final holiday is announced each year; this takes the Friday before
 * September's last Saturday. A holiday at a weekend moves to the next free weekday, except Anzac Day.
 */
export function victorianHolidays(year: number): string[] {
  const easter = easterOf(year);
  const movable = [dayOf(year, 1, 1), dayOf(year, 1, 26), dayOf(year, 12, 25), dayOf(year, 12, 26)];
  const days = new Set([
    weekdayIn(year, 3, MONDAY, 1),
    shiftDay(easter, -2),
    shiftDay(easter, 1),
    ...[dayOf(year, 4, 25), ...movable].filter((day) => !isWeekend(day)),
    weekdayIn(year, 6, MONDAY, 1),
    shiftDay(weekdayIn(year, 10, SATURDAY), -8),
    weekdayIn(year, 11, TUESDAY),
  ]);
  for (let day of movable.filter(isWeekend)) {
    while (isWeekend(day) || days.has(day)) day = shiftDay(day, 1);
    days.add(day);
  }
  return [...days].toSorted();
}
