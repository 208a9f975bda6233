import { ApiError } from '../errors';
import type { QuoteRequest } from '../basket/quote-request';
import type { PriceBook } from '../price-book/price-book';
import { priceQuote } from './index';
import type { PriceQuoteInput } from './input';
import type { PricedJob, PricedLine, PricedQuote } from './priced-quote';

/** A quote that was priced once, as far as it takes to price it again. */
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
  /** It cannot be priced any more as it was asked for, whatever the draft says. */
  | { outcome: 'gone'; reason: string }
  | { outcome: 'refused'; reason: string };

type Terms = Omit<PriceQuoteInput, 'request' | 'book' | 'pricingVersion' | 'ownsArtwork' | 'criticalRushEnabled' | 'now'>;

/** The quote priced by the book in force and by a draft, both on today's catalogue and discount: what differs is the draft's. */
export function tryQuote(quote: PastQuote, terms: Terms, books: { inForce: PriceBook; draft: PriceBook }): QuoteTrial {
  const before = priceWithBook(quote, terms, books.inForce);
  if (before instanceof ApiError) return { outcome: 'gone', reason: before.message };
  const after = priceWithBook(quote, terms, books.draft);
  if (after instanceof ApiError) return { outcome: 'refused', reason: after.message };
  return { outcome: 'priced', lines: changedLines(before, after), before, after };
}

/** Whose artwork it is was judged then, and so was whether critical work was taken. */
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
