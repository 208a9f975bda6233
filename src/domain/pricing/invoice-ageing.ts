import { firstOfMonth, shiftDay, startOfDay, type StudioDay } from './ready-date';

/** Unpaid invoices by the days since their due date: not yet due, 1 to 30, 31 to 60, or more. */
export const AGEING_BUCKETS = ['current', 'days1To30', 'days31To60', 'days61Plus'] as const;
export type AgeingBucket = (typeof AGEING_BUCKETS)[number];

/** `from` inclusive, `before` exclusive; null means unlimited. */
export interface TimePeriod {
  from: Date | null;
  before: Date | null;
}

/** The due times of each bucket. An invoice is one day overdue from the first moment after its due date. */
export function ageingPeriods({ timeZone, today }: StudioDay): Record<AgeingBucket, TimePeriod> {
  const daysAgo = (days: number): Date => startOfDay(timeZone, shiftDay(today, -days));
  return {
    current: { from: daysAgo(0), before: null },
    days1To30: { from: daysAgo(30), before: daysAgo(0) },
    days31To60: { from: daysAgo(60), before: daysAgo(30) },
    days61Plus: { from: null, before: daysAgo(60) },
  };
}

/** The calendar month of `today`, to its end. */
export function currentMonth({ timeZone, today }: StudioDay): { from: Date; before: Date } {
  const first = firstOfMonth(today);
  return { from: startOfDay(timeZone, first), before: startOfDay(timeZone, firstOfMonth(shiftDay(first, 31))) };
}
