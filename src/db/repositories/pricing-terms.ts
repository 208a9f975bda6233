import { readPriceBook } from '../../domain/price-book/read';
import type { PriceBook } from '../../domain/price-book/price-book';
import { addDays, holidaysEndSoon, holidaysUntil, localDate, readyDate, type StudioDay } from '../../domain/pricing/ready-date';
import type { Sql } from '../database';

export interface PricingTerms {
  version: number;
  book: PriceBook;
  tradeDiscountBps: number;
  criticalRushEnabled: boolean;
  catalogueRevision: number;
}

type EffectivePriceBook = Pick<PricingTerms, 'version' | 'book'>;

export interface HolidayCoverage {
  /** `YYYY-MM-DD`: 31 December of the last year for which the book lists holidays; null if it lists none. */
  until: string | null;
  /** True if the studio must soon publish a book with the next holidays. */
  endSoon: boolean;
}

/** SQL: the version of the newest book that is effective at a time; null if there is none. */
export const effectiveBookVersion = (at: string): string =>
  `(SELECT version FROM price_books WHERE effective_at <= ${at} ORDER BY effective_at DESC, version DESC LIMIT 1)`;

/** Reads the terms on which prices are based at `now`: the newest effective book, the account's discount and the studio's settings. */
export class PricingTermsReader {
  private readonly books = new Map<number, PriceBook>();

  async read(sql: Sql, accountId: string, now: Date): Promise<PricingTerms> {
    const row = await sql.row<{ version: number | null; trade_discount_bps: number; critical: boolean | null; revision: number }>(
      `
      SELECT ${effectiveBookVersion('$2')} AS version, a.trade_discount_bps,
             (SELECT value = 'true'::jsonb FROM settings WHERE name = 'criticalRushEnabled') AS critical,
             (SELECT revision FROM catalogue_revision) AS revision
        FROM accounts a WHERE a.id = $1`,
      [accountId, now],
    );
    if (row === null || row.version === null) throw new Error('no price book is effective; publish one');
    return {
      version: row.version,
      book: await this.book(sql, row.version),
      tradeDiscountBps: row.trade_discount_bps,
      criticalRushEnabled: row.critical ?? false,
      catalogueRevision: row.revision,
    };
  }

  /** The studio's IANA time zone from the newest effective book; UTC without a book. */
  async timeZone(sql: Sql, now: Date): Promise<string> {
    return (await this.findEffectiveBook(sql, now))?.book.timeZone ?? 'UTC';
  }

  /** The name of a delivery method in the newest effective book; its id if the book has no such method. */
  async methodName(sql: Sql, id: string, now: Date): Promise<string> {
    const shipping = (await this.findEffectiveBook(sql, now))?.book.shipping;
    return [...(shipping?.methods ?? []), shipping?.quotedFreight].find((method) => method?.id === id)?.name ?? id;
  }

  /** The currency of the newest effective book. */
  async currency(sql: Sql, now: Date): Promise<string> {
    return (await this.findEffectiveBook(sql, now))?.book.currency ?? 'AUD';
  }

  /** The end of the standard turnaround, `YYYY-MM-DD`: the due date of an order without a quote. */
  async standardDueDate(sql: Sql, now: Date): Promise<string> {
    const { book } = await this.readEffectiveBook(sql, now);
    return readyDate(book, now, book.standardBusinessDays);
  }

  /** The last day for which the newest price book lists holidays. The book may not be effective yet. */
  async holidays(sql: Sql, now: Date): Promise<HolidayCoverage> {
    const last = await this.findEffectiveBook(sql, 'infinity');
    const until = last === null ? null : holidaysUntil(last.book);
    return { until, endSoon: last !== null && holidaysEndSoon(until, localDate(last.book.timeZone, now)) };
  }

  private async findEffectiveBook(sql: Sql, now: Date | 'infinity'): Promise<EffectivePriceBook | null> {
    const version = await sql.value<number | null>(`SELECT ${effectiveBookVersion('$1::timestamptz')}`, [now]);
    return version === null ? null : { version, book: await this.book(sql, version) };
  }

  async studioDay(sql: Sql, now: Date): Promise<StudioDay> {
    const timeZone = await this.timeZone(sql, now);
    return { timeZone, today: localDate(timeZone, now) };
  }

  /** The studio's local date at `now`, `YYYY-MM-DD`. Ledger entries and documents have this date. */
  async today(sql: Sql, now: Date): Promise<string> {
    return (await this.studioDay(sql, now)).today;
  }

  /** The date at `now` in the time zone of this book version; in UTC if `version` is null. */
  async dateInBookTimeZone(sql: Sql, version: number | null, now: Date): Promise<string> {
    return localDate(await this.timeZoneOfBook(sql, version), now);
  }

  /** Adds days to `now` in the time zone of this book version; in UTC if `version` is null. */
  async daysAfter(sql: Sql, version: number | null, now: Date, days: number): Promise<Date> {
    return addDays(await this.timeZoneOfBook(sql, version), now, days);
  }

  async currencyOfBook(sql: Sql, version: number): Promise<string> {
    return (await this.book(sql, version)).currency;
  }

  private async timeZoneOfBook(sql: Sql, version: number | null): Promise<string> {
    return version === null ? 'UTC' : (await this.book(sql, version)).timeZone;
  }

  async readEffectiveBook(sql: Sql, now: Date): Promise<EffectivePriceBook> {
    const newest = await this.findEffectiveBook(sql, now);
    if (newest === null) throw new Error('no price book is effective; publish one');
    return newest;
  }

  /** Books are immutable, so each is cached. */
  async book(sql: Sql, version: number): Promise<PriceBook> {
    const cached = this.books.get(version);
    if (cached !== undefined) return cached;
    const document = await sql.value<string | null>('SELECT document FROM price_books WHERE version = $1', [version]);
    const book = parseStoredBook(version, document ?? '');
    this.books.set(version, book);
    return book;
  }
}

/**
 * Converts a stored document of any schema version to a price book.
 * @throws Error that names the version and every issue, because an incomplete book must not price anything
 */
function parseStoredBook(version: number, document: string): PriceBook {
  const { book, issues } = readPriceBook(parseJson(document));
  if (book !== null) return book;
  const list = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new Error(`price book ${version} is stored incomplete: ${list}; publish a complete book to replace it`);
}

function parseJson(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}
