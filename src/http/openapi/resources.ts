import { ARTWORK_WARNINGS, CHECK_STATES, type ArtworkChecks } from '../../domain/artwork-checks';
import { CANCEL_BLOCKERS } from '../../domain/cancel-rules';
import { EVENT_TYPES, PING } from '../../domain/events';
import { INSPECTION_STATES } from '../../domain/inspection';
import { ENVIRONMENTS } from '../../domain/limits';
import type { LineQuantity } from '../../domain/line-quantities';
import { ISSUE_CODES, type OrderIssue } from '../../domain/order-issues';
import { ORDER_STATUSES } from '../../domain/order-status';
import type { DeliveryDates } from '../../domain/shipping/options';
import type { PricedLine } from '../../domain/pricing/priced-quote';
import type { PresentedInspection } from '../../presenters/uploads';
import type { PresentedOrder } from '../../presenters/orders';
import type { BillingAddress } from '../../domain/account-record';
import type { ShippingAddress } from '../../domain/basket/quote-request';
import type { presentInvoiceDetail } from '../../presenters/invoices';
import type { presentOwnDelivery } from '../../presenters/deliveries';
import type { presentOwnEndpoint } from '../../presenters/webhook-endpoints';
import { DELIVERY_STATES } from '../../domain/webhook-rules';
import { ARTWORK_CHECKS_EXAMPLE, EVENT_EXAMPLE, ORDER_EXAMPLE } from './examples';
import { STORED_EVENT_TYPES } from '../../domain/events';
import { EVENT_TYPES_DESCRIPTION } from '../schemas/event-types';
import * as json from './json';
import type { Fields, JsonSchema } from './json';

export const environmentSchema = json.closedEnum(ENVIRONMENTS, 'the environment of the key');

export const CURRENCY = json.currency('the ISO 4217 currency of all amounts');

const LINE_FIELDS: json.Fields<PricedLine> = {
  externalReference: json.nullable(json.string('your reference, as sent')),
  productSlug: json.string('the slug of the product'),
  productName: json.string('the name of the product at pricing'),
  quantity: json.integer('the number of pieces'),
  unitPriceCents: json.cents('the price of one unit, including the ladder reduction'),
  amountCents: json.cents('unit price × quantity'),
};

export const LINE = json.resource<PricedLine>('Line', LINE_FIELDS);

/** The fields that depend on the picture and the size of the line. */
export const FIT_FIELDS = {
  effectiveDpi: json.nullable(json.integer('pixels ÷ printed inches, the lower of both axes; null if pixels or size are unknown')),
  shapeDifferencePercent: json.nullable(
    json.number('how much the proportions of picture and print differ, in percent; null if pixels or size are unknown'),
  ),
  warnings: json.list(
    json.openEnum(
      ARTWORK_WARNINGS,
      '`ARTWORK_LOW_RESOLUTION`: below 150 dpi; `ARTWORK_SHAPE_DIFFERS`: by more than 1 %; `ARTWORK_NO_PROFILE`: no embedded ICC profile; `ARTWORK_SEVERAL_PAGES`: the largest page is printed',
    ),
    'reasons to look at the picture again; they never refuse a quote or an order',
  ),
};

export const ARTWORK_CHECKS = json.resource<ArtworkChecks>(
  'ArtworkChecks',
  {
    state: json.openEnum(
      CHECK_STATES,
      '`pending` until the file has arrived and is inspected; `no_preview` needs nothing from you; `unreadable`: send another file',
    ),
    widthPx: json.nullable(json.integer('the pixels as displayed, after orientation; null if unknown')),
    heightPx: json.nullable(json.integer('the pixels as displayed, after orientation; null if unknown')),
    ...FIT_FIELDS,
  },
  { example: ARTWORK_CHECKS_EXAMPLE },
);

/** A line with the checks of its picture. */
export const CHECKED_LINE = json.resource<PricedLine & { artworkChecks: ArtworkChecks | null }>('CheckedLine', {
  ...LINE_FIELDS,
  artworkChecks: json.nullable({
    ...ARTWORK_CHECKS,
    description: 'how the picture fits the line, calculated at each request; null for a line without artwork',
  }),
});

export const PIECES = json.list(
  json.object<LineQuantity>({
    line: json.integer("the index in the order's `lines`, from 0"),
    quantity: json.integer('the number of pieces of the line'),
  }),
  'the content of the parcel; null if the studio did not record it',
);

export const DELIVERY_STATE_DESCRIPTION = '`held`: the endpoint is disabled; `failed`: all attempts are used';

const statusSchema = json.openEnum(ORDER_STATUSES, 'the status; values may be added, so handle unknown ones');

export const SHIPMENTS = json.list(
  json.object<PresentedOrder['shipments'][number]>({
    carrier: json.nullable(json.string('the carrier')),
    trackingNumber: json.string("the carrier's tracking number"),
    trackingUrl: json.nullable(json.uri('the URL of the tracking page')),
    shippedAt: json.nullable(json.time('the time of shipping')),
    deliveredAt: json.nullable(json.time('the time of delivery; null until the studio knows it')),
    lines: json.nullable(PIECES),
  }),
  'the parcels whose label is not voided',
);

/** The delivery estimate of shipping options, quotes and orders. */
export const DELIVERY_DATES = json.nullable(
  json.object<DeliveryDates>(
    { earliest: json.date('the first possible day'), latest: json.date('the last possible day') },
    {
      description:
        "the estimated days of arrival: the day of completion plus the business days of the method on the studio's calendar. Null if the method has no estimate.",
    },
  ),
);

export const METADATA = json.mapOf(json.string('a value, as sent'), 'your own data, as sent; empty without any');

const ORDER_FIELDS: Fields<PresentedOrder> = {
  orderId: json.id('ord', 'the id, for requests about the order'),
  orderNumber: json.string('the number for messages to the studio: `P-…`, or `T-…` for test orders'),
  status: statusSchema,
  environment: environmentSchema,
  isTest: json.boolean('whether the order was placed with a test key'),
  quoteId: json.nullable(json.id('quo', 'the quote of the order')),
  reference: json.nullable(json.string('your purchase order number; lines have their own `externalReference`')),
  currency: CURRENCY,
  lines: json.list(LINE, 'the lines of the quote'),
  subtotalCents: json.cents('the sum of the amounts with the minimum top-up'),
  shippingCents: json.cents('the price of delivery'),
  shippingMethod: json.nullable(json.string('the id of the delivery method')),
  discountCents: json.cents('the discount on the subtotal'),
  rushFeeCents: json.cents('the fee of the rush tier; 0 without one'),
  totalCents: json.cents('the invoiced amount'),
  gstCents: json.cents('the tax contained in the total'),
  promisedReadyDate: json.nullable(json.date('the promised day from the quote')),
  estimatedDeliveryDates: DELIVERY_DATES,
  shipments: SHIPMENTS,
  remakes: json.list(
    json.object<PresentedOrder['remakes'][number]>({ status: statusSchema, shipments: SHIPMENTS }),
    'the free remakes, the oldest first',
  ),
  cancellable: json.object<PresentedOrder['cancellable']>(
    {
      now: json.boolean('true if there are no blockers'),
      blockers: json.list(json.openEnum(CANCEL_BLOCKERS), 'the reasons against cancelling; values may be added, so handle unknown ones'),
    },
    { description: 'whether `POST /orders/{id}/cancel` would cancel the order now' },
  ),
  issues: json.list(
    json.object<OrderIssue>({
      code: json.openEnum(ISSUE_CODES, 'the reason for waiting'),
      line: json.nullable(json.integer("the index in the order's `lines`, from 0; null for the complete order")),
      message: json.string('the problem and its solution; for `ON_HOLD` the reason from the studio'),
    }),
    'the problems that the client must solve before the order continues',
  ),
  metadata: METADATA,
  createdAt: json.time('the time of the order'),
  cancelledAt: json.nullable(json.time('the time of the cancellation; the status of an order with a live parcel stays `shipped`')),
};

export const ORDER = json.resource<PresentedOrder>('Order', ORDER_FIELDS, {
  example: ORDER_EXAMPLE,
  description: 'An order with its amounts, status and parcels.',
});

/** The order fields with examples, for schemas that extend the order. */
export const orderFields = (): Fields<PresentedOrder> => json.withExamples(ORDER_FIELDS, ORDER_EXAMPLE);

/** The inspection of an upload; lines add the resolution. */
export const INSPECTION_FIELDS: Fields<PresentedInspection> = {
  state: json.openEnum(
    INSPECTION_STATES,
    '`ok`: a printable picture. `no_preview`: a picture that the service cannot decode, such as a TIFF with a rare compression; the studio opens the file. `unreadable`: no program could print the file, because it is empty, cut off, damaged or no picture, or has more than 500 million pixels.',
  ),
  reason: json.nullable(json.string('the reason in words; null for `ok`')),
  mediaType: json.nullable(json.string('the media type that the bytes show')),
  widthPx: json.nullable(json.integer('the width after rotation by EXIF')),
  heightPx: json.nullable(json.integer('the height after rotation by EXIF')),
  orientation: json.nullable(json.integer('the EXIF orientation, 1 to 8', { minimum: 1, maximum: 8 })),
  colourSpace: json.nullable(json.string('the color space, such as `srgb`, `cmyk`, `b-w` or `rgb16`')),
  hasProfile: json.nullable(json.boolean('whether the file contains an ICC profile')),
  hasAlpha: json.nullable(json.boolean('whether the picture has an alpha channel')),
  pages: json.nullable(json.integer('the number of pages, without thumbnails and masks; the largest page is the picture')),
  extraChannels: json.nullable(
    json.integer('the number of channels that are neither color nor transparency, such as spot colors; they are not printed'),
  ),
  decoderVersion: json.integer('the version of the decoder that made this result; 0 while a requested inspection is due'),
  inspectedAt: json.time('the time of the inspection'),
};

const eventFields = (type: JsonSchema, data: JsonSchema, sequence: string): Fields<Record<string, unknown>> => ({
  id: json.id('evt', 'the id, equal in every attempt and resend; use it to detect repeats'),
  type,
  createdAt: json.time('the time of the event'),
  environment: environmentSchema,
  apiVersion: json.openEnum(['v1'], 'the version of the shape of `data`'),
  sequence: json.integer(sequence),
  data,
});

/** Specification "Events". */
export const ORDER_EVENT = json.resource(
  'OrderEvent',
  eventFields(
    json.openEnum(
      EVENT_TYPES.filter((type) => type !== PING),
      'the status that the order reached, or whether an issue appeared or ended; types may be added',
    ),
    ORDER,
    'counts the events of the order about a status, from 1; an event about an issue has the number of the last one',
  ),
  {
    description: 'The order at the time of the event. The text of an event never changes.',
    example: EVENT_EXAMPLE,
  },
);

export const PING_EVENT = json.resource(
  'PingEvent',
  eventFields(
    json.closedEnum([PING], 'the type, which distinguishes pings from events of orders'),
    json.object({ endpointId: json.id('whe', 'the pinged endpoint') }, { description: 'the pinged endpoint' }),
    'always 0',
  ),
  {
    description: 'A test message to an endpoint.',
  },
);

export const EVENT_TYPES_SCHEMA = json.nullable(json.list(json.openEnum(STORED_EVENT_TYPES), EVENT_TYPES_DESCRIPTION));

/** The address in responses; older orders lack the optional fields. */
export const ADDRESS_FIELDS = {
  name: json.string('the recipient'),
  company: json.nullable(json.string('the company of the recipient')),
  line1: json.string('street'),
  line2: json.nullable(json.string('unit, floor or building')),
  city: json.string('city or suburb'),
  state: json.string('state or region'),
  postcode: json.string('the postcode; four digits in Australia'),
  country: json.string('ISO 3166 alpha-2'),
  phone: json.nullable(json.string('a phone number for the carrier')),
  email: json.string('the e-mail address of the customer'),
} satisfies Fields<ShippingAddress>;

const { name: _name, company: _company, phone: _phone, email: _email, ...STREET_FIELDS } = ADDRESS_FIELDS;

export const BILLING_ADDRESS = json.object<BillingAddress>(STREET_FIELDS, {
  optional: ['line2'],
  example: { line1: '4 Wharf Road', line2: null, city: 'Sydney', state: 'NSW', postcode: '2000', country: 'AU' },
});

export const BUYER = json.object<ReturnType<typeof presentInvoiceDetail>['buyer']>(
  {
    name: [json.string('the name of the account'), 'Harbour Gallery'],
    email: [json.string('its e-mail address'), 'accounts@harbour.example'],
    abn: [json.nullable(json.string('its ABN, in groups of digits')), '53 004 085 616'],
    address: { ...json.nullable(BILLING_ADDRESS), description: 'its billing address' },
  },
  { description: 'the account at the time of issue, as printed' },
);

/** A webhook endpoint in both APIs. */
export const ENDPOINT_FIELDS: Fields<ReturnType<typeof presentOwnEndpoint>> = {
  id: [json.id('whe', 'the id, which deliveries have as `endpointId`'), 'whe_33d8'],
  url: [json.uri('the URL for events'), 'https://shop.example/hooks/print'],
  eventTypes: EVENT_TYPES_SCHEMA,
  state: [json.openEnum(['enabled', 'disabled'], 'events for a disabled endpoint are held'), 'enabled'],
  disabledReason: json.nullable(json.string('the reason from the studio, or the failures that disabled it')),
  consecutiveFailures: [json.integer('consecutive deliveries that used all attempts'), 0],
  secretOverlapUntil: json.nullable(json.time('the time until which the previous secret also signs')),
  deliveries: json.object<ReturnType<typeof presentOwnEndpoint>['deliveries']>(
    {
      held: [json.integer('deliveries held while the endpoint was disabled; the count stops at 10,000'), 0],
      failed: [json.integer('deliveries that used all attempts; the count stops at 10,000'), 1],
    },
    { description: 'the deliveries that can be sent again' },
  ),
  createdAt: [json.time('the time of the registration'), '2026-03-01T00:00:00.000Z'],
  updatedAt: [json.time('the time of the last change of URL, event types, state or secret'), '2026-03-01T00:00:00.000Z'],
};

/** A delivery in both APIs. */
export const DELIVERY_FIELDS: Fields<ReturnType<typeof presentOwnDelivery>> = {
  id: [json.id('dlv', 'for resending'), 'dlv_70ae'],
  endpointId: [json.id('whe', 'the endpoint'), 'whe_33d8'],
  orderId: [json.id('ord', 'the order of the event'), ORDER_EXAMPLE.orderId],
  eventId: [json.id('evt', 'the event'), EVENT_EXAMPLE.id],
  eventType: [json.openEnum(STORED_EVENT_TYPES, 'the type of the event'), EVENT_EXAMPLE.type],
  sequence: [json.integer('counts the events of the order, from 1'), 3],
  state: [json.openEnum(DELIVERY_STATES, DELIVERY_STATE_DESCRIPTION), 'failed'],
  trigger: [json.openEnum(['automatic', 'resend', 'recover'], 'the trigger of the current chain of attempts'), 'automatic'],
  attemptCount: [json.integer('the attempts in the current chain'), 7],
  lastStatus: [json.nullable(json.integer('the HTTP status of the last reply; null without a reply')), 500],
  lastErrorCode: [json.nullable(json.string('the cause of the last failed attempt; codes may be added')), 'bad_status'],
  nextAttemptAt: json.nullable(json.time('the time of the next attempt; null if none is planned')),
  createdAt: [json.time('the time of the event'), EVENT_EXAMPLE.createdAt],
  completedAt: [json.nullable(json.time('the time of the success or of the last failure')), '2026-03-04T20:21:07.000Z'],
};
