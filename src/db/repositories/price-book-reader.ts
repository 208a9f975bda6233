import { readPriceBook } from '../../domain/price-book/read';
import type { PriceBook } from '../../domain/price-book/price-book';
import type { Sql } from '../database';

interface EffectivePriceBook {
  version: number;
  book: PriceBook;
}

/** SQL: the version of the newest book that is effective at a time; null if there is none. */
export const effectiveBookVersion = (at: string): string =>
  `(SELECT version FROM price_books WHERE effective_at <= ${at} ORDER BY effective_at DESC, version DESC LIMIT 1)`;

/** The version of the newest book that is effective at this time, or null. */
export const findEffectiveVersion = (sql: Sql, at: Date | 'infinity'): Promise<number | null> =>
  sql.value(`SELECT ${effectiveBookVersion('$1::timestamptz')}`, [at]);

export interface PricingTerms {
  /** The version of the newest effective price book. */
  version: number;
  tradeDiscountBps: number;
  criticalRushEnabled: boolean;
  catalogueRevision: number;
}

/** Reads the terms on which prices are based at `now`: the newest effective book, the account's discount and the studio's settings. */
export async function readPricingTerms(sql: Sql, accountId: string, now: Date): Promise<PricingTerms> {
  const terms = await sql.row<Omit<PricingTerms, 'version'> & { version: number | null }>(
    `
    SELECT ${effectiveBookVersion('$2')} AS version, a.trade_discount_bps AS "tradeDiscountBps",
           COALESCE((SELECT value = 'true'::jsonb FROM settings WHERE name = 'criticalRushEnabled'), false) AS "criticalRushEnabled",
           (SELECT revision FROM catalogue_revision) AS "catalogueRevision"
      FROM accounts a WHERE a.id = $1`,
    [accountId, now],
  );
  const version = terms?.version ?? null;
  if (terms === null || version === null) throw new Error('no price book is effective; publish one');
  return { ...terms, version };
}

/** Reads published price books. Books are immutable, so each is cached. */
export class PriceBookReader {
  private readonly books = new Map<number, PriceBook>();

  async read(sql: Sql, version: number): Promise<PriceBook> {
    const cached = this.books.get(version);
    if (cached !== undefined) return cached;
    const document = await sql.value<string | null>('SELECT document FROM price_books WHERE version = $1', [version]);
    const book = parseStoredBook(version, document ?? '');
    this.books.set(version, book);
    return book;
  }

  /** The newest book that is effective at this time, or null. */
  async findEffective(sql: Sql, at: Date | 'infinity'): Promise<EffectivePriceBook | null> {
    const version = await findEffectiveVersion(sql, at);
    return version === null ? null : { version, book: await this.read(sql, version) };
  }

  /** @throws Error if no book is effective */
  async readEffective(sql: Sql, now: Date): Promise<EffectivePriceBook> {
    const newest = await this.findEffective(sql, now);
    if (newest === null) throw new Error('no price book is effective; publish one');
    return newest;
  }
}

/** The currency of a book; null is no book. */
export const currencyOf = (book: PriceBook | null): string => book?.currency ?? 'AUD';

/** The name of an order's delivery method; its id if the book has no such method. Null without a method. */
export function methodNameOf(book: PriceBook | null, { shipping_method: id }: { shipping_method: string | null }): string | null {
  const shipping = book?.shipping;
  return [...(shipping?.methods ?? []), shipping?.quotedFreight].find((method) => method?.id === id)?.name ?? id;
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
