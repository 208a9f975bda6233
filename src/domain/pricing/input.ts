import type { Basket, QuoteRequest } from '../basket/quote-request';
import type { StoredCatalogue } from '../catalogue';
import type { WithdrawnLookup } from '../catalogue-index';
import type { PriceBook } from '../price-book/price-book';

/** Everything that the price of a basket depends on. */
export interface PricingInput {
  /** Already validated against the schema. */
  request: Basket;
  catalogue: StoredCatalogue;
  /** Affects only the wording of refusals. */
  withdrawn?: WithdrawnLookup;
  book: PriceBook;
  pricingVersion: number;
  account: { tradeDiscountBps: number };
  /** Null skips artwork checks. */
  ownsArtwork: ((url: string) => boolean) | null;
  criticalRushEnabled: boolean;
  now: Date;
}

export interface PriceQuoteInput extends PricingInput {
  request: QuoteRequest;
}
