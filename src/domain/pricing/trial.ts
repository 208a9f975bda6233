import { ApiError } from '../errors';
import type { QuoteRequest } from '../basket/quote-request';
import type { PriceBook } from '../price-book/price-book';
import { priceQuote } from './index';
import type { PriceQuoteInput } from './input';
import type { PricedJob, PricedLine, PricedQuote } from './priced-quote';

/** The part of a quote that pricing it again needs. */
interface PastQuote {
  request: Omit<QuoteRequest, 'items'>;
  jobs: readonly PricedJob[];
  lines: readonly PricedLine[];
  createdAt: Date;
}

interface LineChange {
  /** From 0, as in the quote's `lines`. */
  line: number;
  productName: string;
  quantity: number;
  beforeCents: number;
  afterCents: number;
}

export type QuoteTrial =
  | { outcome: 'priced'; lines: LineChange[]; before: PricedQuote; after: PricedQuote }
  /** The quote can no longer be priced as requested, with any book. */
  | { outcome: 'gone'; reason: string }
  | { outcome: 'refused'; reason: string };

type Terms = Omit<PriceQuoteInput, 'request' | 'book' | 'pricingVersion' | 'ownsArtwork' | 'criticalRushEnabled' | 'now'>;

/**
 * Prices a quote by the effective book and by a draft. Both use the current catalogue and discount, so that all differences come from the
 * draft.
 */
export function tryQuote(quote: PastQuote, terms: Terms, books: { inForce: PriceBook; draft: PriceBook }): QuoteTrial {
  const before = priceWithBook(quote, terms, books.inForce);
  if (before instanceof ApiError) return { outcome: 'gone', reason: before.message };
  const after = priceWithBook(quote, terms, books.draft);
  if (after instanceof ApiError) return { outcome: 'refused', reason: after.message };
  return { outcome: 'priced', lines: changedLines(before, after), before, after };
}

/** Skips the checks of artwork ownership and of critical rush, which the quote has passed. */
function priceWithBook(quote: PastQuote, terms: Terms, book: PriceBook): PricedQuote | ApiError {
  const request = { ...quote.request, items: quote.jobs.map((job) => toQuoteItem(job)) };
  try {
    return priceQuote({
      ...terms,
      request,
      book,
      pricingVersion: 0,
      ownsArtwork: () => true,
      criticalRushEnabled: true,
      now: quote.createdAt,
    });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const toQuoteItem = ({ productSlug, quantity, selections, imageUrl }: PricedJob) => ({
  productSlug,
  quantity,
  variantSelections: selections,
  imageUrl,
});

function changedLines(before: PricedQuote, after: PricedQuote): LineChange[] {
  return after.lines.flatMap((line, index) => {
    const beforeCents = before.lines[index]?.amountCents ?? 0;
    if (beforeCents === line.amountCents) return [];
    return [{ line: index, productName: line.productName, quantity: line.quantity, beforeCents, afterCents: line.amountCents }];
  });
}
