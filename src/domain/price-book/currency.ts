import type { ValidationIssue } from '../errors';

/** What is invoiced, priced and to come when a book is published. */
export interface CurrenciesInUse {
  /** Of what is invoiced in either environment; null: nothing is. */
  invoiced: string | null;
  /** Of the newest published book; null: there is none, or it cannot be read. */
  newest: string | null;
  /** A published book is still to come into force. */
  hasUpcomingBook: boolean;
}

/**
 * Why a book cannot be published for its currency. Invoices, balances and statements add up amounts, so everything invoiced has one
 * currency. Until something is invoiced a book may change it, at once: quotes in the old currency cannot be ordered any more.
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
