import { validationError } from '../errors';
import { CatalogueIndex } from '../catalogue-index';
import { attempt, issuesOf, together, withFirst, type BasketIssue } from '../basket/basket-refusal';
import { checkDestination, checkRegion } from '../basket/destination';
import { LineRefusal } from '../basket/line';
import type { Destination } from '../basket/quote-request';
import type { DeliveryDays, PriceBook, RushTerms } from '../price-book/price-book';
import { chooseOption, type DeliveryDates, shippingOptions } from '../shipping/options';
import { pack, type Parcels } from '../shipping/parcels';
import { withAlternatives } from './alternatives';
import { breakdownOf } from './breakdown';
import type { PriceQuoteInput, PricingInput } from './input';
import { priceLine, type LineResult } from './price-line';
import type { PricedBasket, PricedQuote } from './priced-quote';
import { deliveryDates, readyDate } from './ready-date';
import { totals, type Totals } from './totals';

/**
 * Prices a basket; all figures in cents (specification "POST /quotes").
 * @throws ApiError of the first issue, with all others. Delivery is judged last, so that only a basket that is otherwise right is shown
 * options: VALIDATION_ERROR, SHIPPING_ADDRESS_INCOMPLETE, then line by line PRODUCT_UNSUPPORTED, INVALID_QUANTITY, VALIDATION_ERROR,
 * PRODUCT_UNAVAILABLE, MAT_BELOW_MINIMUM, ARTWORK_REQUIRED or ARTWORK_NOT_ALLOWED, then SHIPPING_UNAVAILABLE (ruling 4)
 */
export function priceQuote(input: PriceQuoteInput): PricedQuote {
  const { request, book } = input;
  const [rush, shippingAddress, lines] = withAdvice(() => judgeQuote(input));
  const parcels = packed(input, lines);
  const dates = datesOf(input, rush);
  const options = shippingOptions(book.shipping, parcels, shippingAddress, estimatesFrom(book, dates.dueDate));
  const option = chooseOption(options, request.shippingMethodId, shippingAddress);
  const sums = totalsOf(input, lines, rush, { shippingCents: option.priceCents, country: shippingAddress.country });
  const { sumCents: _sum, topUpCents: _topUp, ...figures } = sums;
  return {
    currency: book.currency,
    pricingVersion: input.pricingVersion,
    lines: lines.map(({ line }) => line),
    jobs: lines.map(({ job }) => job),
    ...figures,
    ...dates,
    estimatedDeliveryDates: option.estimatedDeliveryDates,
    breakdown: breakdownOf(input, lines, parcels, sums, { methodId: option.id, address: shippingAddress }),
    shippingMethod: option.id,
    shippingAddress,
  };
}

/**
 * The figures of a basket without delivery, and the delivery options where it is known where it goes (ruling 72).
 * @throws ApiError as `priceQuote` does, but SHIPPING_UNAVAILABLE
 */
export function priceBasket(input: PricingInput, destination: Destination | null): PricedBasket {
  const { book } = input;
  const [rush, region, lines] = judgeBasket(input, () => (destination === null ? null : checkRegion(destination)));
  const sums = totalsOf(input, lines, rush, { shippingCents: 0, country: region?.country ?? book.tax.country });
  const { sumCents: _sum, topUpCents: _topUp, shippingCents: _shipping, ...figures } = sums;
  const { dueDate, promisedReadyDate } = datesOf(input, rush);
  return {
    lines: lines.map(({ line }) => line),
    ...figures,
    promisedReadyDate,
    shippingOptions: region === null ? null : shippingOptions(book.shipping, packed(input, lines), region, estimatesFrom(book, dueDate)),
  };
}

/** What is wrong with a quote's basket, delivery apart. */
export function quoteIssues(input: PriceQuoteInput): BasketIssue[] {
  const { refusal } = attempt(() => judgeQuote(input));
  return refusal === undefined ? [] : issuesOf(refusal);
}

const judgeQuote = (input: PriceQuoteInput) => judgeBasket(input, () => checkDestination(input.request.shippingAddress));

function judgeBasket<T>(input: PricingInput, destination: () => T): [RushTerms | null, T, LineResult[]] {
  return together<[RushTerms | null, T, LineResult[]]>(
    () => rushTerms(input),
    destination,
    () => priceLines(input),
  );
}

/** The first refusal says what would work. Trying ids for each would take too long (ruling 41). */
function withAdvice<T>(judge: () => T): T {
  const { result, refusal } = attempt(judge);
  if (refusal === undefined) return result as T;
  // Alternatives are tried without judging artwork: it is not chosen from a list, and another material does not change it.
  throw withFirst(refusal, (first) =>
    first instanceof LineRefusal ? withAlternatives(first, (other) => void priceLine(other, null)) : first,
  );
}

/** The terms of a faster tier; null for standard turnaround. VALIDATION_ERROR for critical while it is switched off. */
function rushTerms({ request, book, criticalRushEnabled }: PricingInput): RushTerms | null {
  if (request.rushTier === 'express') return book.rush.express;
  if (request.rushTier !== 'critical') return null;
  if (criticalRushEnabled) return book.rush.critical;
  throw validationError([{ path: 'rushTier', message: 'critical is switched off at present; send "express", "standard" or nothing' }]);
}

function priceLines({ request, catalogue, withdrawn, book, ownsArtwork }: PricingInput): LineResult[] {
  const index = new CatalogueIndex(catalogue, withdrawn);
  return together(...request.items.map((item, at) => () => priceLine({ index: at, item, catalogue: index, book }, ownsArtwork)));
}

const packed = ({ book }: PricingInput, lines: readonly LineResult[]): Parcels[] =>
  pack(
    book.shipping,
    lines.map(({ piece, line }) => ({ piece, quantity: line.quantity })),
  );

function totalsOf(
  { book, account }: PricingInput,
  lines: readonly LineResult[],
  rush: RushTerms | null,
  to: { shippingCents: number; country: string },
): Totals {
  const amountsCents = lines.map(({ line }) => line.amountCents);
  return totals(book, { amountsCents, tradeDiscountBps: account.tradeDiscountBps, rush, ...to });
}

const estimatesFrom =
  (book: PriceBook, readyOn: string) =>
  (days: DeliveryDays): DeliveryDates =>
    deliveryDates(book, readyOn, days);

function datesOf({ book, now }: PricingInput, rush: RushTerms | null): Pick<PricedQuote, 'dueDate' | 'promisedReadyDate'> {
  const dueDate = readyDate(book, now, rush?.businessDays ?? book.standardBusinessDays);
  return { dueDate, promisedReadyDate: rush === null ? null : dueDate };
}
