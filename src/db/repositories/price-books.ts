import { columns } from '../columns';
import type { Sql } from '../database';
import { pageOfList, type PageMark } from '../keyset';

export interface PriceBookSummary {
  version: number;
  sha256: string;
  effective_at: Date;
  published_by: string;
  created_at: Date;
}

export interface PriceBookRow extends PriceBookSummary {
  /** JSON text, as hashed. */
  document: string;
}

const SUMMARY = columns<PriceBookSummary>('price_books')('version', 'sha256', 'effective_at', 'published_by', 'created_at');
export const PRICE_BOOK_COLUMNS = columns<PriceBookRow>('price_books')(...SUMMARY.names, 'document');

/** Newest version first. */
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
