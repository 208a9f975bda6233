import type { QuoteRequest } from '../basket/quote-request';
import type { StoredCatalogue } from '../catalogue';
import type { WithdrawnLookup } from '../catalogue-index';
import type { PriceBook } from '../price-book/price-book';

export interface PriceQuoteInput {
  /** Already checked against the schema of `POST /quotes`. */
  request: QuoteRequest;
  catalogue: StoredCatalogue;
  /** Only the wording of refusals depends on it. */
  withdrawn?: WithdrawnLookup;
  book: PriceBook;
  pricingVersion: number;
  account: { tradeDiscountBps: number };
  ownsArtwork: (url: string) => boolean;
  criticalRushEnabled: boolean;
  now: Date;
}
