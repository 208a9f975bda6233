import type { ValidationIssue } from '../errors';

/** Currencies of invoices and of published books. */
export interface CurrenciesInUse {
  /** The currency of the invoices in both environments; null without invoices. */
  invoiced: string | null;
  /** The currency of the newest published book; null if there is none or it is unreadable. */
  newest: string | null;
  /** Whether a published book is not effective yet. */
  hasUpcomingBook: boolean;
}

/**
 * Returns the issue if a book's currency prevents its publication. All invoices must have one currency, because balances and statements add
 * up their amounts. Before the first invoice a book may change the currency, effective at once. Quotes in the old currency can then no
 * longer be ordered.
 */
export function currencyIssue(book: { currency: string; isForLater: boolean }, inUse: CurrenciesInUse): ValidationIssue | null {
  const { currency, isForLater } = book;
  const { invoiced, newest, hasUpcomingBook } = inUse;
  if (invoiced !== null && currency !== invoiced)
    return {
      path: 'book.currency',
      message: `must be ${invoiced}, because invoices, live or test, were already issued in it`,
    };
  if (newest === null || currency === newest) return null;
  if (isForLater)
    return { path: 'effectiveAt', message: `must be left out: a book that changes the currency from ${newest} takes effect at once` };
  if (hasUpcomingBook)
    return { path: 'book.currency', message: `must be ${newest} until the last published book, which uses it, is in force` };
  return null;
}
