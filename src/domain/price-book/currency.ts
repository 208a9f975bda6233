import type { ValidationIssue } from '../errors';

/** Currencies of invoices and of published books. */
export interface CurrenciesInUse {
  /** Of the invoices in both environments; null without invoices. */
  invoiced: string | null;
  /** Of the newest published book; null if there is none or it is unreadable. */
  newest: string | null;
  /** Whether a published book is not effective yet. */
  hasUpcomingBook: boolean;
}

/**
 * Why a book cannot be published because of its currency. Invoices, balances and statements add up amounts, so all invoices have one
 * currency. Before the first invoice a book may change it, effective at once. Quotes in the old currency can then no longer be ordered.
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
