import type { BasketIssue } from '../domain/basket/basket-refusal';
import type { ArtworkChecks } from '../domain/artwork-checks';
import type { PricedBasket } from '../domain/pricing/priced-quote';
import { fieldsOf } from './fields';
import { presentLine } from './orders';

/** The amounts of a basket before delivery. */
export function presentPrice(price: PricedBasket, checks: readonly (ArtworkChecks | null)[]) {
  return {
    lines: price.lines.map((line, index) => ({ ...presentLine(line), artworkChecks: checks[index] ?? null })),
    ...fieldsOf(price, 'subtotalCents', 'discountCents', 'discountReason', 'discountLabel', 'rushFeeCents', 'promisedReadyDate'),
    ...fieldsOf(price, 'totalCents', 'gstCents', 'shippingOptions'),
  };
}

/** The price of a basket, or its issues. `omitted` counts further issues. */
export type BasketOutcome =
  { price: PricedBasket; checks: readonly (ArtworkChecks | null)[] } | { issues: BasketIssue[]; omitted?: number };

interface PresentedBasket {
  price: ReturnType<typeof presentPrice> | null;
  issues: BasketIssue[];
  omitted?: number;
}

interface PricesView {
  currency: string;
  pricingVersion: number;
  baskets: readonly BasketOutcome[];
}

export function presentPrices({ currency, pricingVersion, baskets }: PricesView) {
  return { currency, pricingVersion, baskets: baskets.map(presentBasket) };
}

const presentBasket = (basket: BasketOutcome): PresentedBasket =>
  'price' in basket ? { price: presentPrice(basket.price, basket.checks), issues: [] } : { price: null, ...basket };
