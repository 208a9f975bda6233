import type { HandlerDeps } from '../../deps';
import { checkQuoteArtwork } from '../../../artwork/arrivals';
import { expireQuoteNow, findQuote, insertQuote } from '../../../db/repositories/quotes';
import { findArtworkOfQuote } from '../../../db/repositories/checked-artwork';
import { rowFromFields } from '../../../db/columns';
import type { QuoteRow } from '../../../db/rows';
import { withOthers } from '../../../domain/basket/basket-refusal';
import { pickAddressFields } from '../../../domain/basket/destination';
import type { QuoteRequest } from '../../../domain/basket/quote-request';
import { type ApiError, type ValidationIssue, validationError } from '../../../domain/errors';
import { DEFAULT_RUSH_TIER, LIMITS } from '../../../domain/limits';
import { priceQuote, quoteIssues } from '../../../domain/pricing';
import type { PriceQuoteInput } from '../../../domain/pricing/input';
import type { PricedQuote } from '../../../domain/pricing/priced-quote';
import { alreadyOrderedError, orderIdOfQuote } from '../../../domain/quote-state';
import type { CheckedArtwork } from '../../../domain/artwork-checks';
import { presentQuote } from '../../../presenters/quotes';
import { newId } from '../../../security/ids';
import { BASKET_EXAMPLE, QUOTE_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { CHECKED_LINE, CURRENCY, DELIVERY_DATES, environmentSchema, METADATA } from '../../openapi/resources';
import { requireFound, pathId } from '../../path-id';
import { metadataField } from '../../schemas/metadata';
import { shippingAddressField } from '../../schemas/shipping-address';
import { type BodyOf, bodySchema, booleanField, nullable, optional, singleLineTextField } from '../../schemas/text';
import type { HandlerResponse, EndpointRow, JsonObject, TradeRequest } from '../../types';
import { quoteItemsField, rushTierField } from '../baskets/fields';
import { toCheckableRequest, unreportedIssues, type IsRefused } from '../baskets/checkable-request';
import { loadPricingTerms } from '../baskets/pricing-terms';

export const quoteRequest = bodySchema({
  items: quoteItemsField,
  shippingMethodId: optional(nullable(singleLineTextField(0, 100))).description(
    'the delivery method; without it the response lists the delivery methods',
  ),
  shippingAddress: shippingAddressField.description('the destination'),
  rushTier: optional(rushTierField),
  whiteLabel: optional(booleanField()).description(
    "the default is true; with false parcels show the studio's branding, and the customer of a live order gets a mail",
  ),
  reference: optional(nullable(singleLineTextField(1, LIMITS.referenceLength))).description(
    'your purchase order number; its order has it unless `POST /orders` sends another',
  ),
  metadata: optional(metadataField()).description('your own data; the quote, its order and webhooks return it'),
});

export const QUOTE = json.resource<ReturnType<typeof presentQuote>>(
  'Quote',
  {
    quoteId: json.id('quo', 'the id for `POST /orders`; a quote is valid for one order'),
    currency: CURRENCY,
    environment: environmentSchema,
    pricingVersion: json.integer('the version of the price book, for information only'),
    expiresAt: json.time('24 hours after creation; an expired quote can be read but not ordered'),
    consumedAt: json.nullable(json.time('the time of the order, kept if the order is cancelled')),
    reference: json.nullable(json.string('your reference, as sent')),
    lines: json.list(CHECKED_LINE, 'one line for each item, in the order of the request'),
    subtotalCents: json.cents('the sum of the amounts with the minimum top-up'),
    shippingCents: json.cents('delivery'),
    shippingMethod: json.nullable(json.string('the id of the chosen delivery method')),
    discountCents: json.cents('the discount on the subtotal'),
    discountReason: json.nullable(json.string('a stable slug, such as `trade`, for programs')),
    discountLabel: json.nullable(json.string('the discount in words')),
    rushFeeCents: json.cents('the fee of the rush tier; 0 without one'),
    promisedReadyDate: json.nullable(json.date("the promised day on the studio's calendar; null without a rush tier that promises one")),
    estimatedDeliveryDates: DELIVERY_DATES,
    totalCents: json.cents('the charge for an order: subtotalCents − discountCents + shippingCents + rushFeeCents'),
    gstCents: json.cents('the tax contained in the total, not added to it'),
    metadata: METADATA,
  },
  { example: QUOTE_EXAMPLE },
);

export const QUOTES_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'POST',
    path: '/quotes',
    scope: 'price:read',
    perMinute: 60,
    status: 201,
    body: quoteRequest,
    id: 'createQuote',
    summary: 'Create a quote',
    description:
      'Prices a basket and holds the price for 24 hours. Without `shippingMethodId` the response is the error `SHIPPING_UNAVAILABLE`. Its details list the delivery methods with their prices, and nothing is stored.',
    response: QUOTE,
    errorCodes: [
      'ARTWORK_NOT_ALLOWED',
      'ARTWORK_REQUIRED',
      'INVALID_QUANTITY',
      'MAT_BELOW_MINIMUM',
      'PRODUCT_UNAVAILABLE',
      'PRODUCT_UNSUPPORTED',
      'SHIPPING_ADDRESS_INCOMPLETE',
      'SHIPPING_UNAVAILABLE',
    ],
    requestExample: BASKET_EXAMPLE,
    links: {
      readIt: { operationId: 'getQuote', parameters: { id: '$response.body#/data/quoteId' }, description: 'Retrieves the quote.' },
      orderIt: { operationId: 'createOrder', requestBody: { quoteId: '$response.body#/data/quoteId' }, description: 'Orders it.' },
    },
    handler: createQuote,
    refusal: refuseQuote,
  },
  {
    method: 'GET',
    path: '/quotes/:id',
    scope: 'price:read',
    perMinute: 120,
    id: 'getQuote',
    summary: 'Retrieve a quote',
    response: QUOTE,
    links: {
      readBreakdown: {
        operationId: 'getQuoteBreakdown',
        parameters: { id: '$response.body#/data/quoteId' },
        description: 'Retrieves its breakdown.',
      },
    },
    handler: getQuote,
  },
  {
    method: 'POST',
    path: '/test/quotes/:id/expire',
    scope: 'orders:write',
    perMinute: 60,
    testOnly: true,
    id: 'expireTestQuote',
    summary: 'Expire a test quote',
    description:
      'Makes a test quote expire now, so ordering it returns `QUOTE_EXPIRED`. If the quote is already expired, the response is 200. With a live key the response is 404. The request needs no body.',
    response: QUOTE,
    errorCodes: ['QUOTE_ALREADY_ORDERED'],
    handler: expireQuote,
  },
];

async function createQuote(request: TradeRequest<BodyOf<typeof quoteRequest>>): Promise<HandlerResponse> {
  const now = request.deps.clock.now();
  const { inspections, ...input } = await loadPricingInput(request.deps, request.caller.accountId, request.body, now);
  const priced = priceQuote(input);
  const quote = await insertQuote(request.deps.database, newQuoteRow(request, priced, now));
  request.deps.metrics.quotesCreated.add(1, { environment: request.caller.environment });
  checkQuoteArtwork(request.deps, request.caller.accountId, artworkUrls(request.body));
  request.deps.workflowStarter.startQuoteTimer(quote.id, quote.expires_at); // not awaited, because the quote is valid without its timer
  return { data: presentQuote(quote, inspections) };
}

/** The checks of the artwork are made again at each request. */
async function getQuote(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const id = pathId(request, 'quo');
  const [quote, inspections] = await deps.database.snapshot((sql) =>
    Promise.all([findQuote(sql, caller.accountId, caller.environment, id), findArtworkOfQuote(sql, caller.accountId, id)]),
  );
  return { data: presentQuote(requireFound(request, 'quo', quote), inspections) };
}

/** The key is a test key, so the quote is a test quote. */
async function expireQuote(request: TradeRequest): Promise<HandlerResponse> {
  const { deps } = request;
  const { id } = await loadQuote(request);
  const expired = await expireQuoteNow(deps.database, id, deps.clock.now());
  if (expired === null && (await loadQuote(request)).consumed_at !== null) throw alreadyOrderedError(orderIdOfQuote(id));
  return getQuote(request);
}

export async function loadQuote(request: TradeRequest): Promise<QuoteRow> {
  const { deps, caller } = request;
  const quote = await findQuote(deps.database, caller.accountId, caller.environment, pathId(request, 'quo'));
  return requireFound(request, 'quo', quote);
}

/** Adds the other issues of the basket to the schema error. */
async function refuseQuote({ deps, caller, body }: TradeRequest<JsonObject>, issues: ValidationIssue[]): Promise<ApiError> {
  const refused = new Set(issues.map(({ path }) => path));
  const isRefused: IsRefused = (path) => refused.has(path);
  const input = await loadPricingInput(deps, caller.accountId, toCheckableRequest(body, isRefused), deps.clock.now());
  return withOthers(validationError(issues), unreportedIssues(quoteIssues(input), isRefused));
}

async function loadPricingInput(
  deps: HandlerDeps,
  accountId: string,
  request: QuoteRequest,
  now: Date,
): Promise<PriceQuoteInput & { inspections: CheckedArtwork }> {
  return { ...(await loadPricingTerms(deps, accountId, now, artworkUrls(request))), request };
}

function artworkUrls({ items }: QuoteRequest): string[] {
  return [...new Set(items.flatMap(({ imageUrl }) => (typeof imageUrl === 'string' ? [imageUrl] : [])))];
}

function newQuoteRow({ caller, body }: TradeRequest<BodyOf<typeof quoteRequest>>, priced: PricedQuote, now: Date) {
  const { shippingAddress, estimatedDeliveryDates, ...figures } = priced;
  return {
    id: newId('quo'),
    account_id: caller.accountId,
    environment: caller.environment,
    key_id: caller.keyId,
    ...rowFromFields(figures),
    shipping_address: pickAddressFields(shippingAddress),
    rush_tier: body.rushTier ?? DEFAULT_RUSH_TIER,
    white_label: body.whiteLabel ?? true,
    reference: body.reference ?? null,
    metadata: body.metadata ?? {},
    delivery_earliest: estimatedDeliveryDates?.earliest ?? null,
    delivery_latest: estimatedDeliveryDates?.latest ?? null,
    created_at: now,
    expires_at: new Date(now.getTime() + LIMITS.quoteLifetimeMs),
  };
}
