import type { Basket, QuoteRequest } from '../basket/quote-request';
import type { StoredCatalogue } from '../catalogue';
import type { WithdrawnLookup } from '../catalogue-index';
import type { PriceBook } from '../price-book/price-book';

/** What prices a basket. */
export interface PricingInput {
  /** Already checked against the schema. */
  request: Basket;
  catalogue: StoredCatalogue;
  /** Only the wording of refusals depends on it. */
  withdrawn?: WithdrawnLookup;
  book: PriceBook;
  pricingVersion: number;
  account: { tradeDiscountBps: number };
  /** Null: artwork is not judged. */
  ownsArtwork: ((url: string) => boolean) | null;
  criticalRushEnabled: boolean;
  now: Date;
}

export interface PriceQuoteInput extends PricingInput {
  request: QuoteRequest;
}
