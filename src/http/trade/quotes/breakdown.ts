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
import type { EndpointRow } from '../../types';
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
    code: json.string('a stable code; codes may be added'),
    cents: json.cents('the rounded amount; negative for the ladder'),
    quantity: json.nullable(json.integer('the quantity in `quantityUnit`')),
    quantityUnit: json.nullable(json.string('`mm²`, `mm`, `pieces`, `parcels`, `kg` or `cents`')),
    rate: json.nullable(json.integer('the rate in `rateUnit`')),
    rateUnit: json.nullable(json.string('such as `cents per m²` or `basis points`')),
    rateAt: json.nullable(json.string("a JSON pointer to the rate in the price book; null for the account's discount")),
    exactCents: json.nullable(json.string('the amount before rounding and minimum: a decimal, or a fraction if the decimal is infinite')),
    minimum: json.nullable(
      json.object<NonNullable<PresentedComponent['minimum']>>(
        { cents: json.cents('the minimum amount'), at: json.string('a JSON pointer to the minimum in the price book') },
        { description: 'the minimum of this component' },
      ),
    ),
    rounding: json.nullable(json.openEnum(['half_up'], 'to the nearest cent; half a cent rounds up')),
    rule: json.string('the rule of the calculation in words'),
    note: json.string('sizes, ids and lengths in words'),
  },
  { description: 'An amount with its calculation. Older quotes store only amounts and notes. Their other fields are null.' },
);

const BREAKDOWN = json.resource<PresentedBreakdown>('Breakdown', {
  quoteId: [json.id('quo', 'the quote'), QUOTE_EXAMPLE.quoteId],
  currency: [CURRENCY, 'AUD'],
  pricingVersion: [json.integer('the version of the price book'), 1],
  lines: json.list(
    json.object<BreakdownLine>({
      externalReference: [json.nullable(json.string('as sent')), LINE_EXAMPLE.externalReference],
      productSlug: [json.string('the slug of the product'), LINE_EXAMPLE.productSlug],
      productName: [json.string('the name of the product at pricing'), LINE_EXAMPLE.productName],
      components: [json.nullable(json.list(COMPONENT, 'the components of one unit; they add up to `unitPriceCents`')), [PRINT_EXAMPLE]],
      unitPriceCents: [json.cents('the price of one unit, including the ladder reduction'), 3465],
      quantity: [json.integer('the number of pieces'), 2],
      amountCents: [json.cents('unit price × quantity'), 6930],
    }),
    'the lines of the quote',
  ),
  sumCents: [json.cents('the sum of the amounts'), 6930],
  topUp: json.nullable({ ...COMPONENT, description: 'the top-up to the minimum of an order; null without one' }),
  subtotalCents: [json.cents('the sum with the top-up'), 6930],
  discount: json.nullable({ ...COMPONENT, description: 'the trade discount; null without one' }),
  discountCents: [json.cents('the discount on the subtotal'), 0],
  parcels: [
    json.nullable(
      json.list(
        json.object<PresentedParcels>({
          kind: json.openEnum(PARCEL_KINDS, 'the kind of packing'),
          count: json.integer('the number of parcels of this kind'),
          pieces: json.integer('the number of pieces in each parcel'),
          longMm: json.integer('the outer length of each parcel in millimeters'),
          shortMm: json.integer('the outer width of each parcel in millimeters'),
          thicknessMm: json.integer('the outer height of each parcel in millimeters'),
          grams: json.integer('the weight of each parcel'),
          chargeableGrams: json.integer('the greater of actual and cubic weight of each parcel'),
          components: json.nullable(json.list(COMPONENT, 'the components of all these parcels; none for collection')),
        }),
        'the parcels; their components add up to `shippingCents`',
      ),
    ),
    [PARCELS_EXAMPLE],
  ],
  shippingCents: [json.cents('delivery'), 1495],
  rush: json.nullable({ ...COMPONENT, description: 'the fee of the rush tier; null without one' }),
  rushFeeCents: [json.cents('the fee of the rush tier; 0 without one'), 0],
  totalCents: [json.cents('subtotalCents − discountCents + shippingCents + rushFeeCents'), 8425],
  gst: [json.nullable({ ...COMPONENT, description: 'the tax contained in the total; null for exports' }), GST_EXAMPLE],
  gstCents: [json.cents('the tax contained in the total, not added to it'), 766],
});

export const QUOTE_BREAKDOWN_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/quotes/:id/breakdown',
    scope: 'price:read',
    perMinute: 120,
    id: 'getQuoteBreakdown',
    summary: 'Retrieve the breakdown of a quote',
    description:
      'The response shows each amount with its quantity, rate, rounding and rule. The components add up to the total of the quote to the cent.',
    response: BREAKDOWN,
    handler: async (request) => ({ data: presentBreakdown(await loadQuote(request)) }),
  },
];
