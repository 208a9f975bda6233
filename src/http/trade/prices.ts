import Joi from 'joi';
import { tryCheck, limitIssues, issuesOf, withOthers } from '../../domain/basket/basket-refusal';
import type { Basket, Destination } from '../../domain/basket/quote-request';
import { type ApiError, type ValidationIssue, validationError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { priceBasket } from '../../domain/pricing';
import type { PricingInput } from '../../domain/pricing/input';
import type { PricedBasket } from '../../domain/pricing/priced-quote';
import { type BasketOutcome, type presentPrice, presentPrices } from '../../presenters/prices';
import { BASKET_EXAMPLE, PRICES_EXAMPLE } from '../openapi/examples';
import { BASKET_ISSUE, SHIPPING_OPTION } from '../openapi/errors';
import * as json from '../openapi/json';
import { CURRENCY, LINE } from '../openapi/resources';
import { objectComponent } from '../schemas/json-schema';
import { destinationField } from '../schemas/shipping-address';
import type { HandlerResponse, EndpointRow, JsonObject, TradeRequest } from '../types';
import { boundedListField, pricedItemsField, rushTierField } from './baskets/fields';
import { type IsRefused, toCheckableRequest, objectOrEmpty, unreportedIssues } from './baskets/checkable-request';
import { loadPricingTerms } from './baskets/pricing-terms';

interface BasketToPrice extends Basket {
  shippingAddress?: Destination | null;
}

interface PricesRequest {
  baskets: BasketToPrice[];
}

const basketField = objectComponent('BasketToPrice', {
  items: pricedItemsField,
  shippingAddress: destinationField.allow(null).description('where it would go: then the price has the delivery options'),
  rushTier: rushTierField,
});

export const pricesRequest = Joi.object({
  baskets: boundedListField(basketField, LIMITS.basketsPerPrices).description('each is priced by itself'),
});

type PresentedPrices = ReturnType<typeof presentPrices>;

const PRICE = json.resource<ReturnType<typeof presentPrice>>('Price', {
  lines: json.list(LINE, 'one for each item sent, in that order'),
  subtotalCents: json.cents('sum of the amounts, and the minimum top-up where there is one'),
  discountCents: json.cents('taken off the subtotal'),
  discountReason: json.nullable(json.string('a stable slug (`trade`)')),
  discountLabel: json.nullable(json.string('the same for people')),
  rushFeeCents: json.cents('for the rush tier; 0 without one'),
  promisedReadyDate: json.nullable(json.date("the studio's calendar date, if it were ordered now, where a rush tier promises one")),
  totalCents: json.cents('subtotalCents − discountCents + rushFeeCents, without delivery'),
  gstCents: json.cents("tax contained in the total; without an address that of the studio's own country"),
  shippingOptions: json.nullable(json.list(SHIPPING_OPTION, 'what it can be sent by, with prices; null without an address')),
});

const PRICES = json.resource<PresentedPrices>(
  'Prices',
  {
    currency: CURRENCY,
    pricingVersion: json.integer('which price book; for information only'),
    baskets: json.list(
      json.object<PresentedPrices['baskets'][number]>(
        {
          price: json.nullable({ ...PRICE, description: 'null where the basket cannot be priced' }),
          issues: json.list(BASKET_ISSUE, 'why there is no price, paths within the basket; empty where there is one'),
          omitted: json.integer('how many more issues there are than are listed'),
        },
        { optional: ['omitted'] },
      ),
      'one for each basket sent, in that order: its price, or its issues',
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
    summary: 'Prices of baskets now, without artwork and without a hold',
    description:
      'For product pages and carts. It stores nothing and holds no price: `POST /quotes` does. A basket that cannot be priced has `issues`; the others are priced all the same.',
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

/** On live rows, without artwork (ruling 72). */
async function calculatePrices({ deps, caller, body }: TradeRequest<PricesRequest>): Promise<HandlerResponse> {
  const terms = await loadPricingTerms(deps, caller.accountId, deps.clock.now());
  const baskets = body.baskets.map((basket) => toBasketOutcome(terms, basket));
  return { data: presentPrices({ currency: terms.book.currency, pricingVersion: terms.pricingVersion, baskets }) };
}

type Terms = Omit<PricingInput, 'request' | 'ownsArtwork'>;

const priceForTerms = (terms: Terms, basket: BasketToPrice): PricedBasket =>
  priceBasket({ ...terms, request: basket, ownsArtwork: null }, basket.shippingAddress ?? null);

function toBasketOutcome(terms: Terms, basket: BasketToPrice): BasketOutcome {
  const { result, refusal } = tryCheck(() => priceForTerms(terms, basket));
  return refusal === undefined ? { price: result } : limitIssues(issuesOf(refusal));
}

/** The schema's refusal, with what else is wrong with the baskets. */
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
