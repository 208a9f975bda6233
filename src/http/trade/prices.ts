import { checkArtworkOfLine } from '../../domain/artwork-checks';
import { tryCheck, limitIssues, issuesOf, withOthers } from '../../domain/basket/basket-refusal';
import { type ApiError, type ValidationIssue, validationError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { priceBasket } from '../../domain/pricing';
import type { PricingInput } from '../../domain/pricing/input';
import type { PricedBasket } from '../../domain/pricing/priced-quote';
import { type BasketOutcome, type presentPrice, presentPrices } from '../../presenters/prices';
import { BASKET_EXAMPLE, PRICES_EXAMPLE } from '../openapi/examples';
import { BASKET_ISSUE, SHIPPING_OPTION } from '../openapi/errors';
import * as json from '../openapi/json';
import { CHECKED_LINE, CURRENCY } from '../openapi/resources';
import { objectComponent } from '../schemas/json-schema';
import { destinationField } from '../schemas/shipping-address';
import { type BodyOf, bodySchema, nullable, optional } from '../schemas/text';
import type { HandlerResponse, EndpointRow, JsonObject, TradeRequest } from '../types';
import { boundedListField, pricedItemsField, rushTierField } from './baskets/fields';
import { type IsRefused, toCheckableRequest, objectOrEmpty, unreportedIssues } from './baskets/checkable-request';
import { loadPricingTerms, type PricingTermsWithArtwork } from './baskets/pricing-terms';

const basketField = objectComponent('BasketToPrice', {
  items: pricedItemsField,
  shippingAddress: optional(nullable(destinationField)).description('the destination; with it the price contains the delivery options'),
  rushTier: optional(rushTierField),
});

type BasketToPrice = BodyOf<typeof pricesRequest>['baskets'][number];

export const pricesRequest = bodySchema({
  baskets: boundedListField(basketField, LIMITS.basketsPerPrices).description('the baskets; each has a separate price'),
});

type PresentedPrices = ReturnType<typeof presentPrices>;

const PRICE = json.resource<ReturnType<typeof presentPrice>>('Price', {
  lines: json.list(CHECKED_LINE, 'one line for each item, in the order of the request'),
  subtotalCents: json.cents('the sum of the amounts with the minimum top-up'),
  discountCents: json.cents('the discount on the subtotal'),
  discountReason: json.nullable(json.string('a stable slug, such as `trade`')),
  discountLabel: json.nullable(json.string('the discount in words')),
  rushFeeCents: json.cents('the fee of the rush tier; 0 without one'),
  promisedReadyDate: json.nullable(
    json.date("the promised day on the studio's calendar for an order placed now; null without a rush tier that promises one"),
  ),
  totalCents: json.cents('subtotalCents − discountCents + rushFeeCents, without delivery'),
  gstCents: json.cents("the tax contained in the total; without an address the tax of the studio's country"),
  shippingOptions: json.nullable(json.list(SHIPPING_OPTION, 'the delivery methods with prices; null without an address')),
});

const PRICES = json.resource<PresentedPrices>(
  'Prices',
  {
    currency: CURRENCY,
    pricingVersion: json.integer('the version of the price book, for information only'),
    baskets: json.list(
      json.object<PresentedPrices['baskets'][number]>(
        {
          price: json.nullable({ ...PRICE, description: 'null if the basket has issues' }),
          issues: json.list(BASKET_ISSUE, 'the reasons why there is no price, with paths within the basket; empty if there is a price'),
          omitted: json.integer('the number of further issues'),
        },
        { optional: ['omitted'] },
      ),
      'one result for each basket, in the order of the request: its price or its issues',
    ),
  },
  { example: PRICES_EXAMPLE },
);

export const PRICES_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'POST',
    path: '/prices',
    scope: 'price:read',
    perMinute: 120,
    body: pricesRequest,
    bodyBytes: LIMITS.pricesBodyBytes,
    id: 'calculatePrices',
    summary: 'Price baskets',
    description:
      'Use it for product pages and carts. It needs no artwork, stores nothing and holds no price: use `POST /quotes` for that. A basket that cannot be priced has `issues`; the other baskets still have prices.',
    response: PRICES,
    requestExample: { baskets: [exampleBasket()] },
    handler: calculatePrices,
    refusal: refusePrices,
  },
];

function exampleBasket(): unknown {
  const { postcode, country } = BASKET_EXAMPLE.shippingAddress;
  return { items: BASKET_EXAMPLE.items.map(({ imageUrl: _, ...item }) => item), shippingAddress: { postcode, country } };
}

/** Uses the current catalogue. Artwork is optional, and is checked if the account may order it. */
async function calculatePrices({ deps, caller, body }: TradeRequest<BodyOf<typeof pricesRequest>>): Promise<HandlerResponse> {
  const urls = new Set(body.baskets.flatMap(({ items }) => items.flatMap(({ imageUrl }) => imageUrl ?? [])));
  const terms = await loadPricingTerms(deps, caller.accountId, deps.clock.now(), [...urls]);
  const baskets = body.baskets.map((basket) => toBasketOutcome(terms, basket));
  return { data: presentPrices({ currency: terms.book.currency, pricingVersion: terms.pricingVersion, baskets }) };
}

type Terms = Omit<PricingInput, 'request' | 'ownsArtwork'>;

const priceForTerms = (terms: Terms, basket: BasketToPrice): PricedBasket =>
  priceBasket({ ...terms, request: basket, ownsArtwork: null }, basket.shippingAddress ?? null);

function toBasketOutcome({ inspections, ...terms }: PricingTermsWithArtwork, basket: BasketToPrice): BasketOutcome {
  const { result, refusal } = tryCheck(() => priceForTerms(terms, basket));
  if (refusal !== undefined) return limitIssues(issuesOf(refusal));
  const checks = basket.items.map(({ productSlug, variantSelections, imageUrl = null }) =>
    checkArtworkOfLine({ productSlug, selections: variantSelections, imageUrl }, inspections),
  );
  return { price: result, checks };
}

/** Adds the other issues of the baskets to the schema error. */
async function refusePrices({ deps, caller, body }: TradeRequest<JsonObject>, issues: ValidationIssue[]): Promise<ApiError> {
  const refused = new Set(issues.map(({ path }) => path));
  const baskets = Array.isArray(body['baskets']) && !refused.has('baskets') ? (body['baskets'] as unknown[]) : [];
  const terms = await loadPricingTerms(deps, caller.accountId, deps.clock.now());
  const others = baskets.flatMap((basket, index) => {
    const isRefused: IsRefused = (path) => refused.has(`baskets.${index}.${path}`);
    const { refusal } = tryCheck(() => priceForTerms(terms, toCheckableBasket(basket, isRefused)));
    const basketIssues = refusal === undefined ? [] : issuesOf(refusal);
    return unreportedIssues(basketIssues, isRefused).map((issue) => ({ ...issue, path: `baskets.${index}.${issue.path}` }));
  });
  return withOthers(validationError(issues), others);
}

function toCheckableBasket(basket: unknown, isRefused: IsRefused): BasketToPrice {
  const body = objectOrEmpty(basket);
  const { shippingAddress, ...rest } = toCheckableRequest(body, isRefused);
  return { ...rest, shippingAddress: body['shippingAddress'] === undefined || body['shippingAddress'] === null ? null : shippingAddress };
}
