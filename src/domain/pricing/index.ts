import { validationError } from '../errors';
import { CatalogueIndex } from '../catalogue-index';
import { tryCheck, issuesOf, checkAll, mapFirst, type BasketIssue } from '../basket/basket-refusal';
import { checkDestination, checkRegion } from '../basket/destination';
import { LineRefusal } from '../basket/line';
import type { Destination } from '../basket/quote-request';
import type { DeliveryDays, PriceBook, RushTerms } from '../price-book/price-book';
import { chooseOption, type DeliveryDates, shippingOptions } from '../shipping/options';
import { pack, type ParcelGroup } from '../shipping/parcels';
import { withAlternatives } from './alternatives';
import { breakdownOf } from './breakdown';
import type { PriceQuoteInput, PricingInput } from './input';
import { priceLine, type LineResult } from './price-line';
import type { PricedBasket, PricedQuote } from './priced-quote';
import { deliveryDates, readyDate } from './ready-date';
import { isTaxed, totals, type Totals } from './totals';

/**
 * Prices a basket; all figures in cents (specification "POST /quotes").
 * @throws ApiError of the first issue with all others, in this order: VALIDATION_ERROR, SHIPPING_ADDRESS_INCOMPLETE, then per line
 * PRODUCT_UNSUPPORTED, INVALID_QUANTITY, VALIDATION_ERROR, PRODUCT_UNAVAILABLE, MAT_BELOW_MINIMUM, ARTWORK_REQUIRED or ARTWORK_NOT_ALLOWED,
 * then SHIPPING_UNAVAILABLE (ruling 4). Delivery is last, because only a valid basket gets delivery options.
 */
export function priceQuote(input: PriceQuoteInput): PricedQuote {
  const { request, book } = input;
  const [rush, shippingAddress, lines] = addAlternatives(() => checkQuote(input));
  const parcels = packLines(input, lines);
  const dates = datesOf(input, rush);
  const options = shippingOptions(book.shipping, parcels, shippingAddress, deliveryEstimator(book, dates.dueDate));
  const option = chooseOption(options, request.shippingMethodId, shippingAddress);
  const taxed = isTaxed(book.tax, shippingAddress, option.isCollection);
  const sums = totalsOf(input, lines, rush, { shippingCents: option.priceCents, isTaxed: taxed });
  const { sumCents: _sum, topUpCents: _topUp, ...figures } = sums;
  return {
    currency: book.currency,
    pricingVersion: input.pricingVersion,
    lines: lines.map(({ line }) => line),
    jobs: lines.map(({ job }) => job),
    ...figures,
    ...dates,
    estimatedDeliveryDates: option.estimatedDeliveryDates,
    breakdown: breakdownOf(input, lines, parcels, sums, { methodId: option.id, address: shippingAddress, isTaxed: taxed }),
    shippingMethod: option.id,
    isCollection: option.isCollection,
    shippingAddress,
  };
}

/**
 * Prices a basket without delivery, and returns its delivery options if the destination is known.
 * @throws ApiError like `priceQuote`, except SHIPPING_UNAVAILABLE
 */
export function priceBasket(input: PricingInput, destination: Destination | null): PricedBasket {
  const { book } = input;
  const [rush, region, lines] = checkBasket(input, () => (destination === null ? null : checkRegion(destination)));
  const sums = totalsOf(input, lines, rush, { shippingCents: 0, isTaxed: region === null || isTaxed(book.tax, region, false) });
  const { sumCents: _sum, topUpCents: _topUp, shippingCents: _shipping, ...figures } = sums;
  const { dueDate, promisedReadyDate } = datesOf(input, rush);
  return {
    lines: lines.map(({ line }) => line),
    ...figures,
    promisedReadyDate,
    shippingOptions:
      region === null ? null : shippingOptions(book.shipping, packLines(input, lines), region, deliveryEstimator(book, dueDate)),
  };
}

/** Issues of a quote's basket, except delivery. */
export function quoteIssues(input: PriceQuoteInput): BasketIssue[] {
  const { refusal } = tryCheck(() => checkQuote(input));
  return refusal === undefined ? [] : issuesOf(refusal);
}

const checkQuote = (input: PriceQuoteInput) => checkBasket(input, () => checkDestination(input.request.shippingAddress));

function checkBasket<T>(input: PricingInput, destination: () => T): [RushTerms | null, T, LineResult[]] {
  return checkAll<[RushTerms | null, T, LineResult[]]>(
    () => findRushTerms(input),
    destination,
    () => priceLines(input),
  );
}

/** Adds alternatives to the first refusal only, because trying ids for each one would take too long. */
function addAlternatives<T>(check: () => T): T {
  const { result, refusal } = tryCheck(check);
  if (refusal === undefined) return result as T;
  // Tries alternatives without artwork checks, because another material does not change the artwork.
  throw mapFirst(refusal, (first) =>
    first instanceof LineRefusal ? withAlternatives(first, (other) => void priceLine(other, null)) : first,
  );
}

/** Returns the terms of a faster tier; null for standard turnaround. Throws VALIDATION_ERROR for critical rush while it is switched off. */
function findRushTerms({ request, book, criticalRushEnabled }: PricingInput): RushTerms | null {
  if (request.rushTier === 'express') return book.rush.express;
  if (request.rushTier !== 'critical') return null;
  if (criticalRushEnabled) return book.rush.critical;
  throw validationError([
    { path: 'rushTier', message: 'critical is not available now; send "express" or "standard", or leave rushTier out' },
  ]);
}

function priceLines({ request, catalogue, withdrawn, book, ownsArtwork }: PricingInput): LineResult[] {
  const index = new CatalogueIndex(catalogue, withdrawn);
  return checkAll(...request.items.map((item, at) => () => priceLine({ index: at, item, catalogue: index, book }, ownsArtwork)));
}

const packLines = ({ book }: PricingInput, lines: readonly LineResult[]): ParcelGroup[] =>
  pack(
    book.shipping,
    lines.map(({ piece, line }) => ({ piece, quantity: line.quantity })),
  );

function totalsOf(
  { book, account }: PricingInput,
  lines: readonly LineResult[],
  rush: RushTerms | null,
  to: { shippingCents: number; isTaxed: boolean },
): Totals {
  const amountsCents = lines.map(({ line }) => line.amountCents);
  return totals(book, { amountsCents, tradeDiscountBps: account.tradeDiscountBps, rush, ...to });
}

const deliveryEstimator =
  (book: PriceBook, readyOn: string) =>
  (days: DeliveryDays): DeliveryDates =>
    deliveryDates(book, readyOn, days);

function datesOf({ book, now }: PricingInput, rush: RushTerms | null): Pick<PricedQuote, 'dueDate' | 'promisedReadyDate'> {
  const dueDate = readyDate(book, now, rush?.businessDays ?? book.standardBusinessDays);
  return { dueDate, promisedReadyDate: rush === null ? null : dueDate };
}
