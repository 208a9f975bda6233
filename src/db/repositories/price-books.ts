import type { Sql } from '../database';
import { pageOfList, type PageMark } from '../keyset';
import { columns, integer, text, time, type RowOf } from '../columns';

export const PRICE_BOOK_COLUMNS = columns('price_books', {
  version: integer,
  /** JSON text, as hashed. */
  document: text,
  sha256: text,
  effective_at: time,
  published_by: text,
  created_at: time,
});
export type PriceBookRow = RowOf<typeof PRICE_BOOK_COLUMNS>;

const SUMMARY = PRICE_BOOK_COLUMNS.without('document');
export type PriceBookSummary = RowOf<typeof SUMMARY>;

export function listPriceBooks(sql: Sql, limit: number, after: PageMark | null): Promise<PriceBookSummary[]> {
  return pageOfList(sql, { text: `SELECT ${SUMMARY.list} FROM price_books WHERE true`, by: ['version'] }, { limit, after });
}

export function findPriceBook(sql: Sql, version: number): Promise<PriceBookRow | null> {
  return sql.row(`SELECT ${PRICE_BOOK_COLUMNS.list} FROM price_books WHERE version = $1`, [version]);
}

/** Publishes a book under the next version; one at a time, so that versions have no gaps and no doubles. */
export async function insertPriceBook(sql: Sql, book: Omit<PriceBookRow, 'version'>): Promise<PriceBookRow> {
  await sql.run(`LOCK TABLE price_books IN EXCLUSIVE MODE`);
  const stored = await sql.row<PriceBookRow>(
    `INSERT INTO price_books (version, document, sha256, effective_at, published_by, created_at)
     SELECT COALESCE(max(version), 0) + 1, $1, $2, $3, $4, $5 FROM price_books RETURNING ${PRICE_BOOK_COLUMNS.list}`,
    [book.document, book.sha256, book.effective_at, book.published_by, book.created_at],
  );
  if (stored === null) throw new Error('the price book was not stored');
  return stored;
}
