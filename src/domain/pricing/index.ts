import { validationError } from '../errors';
import type { PricedQuote } from './priced-quote';
import { CatalogueIndex } from '../catalogue-index';
import { checkDestination } from '../basket/destination';
import type { RushTerms } from '../price-book/price-book';
import { breakdownOf } from './breakdown';
import type { PriceQuoteInput } from './input';
import { priceLine, type LineResult } from './price-line';
import { deliveryDates, readyDate } from './ready-date';
import { chooseOption, shippingOptions } from '../shipping/options';
import { pack } from '../shipping/parcels';
import { totals, type Totals } from './totals';

/**
 * Prices a basket; all figures in cents (specification "POST /quotes").
 * @throws ApiError of the first issue. Delivery is judged last, so that only a basket that is otherwise right is shown options:
 * VALIDATION_ERROR, SHIPPING_ADDRESS_INCOMPLETE, then line by line PRODUCT_UNSUPPORTED, INVALID_QUANTITY, VALIDATION_ERROR,
 * PRODUCT_UNAVAILABLE, MAT_BELOW_MINIMUM, ARTWORK_REQUIRED or ARTWORK_NOT_ALLOWED, then SHIPPING_UNAVAILABLE (ruling 4)
 */
export function priceQuote(input: PriceQuoteInput): PricedQuote {
  const { request, book } = input;
  const rush = rushTerms(input);
  const shippingAddress = checkDestination(request.shippingAddress);
  const lines = priceLines(input);
  const parcels = pack(
    book.shipping,
    lines.map(({ piece, line }) => ({ piece, quantity: line.quantity })),
  );
  const dueDate = readyDate(book, input.now, rush?.businessDays ?? book.standardBusinessDays);
  const options = shippingOptions(book.shipping, parcels, shippingAddress, (days) => deliveryDates(book, dueDate, days));
  const option = chooseOption(options, request.shippingMethodId, shippingAddress);
  const sums = totals(book, {
    amountsCents: lines.map(({ line }) => line.amountCents),
    tradeDiscountBps: input.account.tradeDiscountBps,
    rush,
    shippingCents: option.priceCents,
    country: shippingAddress.country,
  });
  const promisedReadyDate = rush === null ? null : dueDate;
  const breakdown = breakdownOf(input, lines, parcels, sums, { methodId: option.id, address: shippingAddress });
  const { id: shippingMethod, estimatedDeliveryDates } = option;
  return { ...quoteOf(input, lines, sums), breakdown, shippingMethod, promisedReadyDate, dueDate, estimatedDeliveryDates, shippingAddress };
}

/** The terms of a faster tier; null for standard turnaround. VALIDATION_ERROR for critical while it is switched off. */
function rushTerms({ request, book, criticalRushEnabled }: PriceQuoteInput): RushTerms | null {
  if (request.rushTier === 'express') return book.rush.express;
  if (request.rushTier !== 'critical') return null;
  if (criticalRushEnabled) return book.rush.critical;
  throw validationError([{ path: 'rushTier', message: 'critical is switched off at present; send "express", "standard" or nothing' }]);
}

function priceLines({ request, catalogue, withdrawn, book, ownsArtwork }: PriceQuoteInput): LineResult[] {
  const index = new CatalogueIndex(catalogue, withdrawn);
  return request.items.map((item, at) => priceLine({ index: at, item, catalogue: index, book }, ownsArtwork));
}

type Figures = Omit<
  PricedQuote,
  'shippingMethod' | 'promisedReadyDate' | 'dueDate' | 'estimatedDeliveryDates' | 'shippingAddress' | 'breakdown'
>;

function quoteOf(input: PriceQuoteInput, lines: LineResult[], sums: Totals): Figures {
  const { sumCents: _sum, topUpCents: _topUp, ...figures } = sums;
  return {
    currency: input.book.currency,
    pricingVersion: input.pricingVersion,
    lines: lines.map(({ line }) => line),
    jobs: lines.map(({ job }) => job),
    ...figures,
  };
}
