import type { PriceBookRow, PriceBookSummary } from '../db/repositories/price-books';

/** A price book without its figures. */
export function presentPriceBookSummary(book: PriceBookSummary) {
  return {
    version: book.version,
    sha256: book.sha256,
    effectiveAt: book.effective_at.toISOString(),
    publishedBy: book.published_by,
    createdAt: book.created_at.toISOString(),
  };
}

export function presentPriceBook(row: PriceBookRow) {
  return { ...presentPriceBookSummary(row), book: JSON.parse(row.document) as unknown };
}
