import Joi from 'joi';
import { askAfterQuote } from '../../../artwork/arrivals';
import { withdrawnKey } from '../../../db/repositories/catalogue';
import { findQuote, insertQuote } from '../../../db/repositories/quotes';
import { ownedUrls } from '../../../db/repositories/uploads';
import type { QuoteRow } from '../../../db/rows';
import { addressOnly } from '../../../domain/basket/destination';
import type { QuoteRequest } from '../../../domain/basket/quote-request';
import { VARIANT_KEYS } from '../../../domain/basket/variant-keys';
import { textIssue } from '../../../domain/field-forms';
import { DEFAULT_RUSH_TIER, LIMITS, RUSH_TIERS } from '../../../domain/limits';
import { priceQuote } from '../../../domain/pricing';
import type { PricedQuote } from '../../../domain/pricing/priced-quote';
import { presentQuote } from '../../../presenters/quotes';
import { newId } from '../../../security/ids';
import { BASKET_EXAMPLE, QUOTE_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { environmentSchema, LINE } from '../../openapi/resources';
import { found, pathId } from '../../path-id';
import { component, documented } from '../../schemas/documented';
import { jsonSchemaOfKind } from '../../schemas/kinds';
import { shippingAddressField } from '../../schemas/shipping-address';
import { booleanField, machineTextField, integerField, oneOfField, urlField } from '../../schemas/text';
import type { Answer, EndpointRow, TradeRequest } from '../../types';

/** Joi's typings leave out how a rule reports several issues. */
type ListHelpers = Joi.CustomHelpers & { errorsArray(): Joi.ErrorReport[] };

const SELECTIONS = Object.fromEntries(Object.entries(VARIANT_KEYS).map(([key, description]) => [key, { type: 'string', description }]));

/**
 * A map of strings to strings. Unknown keys are ignored, however many and long; what a known key takes is the product's business.
 * Checked in one pass of our own, because a schema for each of 100,000 keys would keep everybody waiting.
 */
const variantSelectionsField = documented(
  Joi.object()
    .meta({ kind: 'selections' })
    .messages({ 'selection.text': '{#problem}' })
    .custom((value: Record<string, unknown>, helpers) => {
      const errors = (helpers as ListHelpers).errorsArray();
      for (const [key, selection] of Object.entries(value)) {
        const problem = textIssue(selection, 0, Number.POSITIVE_INFINITY);
        if (problem === null) continue;
        errors.push(
          helpers.error('selection.text', { problem }, helpers.state.localize?.([...(helpers.state.path ?? []), key], [], helpers.schema)),
        );
      }
      return errors.length > 0 ? errors : value;
    }),
  () => ({ ...jsonSchemaOfKind({ kind: 'selections' }), properties: SELECTIONS }),
)
  .required()
  .description('How it is made; every value a string. Keys that the product does not know are ignored.');

/** One of `items` (specification "Line item"). */
const lineItemField = component('LineItem', {
  productSlug: machineTextField(1, LIMITS.catalogueIdLength).required().description("a slug of the catalogue's products"),
  quantity: integerField(1, LIMITS.quantityPerItem).required().description('the price book may allow less'),
  variantSelections: variantSelectionsField,
  imageUrl: urlField().allow(null).description("the `url` of the account's own upload"),
  externalReference: machineTextField(0, LIMITS.externalReferenceLength)
    .allow(null)
    .description('given back on quote, order and webhooks; never priced or read'),
});

/** The length is checked first, so that the items of a list that is too long are not looked at one by one. */
const someItemsField = Joi.array().items(lineItemField).min(1);

const itemsField = documented(
  Joi.alternatives().conditional(Joi.array().max(LIMITS.itemsPerQuote), {
    // oxlint-disable-next-line unicorn/no-thenable -- Joi's own word
    then: someItemsField,
    otherwise: Joi.array().max(LIMITS.itemsPerQuote),
  }),
  (told) => told(someItemsField.max(LIMITS.itemsPerQuote)),
);

/** Body of `POST /quotes` (specification "POST /quotes"). */
export const quoteRequest = Joi.object({
  items: itemsField.required().description("one for each way of making something; how many is the line's `quantity`"),
  shippingMethodId: machineTextField(0, 100).allow(null).description('leave it out to learn the delivery methods'),
  shippingAddress: shippingAddressField.required(),
  rushTier: oneOfField(RUSH_TIERS).description('unset is `standard`; `critical` is switched by the studio'),
  whiteLabel: booleanField().description(
    "true unless said otherwise; false is the studio's own packaging, and a mail to the customer of a live order",
  ),
});

export const QUOTE = json.resourceWithExample<ReturnType<typeof presentQuote>>('Quote', QUOTE_EXAMPLE, {
  quoteId: json.id('quo', 'for `POST /orders`; good for one order'),
  currency: json.string(undefined, { pattern: '^[A-Z]{3}$' }),
  environment: environmentSchema,
  pricingVersion: json.integer('which price book; for information only'),
  expiresAt: json.time('24 hours after creation; from then on it can be read, not ordered'),
  consumedAt: json.nullable(json.time('when it became an order; stays, also when that order is cancelled')),
  lines: json.list(LINE, 'one for each item sent, in that order'),
  subtotalCents: json.cents('sum of the amounts, and the minimum top-up where there is one'),
  shippingCents: json.cents(),
  shippingMethod: json.nullable(json.string('id of the chosen delivery method')),
  discountCents: json.cents(),
  discountReason: json.nullable(json.string('a stable slug (`trade`); what to branch on, if at all')),
  discountLabel: json.nullable(json.string('the same for people')),
  rushFeeCents: json.cents(),
  promisedReadyDate: json.nullable(json.date("the studio's calendar date, where a rush tier promises one")),
  totalCents: json.cents('subtotalCents − discountCents + shippingCents + rushFeeCents: what an order of it will be charged'),
  gstCents: json.cents('tax contained in the total, not added to it'),
});

export const QUOTES_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'POST',
    path: '/quotes',
    scope: 'price:read',
    perMinute: 60,
    status: 201,
    body: quoteRequest,
    id: 'createQuote',
    summary: 'Price a basket; the price holds for 24 hours',
    description:
      'Without `shippingMethodId` the answer is `SHIPPING_UNAVAILABLE`, whose details are the delivery methods with their prices: that is how to discover them. It stores nothing.',
    answer: QUOTE,
    refuses: [
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
      readIt: { operationId: 'getQuote', parameters: { id: '$response.body#/data/quoteId' }, description: 'Reads the quote again.' },
      orderIt: { operationId: 'createOrder', requestBody: { quoteId: '$response.body#/data/quoteId' }, description: 'Orders it.' },
    },
    handler: createQuote,
  },
  {
    method: 'GET',
    path: '/quotes/:id',
    scope: 'price:read',
    perMinute: 120,
    id: 'getQuote',
    summary: 'A quote, also when it has expired or was ordered',
    answer: QUOTE,
    links: {
      howItCameToBe: {
        operationId: 'getQuoteBreakdown',
        parameters: { id: '$response.body#/data/quoteId' },
        description: 'Breaks it down.',
      },
    },
    handler: getQuote,
  },
];

/** `POST /quotes`: prices the basket on live rows and holds the price for 24 hours. Discovery and refusals store nothing. */
async function createQuote(request: TradeRequest<QuoteRequest>): Promise<Answer> {
  const now = request.deps.clock.now();
  const priced = await price(request, now);
  const quote = await insertQuote(request.deps.database, newQuote(request, priced, now));
  askAfterQuote(request.deps, request.caller.accountId, artworkUrls(request.body));
  request.deps.workflowStarts.hold(quote.id, quote.expires_at); // not awaited: the quote is valid without its timer
  return { data: presentQuote(quote) };
}

/** `GET /quotes/{id}`: 200 also when expired or consumed; anything not of this account and environment is 404. */
async function getQuote(request: TradeRequest): Promise<Answer> {
  return { data: presentQuote(await namedQuote(request)) };
}

export async function namedQuote(request: TradeRequest): Promise<QuoteRow> {
  const { deps, caller } = request;
  const quote = await findQuote(deps.database, caller.accountId, caller.environment, pathId(request, 'quo'));
  return found(request, 'quo', quote);
}

async function price({ deps, caller, body }: TradeRequest<QuoteRequest>, now: Date): Promise<PricedQuote> {
  const sql = deps.database;
  const urls = artworkUrls(body);
  const [terms, owned] = await Promise.all([deps.pricingTerms.read(sql, caller.accountId, now), ownedUrls(sql, caller.accountId, urls)]);
  const catalogue = await deps.catalogue.at(sql, terms.catalogueRevision);
  return priceQuote({
    request: body,
    catalogue: catalogue.onOffer,
    withdrawn: (section, id) => catalogue.withdrawn.has(withdrawnKey(section, id)),
    book: terms.book,
    pricingVersion: terms.version,
    account: { tradeDiscountBps: terms.tradeDiscountBps },
    ownsArtwork: (url) => owned.has(url),
    criticalRushEnabled: terms.criticalRushEnabled,
    now,
  });
}

function artworkUrls({ items }: QuoteRequest): string[] {
  return [...new Set(items.flatMap(({ imageUrl }) => (typeof imageUrl === 'string' ? [imageUrl] : [])))];
}

function newQuote({ caller, body }: TradeRequest<QuoteRequest>, priced: PricedQuote, now: Date) {
  return {
    id: newId('quo'),
    account_id: caller.accountId,
    environment: caller.environment,
    key_id: caller.keyId,
    currency: priced.currency,
    pricing_version: priced.pricingVersion,
    lines: priced.lines,
    jobs: priced.jobs,
    breakdown: priced.breakdown,
    shipping_address: addressOnly(priced.shippingAddress),
    shipping_method: priced.shippingMethod,
    rush_tier: body.rushTier ?? DEFAULT_RUSH_TIER,
    white_label: body.whiteLabel ?? true,
    subtotal_cents: priced.subtotalCents,
    discount_cents: priced.discountCents,
    discount_reason: priced.discountReason,
    discount_label: priced.discountLabel,
    shipping_cents: priced.shippingCents,
    rush_fee_cents: priced.rushFeeCents,
    total_cents: priced.totalCents,
    gst_cents: priced.gstCents,
    promised_ready_date: priced.promisedReadyDate,
    due_date: priced.dueDate,
    created_at: now,
    expires_at: new Date(now.getTime() + LIMITS.quoteHoldMs),
  };
}
