import { AGEING_BUCKETS, ageingPeriods, currentMonth } from '../../../../src/domain/pricing/invoice-ageing';
import { localDate } from '../../../../src/domain/pricing/ready-date';

const DAY_MS = 86_400_000;

/** With summer time of an hour, half an hour, at midnight, and without. */
const TIME_ZONES = ['Australia/Melbourne', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo', 'UTC', 'Pacific/Kiritimati'];
/** Each day of 2026, which has both changes of the clock. */
const DAYS = Array.from({ length: 365 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10));

describe.each(TIME_ZONES)('in %s, on each day of a year', (timeZone) => {
  it('a due time is in the one bucket of its days', () => {
    for (const today of DAYS) {
      const periods = ageingPeriods({ timeZone, today });
      const edges = [periods.current.from, periods.days1To30.from, periods.days31To60.from].map((edge) => edge?.getTime() ?? Number.NaN);
      const times = edges.flatMap((edge) => [edge - 1, edge]).concat(Date.parse(today) - 400 * DAY_MS, Date.parse(today) + 400 * DAY_MS);
      for (const time of times) {
        const daysOverdue = (Date.parse(today) - Date.parse(localDate(timeZone, new Date(time)))) / DAY_MS;
        const expected = daysOverdue <= 0 ? 'current' : daysOverdue <= 30 ? 'days1To30' : daysOverdue <= 60 ? 'days31To60' : 'days61Plus';
        const found = AGEING_BUCKETS.filter((bucket) => {
          const { from, before } = periods[bucket];
          return (from === null || time >= from.getTime()) && (before === null || time < before.getTime());
        });
        expect([today, time, found]).toEqual([today, time, [expected]]);
      }
    }
  });

  it('the month begins and ends at midnight', () => {
    for (const today of DAYS) {
      const { from, before } = currentMonth({ timeZone, today });
      const dayOf = (time: Date, offsetMs: number) => localDate(timeZone, new Date(time.getTime() + offsetMs));
      expect([dayOf(from, 0), dayOf(from, -1) < dayOf(from, 0)]).toEqual([`${today.slice(0, 7)}-01`, true]);
      expect(dayOf(before, -1).slice(0, 7)).toBe(today.slice(0, 7));
      expect([dayOf(before, 0).slice(0, 7) > today.slice(0, 7), dayOf(before, 0).slice(8)]).toEqual([true, '01']);
    }
  });
});
