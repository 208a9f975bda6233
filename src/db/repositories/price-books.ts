import type { FixedTerms, TermsInUse } from '../../domain/price-book/fixed-terms';
import type { Sql } from '../database';
import { findPage, type Page } from '../keyset';
import { columns, integer, text, time, type RowOf } from '../columns';

export const PRICE_BOOK_COLUMNS = columns('price_books', {
  version: integer,
  /** The JSON text from which the hash is calculated. */
  document: text,
  sha256: text,
  effective_at: time,
  published_by: text,
  created_at: time,
});
export type PriceBookRow = RowOf<typeof PRICE_BOOK_COLUMNS>;

const SUMMARY_COLUMNS = PRICE_BOOK_COLUMNS.without('document');
export type PriceBookSummary = RowOf<typeof SUMMARY_COLUMNS>;

export function listPriceBooks(sql: Sql, page: Page): Promise<PriceBookSummary[]> {
  return findPage(sql, { text: `SELECT ${SUMMARY_COLUMNS.list} FROM price_books WHERE true`, sortBy: ['version'] }, page);
}

export function findPriceBook(sql: Sql, version: number): Promise<PriceBookRow | null> {
  return sql.row(`SELECT ${PRICE_BOOK_COLUMNS.list} FROM price_books WHERE version = $1`, [version]);
}

/** Locks the price books, so that concurrent publications create neither gaps nor duplicates in the versions. */
export async function lockPriceBooks(sql: Sql): Promise<void> {
  await sql.run(`LOCK TABLE price_books IN EXCLUSIVE MODE`);
}

/** Waits for running order placements and blocks new ones until the transaction ends, because every placement reads the newest book. */
export async function blockOrderPlacement(sql: Sql): Promise<void> {
  await sql.run(`LOCK TABLE price_books IN ACCESS EXCLUSIVE MODE`);
}

export async function findTermsInUse(sql: Sql, now: Date): Promise<TermsInUse> {
  const row = await sql.one<{ document: string | null; invoiced: string | null; is_booked: boolean; has_upcoming_book: boolean }>(
    `
    SELECT (SELECT document FROM price_books ORDER BY version DESC LIMIT 1) AS document,
           (SELECT o.currency FROM invoices i JOIN orders o ON o.id = i.order_id LIMIT 1) AS invoiced,
           EXISTS (SELECT 1 FROM ledger_entries) AS is_booked,
           EXISTS (SELECT 1 FROM price_books WHERE effective_at > $1) AS has_upcoming_book`,
    [now],
  );
  const newest = termsOfDocument(row.document ?? '');
  const invoiced = row.invoiced === null ? {} : { currency: row.invoiced };
  return { booked: row.is_booked ? { ...newest, ...invoiced } : {}, newest, hasUpcomingBook: row.has_upcoming_book };
}

/** The terms of a stored document, even an incomplete one. */
function termsOfDocument(document: string): Partial<FixedTerms> {
  try {
    return (JSON.parse(document) as Partial<FixedTerms> | null) ?? {};
  } catch {
    return {};
  }
}

/** Publishes a book under the next version. Requires `lockPriceBooks`. */
export function insertPriceBook(sql: Sql, book: Omit<PriceBookRow, 'version'>): Promise<PriceBookRow> {
  return sql.one(
    `INSERT INTO price_books (version, document, sha256, effective_at, published_by, created_at)
     SELECT COALESCE(max(version), 0) + 1, $1, $2, $3, $4, $5 FROM price_books RETURNING ${PRICE_BOOK_COLUMNS.list}`,
    [book.document, book.sha256, book.effective_at, book.published_by, book.created_at],
  );
}
