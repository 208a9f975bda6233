import { daysBefore } from '../days';

/** Days of the studio's calendar, both included. */
export interface Period {
  name: string;
  from: string;
  to: string;
}

/** What one mostly wants a statement of, as of `today` (`2026-11-22`). */
export function periodsAt(today: string): readonly Period[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const thisMonth = first(year, month);
  const lastMonth = month === 1 ? first(year - 1, 12) : first(year, month - 1);
  return [
    { name: 'This month', from: thisMonth, to: today },
    { name: 'Last month', from: lastMonth, to: daysBefore(thisMonth, 1) },
    { name: 'This quarter', from: first(year, month - ((month - 1) % 3)), to: today },
  ];
}

const first = (year: number, month: number): string => `${year}-${String(month).padStart(2, '0')}-01`;
