import { CANCEL_BLOCKERS } from '../../domain/cancel-rules';
import type { Catalogue } from '../../domain/catalogue';
import { EVENT_TYPES, PING } from '../../domain/events';
import { INSPECTION_STATES } from '../../domain/inspection';
import { ENVIRONMENTS } from '../../domain/limits';
import type { LinePieces } from '../../domain/line-pieces';
import { ISSUE_CODES, type OrderIssue } from '../../domain/order-issues';
import { ORDER_STATUSES } from '../../domain/order-status';
import type { DeliveryDates } from '../../domain/shipping/options';
import type { PricedLine } from '../../domain/pricing/priced-quote';
import type { PresentedInspection } from '../../presenters/uploads';
import type { PresentedOrder } from '../../presenters/orders';
import { EVENT_EXAMPLE, ORDER_EXAMPLE } from './examples';
import { STORED_EVENT_TYPES } from '../../domain/events';
import { EVENT_TYPES_DESCRIPTION } from '../schemas/event-types';
import * as json from './json';
import type { Fields, JsonSchema } from './json';

export const environmentSchema = json.closedEnum(ENVIRONMENTS, 'that of the key');

export const CURRENCY = json.currency('of all amounts, ISO 4217');

/** Trade endpoints "Quote object", "Order object". */
export const LINE = json.resource<PricedLine>('Line', {
  externalReference: json.nullable(json.string('as sent')),
  productSlug: json.string('slug of the product'),
  productName: json.string('its name when it was priced'),
  quantity: json.integer('how many'),
  unitPriceCents: json.cents('ladder reduction included'),
  amountCents: json.cents('unit price × quantity'),
});

/** Pieces of an order's lines. */
export const PIECES = json.list(
  json.object<LinePieces>({
    line: json.integer("counts from 0, as in the order's `lines`"),
    quantity: json.integer('how many pieces of the line'),
  }),
  'what it holds; null where the studio did not say',
);

type Shipment = PresentedOrder['shipments'][number];

/** Values may be added, so readers keep a default arm. */
const statusSchema = json.openEnum(ORDER_STATUSES, 'values may be added, so keep a default arm');

/** One for each parcel of an order, or of a remake. */
export const SHIPMENTS = json.list(
  json.object<Shipment>({
    carrier: json.nullable(json.string('who carries it')),
    trackingNumber: json.string("the carrier's number of it"),
    trackingUrl: json.nullable(json.uri('page where it can be followed')),
    shippedAt: json.nullable(json.time('when it left the studio')),
    lines: json.nullable(PIECES),
  }),
  'one for each parcel whose label is not voided',
);

/** Of shipping options, quotes and orders. */
export const DELIVERY_DATES = json.nullable(
  json.object<DeliveryDates>(
    { earliest: json.date('the first day on which it may arrive'), latest: json.date('the last day') },
    {
      description:
        "between which days it arrives, an estimate: the day it is ready and the method's business days by the studio's calendar; null where the method has no estimate",
    },
  ),
);

/** A client's own data on quotes and orders. */
export const METADATA = json.mapOf(json.string('a value, as sent'), 'your own data, as sent; empty where none was');

const ORDER_FIELDS: Fields<PresentedOrder> = {
  orderId: json.id('ord', 'for reading and cancelling'),
  orderNumber: json.string('what to quote when writing to the studio: `P-…`, `T-…` for test orders'),
  status: statusSchema,
  environment: environmentSchema,
  isTest: json.boolean('placed with a test key'),
  quoteId: json.nullable(json.id('quo', 'the quote it came from')),
  currency: CURRENCY,
  lines: json.list(LINE, 'as on the quote, in the same order'),
  subtotalCents: json.cents('sum of the amounts, and the minimum top-up where there is one'),
  shippingCents: json.cents('delivery'),
  shippingMethod: json.nullable(json.string('id of the delivery method')),
  discountCents: json.cents('taken off the subtotal'),
  rushFeeCents: json.cents('for the rush tier; 0 without one'),
  totalCents: json.cents('what the account was billed'),
  gstCents: json.cents('tax contained in the total'),
  promisedReadyDate: json.nullable(json.date('as on the quote')),
  estimatedDeliveryDates: DELIVERY_DATES,
  shipments: SHIPMENTS,
  remakes: json.list(
    json.object<PresentedOrder['remakes'][number]>({ status: statusSchema, shipments: SHIPMENTS }),
    'what the studio made again at no charge, oldest first',
  ),
  cancellable: json.object<PresentedOrder['cancellable']>(
    {
      now: json.boolean('true while there are no blockers'),
      blockers: json.list(json.openEnum(CANCEL_BLOCKERS), 'each that applies; values may be added, so keep a default arm'),
    },
    { description: 'whether `POST /orders/{id}/cancel` would cancel it now' },
  ),
  issues: json.list(
    json.object<OrderIssue>({
      code: json.openEnum(ISSUE_CODES, 'why it waits'),
      line: json.nullable(json.integer("counts from 0, as in the order's `lines`; null: the whole order")),
      message: json.string('what is wrong and what would work; of `ON_HOLD` the reason that the studio gave'),
    }),
    'why the order waits for its client; empty where it does not',
  ),
  metadata: METADATA,
  createdAt: json.time('when it was placed'),
  cancelledAt: json.nullable(json.time('when it was cancelled; the status of an order with a live parcel stays `shipped`')),
};

export const ORDER = json.resource<PresentedOrder>('Order', ORDER_FIELDS, {
  example: ORDER_EXAMPLE,
  description: 'An order with its figures, its status and its parcels.',
});

/** For what is an order and more: each field with its example. */
export const orderFields = (): Fields<PresentedOrder> => json.withExamples(ORDER_FIELDS, ORDER_EXAMPLE);

/** Of an upload, and with a resolution of a line. */
export const INSPECTION_FIELDS: Fields<PresentedInspection> = {
  state: json.openEnum(
    INSPECTION_STATES,
    '`ok`: a picture; `no_preview`: a picture that cannot be decoded here, as HEIC; `unreadable`: not a picture that can be printed, or one of more than 500 million pixels',
  ),
  reason: json.nullable(json.string('in words, unless it is `ok`')),
  mediaType: json.nullable(json.string('by its bytes, whatever was declared')),
  widthPx: json.nullable(json.integer('as it is seen, after its orientation')),
  heightPx: json.nullable(json.integer('as it is seen, after its orientation')),
  orientation: json.nullable(json.integer('by EXIF, 1 to 8', { minimum: 1, maximum: 8 })),
  colourSpace: json.nullable(json.string('`srgb`, `cmyk`, `b-w`, `rgb16` and the like')),
  hasProfile: json.nullable(json.boolean('whether it brings an ICC profile')),
  hasAlpha: json.nullable(json.boolean('whether it has transparent parts')),
  inspectedAt: json.time('when its bytes were examined'),
};

const catalogueIdSchema = json.string('what a request names the row by; it never changes');

const nameSchema = json.string("the studio's name for it");

const descriptionSchema = json.nullable(json.string('for people'));

const imageUrlSchema = json.nullable(json.uri('a picture of it'));

const hexSchema = json.nullable(json.string('the colour on screens', { pattern: '^#[0-9A-Fa-f]{6}$' }));

const qualityTierIdsSchema = json.nullable(
  json.list(json.string(), 'null is without restriction; a material with tiers is valid inside those alone'),
);

const millimetresSchema = json.integer('millimetres');

const MATERIAL = {
  id: catalogueIdSchema,
  name: nameSchema,
  clientTitle: json.nullable(json.string('a name to show to customers')),
};

const MATERIAL_AND_PICTURE = { ...MATERIAL, description: descriptionSchema, imageUrl: imageUrlSchema };

type Row<S extends keyof Catalogue> = Catalogue[S][number];

const MEDIUM = json.resource<Row<'media'>>('Medium', {
  ...MATERIAL_AND_PICTURE,
  storefrontTier: json.openEnum(['basic', 'advanced'], 'house stock, or museum and archival'),
  surfaceType: json.string('such as `matte` or `canvas`'),
  gramsPerSqm: json.nullable(json.integer('weight of the stock; null is not published')),
  maxPrintWidthMm: json.nullable(json.integer('compared with the SHORT edge of the printed sheet; null is no limit')),
  supportsTornEdge: json.boolean('whether it takes the finish `tornEdge`'),
});

const MOULDING = json.resource<Row<'mouldings'>>('Moulding', {
  ...MATERIAL,
  widthMm: json.integer('of the face, in millimetres'),
  depthMm: json.nullable(json.integer('in millimetres; null is not published')),
  maxLengthMm: json.nullable(json.integer('null is no published limit')),
  colour: json.string('in words'),
  colourHex: hexSchema,
  imageUrl: imageUrlSchema,
  canvasFloatSuitable: json.boolean('whether it can frame a canvas with a gap'),
  qualityTierIds: qualityTierIdsSchema,
});

/** What the rows of each section hold; the studio's own catalogue is made of the same (trade endpoints "Catalogue object"). */
export const CATALOGUE_ROWS: { readonly [S in keyof Catalogue]: JsonSchema } = {
  products: json.resource<Row<'products'>>('Product', {
    slug: catalogueIdSchema,
    name: nameSchema,
    description: json.string('for people'),
    category: json.nullable(json.string('groups products')),
    requiresArtwork: json.boolean('whether a line of it needs an `imageUrl`'),
  }),
  media: MEDIUM,
  canvasMedia: MEDIUM,
  everydayArtMedia: MEDIUM,
  sizes: json.resource<Row<'sizes'>>('Size', {
    id: catalogueIdSchema,
    label: json.string('its name, such as `A4`'),
    sizeCategory: json.string('groups sizes'),
    widthMm: millimetresSchema,
    heightMm: millimetresSchema,
  }),
  mouldings: MOULDING,
  canvasMouldings: MOULDING,
  matboards: json.resource<Row<'matboards'>>('Matboard', {
    ...MATERIAL,
    colour: json.string('in words'),
    colourHex: hexSchema,
    coreColour: json.nullable(json.string('colour of the bevel, in words')),
    coreColourHex: hexSchema,
    isAcidFree: json.boolean('free of acid'),
    isMuseumGrade: json.boolean('fit for museums'),
    qualityTierIds: qualityTierIdsSchema,
  }),
  glazing: json.resource<Row<'glazing'>>('Glazing', {
    ...MATERIAL_AND_PICTURE,
    isUvProtective: json.boolean('filters ultraviolet light'),
    isAntiReflective: json.boolean('reflects less'),
    isAcrylic: json.boolean('true is acrylic, false is glass'),
    qualityTierIds: qualityTierIdsSchema,
  }),
  backing: json.resource<Row<'backing'>>('Backing', {
    ...MATERIAL_AND_PICTURE,
    isAcidFree: json.boolean('free of acid'),
    qualityTierIds: qualityTierIdsSchema,
  }),
  qualityTiers: json.resource<Row<'qualityTiers'>>('QualityTier', {
    id: catalogueIdSchema,
    name: nameSchema,
    slug: json.string('the name in addresses'),
    description: descriptionSchema,
    imageUrl: imageUrlSchema,
  }),
  sleeves: json.resource<Row<'sleeves'>>('Sleeve', {
    sizeCode: json.string('for the variant key `sleeve`'),
    widthMm: millimetresSchema,
    heightMm: millimetresSchema,
  }),
};

const eventFields = (type: JsonSchema, data: JsonSchema, sequence: string): Fields<Record<string, unknown>> => ({
  id: json.id('evt', 'the same in every attempt and resend: what to recognise a repeat by'),
  type,
  createdAt: json.time('when it happened'),
  environment: environmentSchema,
  apiVersion: json.openEnum(['v1'], 'of the shape of `data`'),
  sequence: json.integer(sequence),
  data,
});

/** Specification "Events". */
export const ORDER_EVENT = json.resource(
  'OrderEvent',
  eventFields(
    json.openEnum(
      EVENT_TYPES.filter((type) => type !== PING),
      'which status the order reached; types may be added',
    ),
    ORDER,
    'per order, from 1',
  ),
  {
    description: 'The order as it was when its status changed, and never changed since.',
    example: EVENT_EXAMPLE,
  },
);

export const PING_EVENT = json.resource(
  'PingEvent',
  eventFields(
    json.closedEnum([PING], 'tells it from the events of orders'),
    json.object({ endpointId: json.id('whe', 'the endpoint that is tried') }, { description: 'which endpoint is tried' }),
    'always 0',
  ),
  {
    description: 'Sent by the studio to try an endpoint.',
  },
);

/** Of a webhook endpoint. */
export const EVENT_TYPES_SCHEMA = json.nullable(json.list(json.openEnum(STORED_EVENT_TYPES), EVENT_TYPES_DESCRIPTION));
