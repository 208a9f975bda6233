import { holidaysEndSoon, holidaysUntil, localDate, readyDate, type StudioDay } from '../../domain/pricing/ready-date';
import type { PriceBook } from '../../domain/price-book/price-book';
import type { Sql } from '../database';
import type { PriceBookReader } from './price-book-reader';

export interface HolidayCoverage {
  /** `YYYY-MM-DD`: 31 December of the last year for which the book lists holidays; null if it lists none. */
  until: string | null;
  /** True if the studio must soon publish a book with the next holidays. */
  endSoon: boolean;
}

/** The time zone of a book, an IANA name; null is no book. */
export const timeZoneOf = (book: PriceBook | null): string => book?.timeZone ?? 'UTC';

export function studioDayOf(book: PriceBook | null, now: Date): StudioDay {
  const timeZone = timeZoneOf(book);
  return { timeZone, today: localDate(timeZone, now) };
}

/** The studio's days, from the newest effective price book. Without a book the time zone is UTC. */
export class StudioCalendar {
  constructor(private readonly books: PriceBookReader) {}

  /** An IANA time zone. */
  async timeZone(sql: Sql, now: Date): Promise<string> {
    return timeZoneOf((await this.books.findEffective(sql, now))?.book ?? null);
  }

  async studioDay(sql: Sql, now: Date): Promise<StudioDay> {
    return studioDayOf((await this.books.findEffective(sql, now))?.book ?? null, now);
  }

  /** The local date, `YYYY-MM-DD`. Ledger entries and documents have this date. */
  async today(sql: Sql, now: Date): Promise<string> {
    return (await this.studioDay(sql, now)).today;
  }

  /** The end of the standard turnaround, `YYYY-MM-DD`: the due date of an order without a quote. */
  async standardDueDate(sql: Sql, now: Date): Promise<string> {
    const { book } = await this.books.readEffective(sql, now);
    return readyDate(book, now, book.standardBusinessDays);
  }

  /** The last day for which the newest price book lists holidays. The book may not be effective yet. */
  async holidays(sql: Sql, now: Date): Promise<HolidayCoverage> {
    const last = await this.books.findEffective(sql, 'infinity');
    const until = last === null ? null : holidaysUntil(last.book);
    return { until, endSoon: last !== null && holidaysEndSoon(until, localDate(last.book.timeZone, now)) };
  }
}
