import { PARCEL_KINDS } from '../../../domain/price-book/price-book';
import {
  type BreakdownLine,
  presentBreakdown,
  type PresentedBreakdown,
  type PresentedComponent,
  type PresentedParcels,
} from '../../../presenters/breakdown';
import { LINE_EXAMPLE, QUOTE_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { CURRENCY } from '../../openapi/resources';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';
import { loadQuote } from './quotes';

const COMMON_COMPONENT_FIELDS = { rounding: 'half_up' as const, minimum: null };

const PRINT_EXAMPLE: PresentedComponent = {
  ...COMMON_COMPONENT_FIELDS,
  code: 'print',
  cents: 3465,
  quantity: 120_000,
  quantityUnit: 'mm²',
  rate: 28_875,
  rateUnit: 'cents per m²',
  rateAt: '/print/classes/museum/centsPerSqm',
  exactCents: '3465',
  minimum: { cents: 1200, at: '/print/classes/museum/minimumCents' },
  rule: "rate × area of the sheet, at least the stock's minimum",
  note: 'media-cotton-rag-310, sheet 300 × 400 mm at 28875 per m²',
};

const PARCEL_EXAMPLE: PresentedComponent = {
  ...COMMON_COMPONENT_FIELDS,
  code: 'parcel',
  cents: 1495,
  quantity: 1,
  quantityUnit: 'parcels',
  rate: 1495,
  rateUnit: 'cents each',
  rateAt: '/shipping/methods/1/zones/0/baseCents/flat',
  exactCents: '1495',
  rule: 'for each parcel, by kind and zone',
  note: 'flat, to Metro',
};

const PARCELS_EXAMPLE: PresentedParcels = {
  kind: 'flat',
  count: 1,
  pieces: 2,
  longMm: 440,
  shortMm: 340,
  thicknessMm: 10,
  grams: 320,
  chargeableGrams: 374,
  components: [PARCEL_EXAMPLE],
};

const GST_EXAMPLE: PresentedComponent = {
  ...COMMON_COMPONENT_FIELDS,
  code: 'gst',
  cents: 766,
  quantity: 8425,
  quantityUnit: 'cents',
  rate: 11,
  rateUnit: 'divisor',
  rateAt: '/tax/divisor',
  exactCents: '8425/11',
  rule: 'total ÷ divisor; included in the total, not added to it',
  note: 'included in the total',
};

const COMPONENT = json.resource<PresentedComponent>(
  'PriceComponent',
  {
    code: json.string('stable; codes may be added'),
    cents: json.cents('rounded; below zero for the ladder'),
    quantity: json.nullable(json.integer('how much, in `quantityUnit`')),
    quantityUnit: json.nullable(json.string('`mm²`, `mm`, `pieces`, `parcels`, `kg` or `cents`')),
    rate: json.nullable(json.integer('for so much, in `rateUnit`')),
    rateUnit: json.nullable(json.string('such as `cents per m²` or `basis points`')),
    rateAt: json.nullable(json.string("where the rate stands in the price book, as a JSON pointer; null for the account's own discount")),
    exactCents: json.nullable(json.string('before rounding and minimum: a decimal, or a fraction where that has no end')),
    minimum: json.nullable(
      json.object<NonNullable<PresentedComponent['minimum']>>(
        { cents: json.cents('the least amount'), at: json.string('where it stands in the price book, as a JSON pointer') },
        { description: 'it is at least this' },
      ),
    ),
    rounding: json.nullable(json.openEnum(['half_up'], 'to the nearest cent, half a cent towards the greater amount')),
    rule: json.string('in words'),
    note: json.string('sizes, ids, lengths, for people'),
  },
  { description: 'One amount, and what it was worked out from; what a quote of before the breakdown did not keep is null.' },
);

const BREAKDOWN = json.resource<PresentedBreakdown>('Breakdown', {
  quoteId: [json.id('quo', 'the quote'), QUOTE_EXAMPLE.quoteId],
  currency: [CURRENCY, 'AUD'],
  pricingVersion: [json.integer('which price book'), 1],
  lines: json.list(
    json.object<BreakdownLine>({
      externalReference: [json.nullable(json.string('as sent')), LINE_EXAMPLE.externalReference],
      productSlug: [json.string('slug of the product'), LINE_EXAMPLE.productSlug],
      productName: [json.string('its name when it was priced'), LINE_EXAMPLE.productName],
      components: [json.nullable(json.list(COMPONENT, 'of one unit; they add up to `unitPriceCents`')), [PRINT_EXAMPLE]],
      unitPriceCents: [json.cents('of one unit, ladder reduction included'), 3465],
      quantity: [json.integer('how many'), 2],
      amountCents: [json.cents('unit price × quantity'), 6930],
    }),
    "as the quote's",
  ),
  sumCents: [json.cents('of the amounts'), 6930],
  topUp: json.nullable({ ...COMPONENT, description: 'what the minimum of an order adds; null without one' }),
  subtotalCents: [json.cents('sum and top-up'), 6930],
  discount: json.nullable({ ...COMPONENT, description: 'the trade discount; null without one' }),
  discountCents: [json.cents('taken off the subtotal'), 0],
  parcels: [
    json.nullable(
      json.list(
        json.object<PresentedParcels>({
          kind: json.openEnum(PARCEL_KINDS, 'how it is packed'),
          count: json.integer('how many parcels of this sort'),
          pieces: json.integer('in each'),
          longMm: json.integer('outer length of each, in millimetres'),
          shortMm: json.integer('outer width of each, in millimetres'),
          thicknessMm: json.integer('outer height of each, in millimetres'),
          grams: json.integer('each'),
          chargeableGrams: json.integer('the greater of actual and cubic weight, each'),
          components: json.nullable(json.list(COMPONENT, 'of all of them together; none for collection')),
        }),
        'their components add up to `shippingCents`',
      ),
    ),
    [PARCELS_EXAMPLE],
  ],
  shippingCents: [json.cents('delivery'), 1495],
  rush: json.nullable({ ...COMPONENT, description: 'the fee of the rush tier; null without one' }),
  rushFeeCents: [json.cents('for the rush tier; 0 without one'), 0],
  totalCents: [json.cents('subtotalCents − discountCents + shippingCents + rushFeeCents'), 8425],
  gst: [json.nullable({ ...COMPONENT, description: 'the tax contained; null for exports' }), GST_EXAMPLE],
  gstCents: [json.cents('tax contained in the total, not added to it'), 766],
});

export const QUOTE_BREAKDOWN_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/quotes/:id/breakdown',
    scope: 'price:read',
    perMinute: 120,
    id: 'getQuoteBreakdown',
    summary: 'How every figure of a quote came to be',
    description: 'Each amount with its quantity, rate, rounding and rule. The components add up to the quote to the cent.',
    response: BREAKDOWN,
    handler: getBreakdown,
  },
];

/** Ruling 61. */
async function getBreakdown(request: TradeRequest): Promise<HandlerResponse> {
  return { data: presentBreakdown(await loadQuote(request)) };
}
