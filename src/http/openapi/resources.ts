import { CANCEL_BLOCKERS } from '../../domain/cancel-rules';
import type { Catalogue } from '../../domain/catalogue';
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
import { EVENT_EXAMPLE, ORDER_EXAMPLE } from './examples';
import { STORED_EVENT_TYPES } from '../../domain/events';
import { EVENT_TYPES_DESCRIPTION } from '../schemas/event-types';
import * as json from './json';
import type { Fields, JsonSchema } from './json';

export const environmentSchema = json.closedEnum(ENVIRONMENTS, 'the environment of the key');

export const CURRENCY = json.currency('the ISO 4217 currency of all amounts');

export const LINE = json.resource<PricedLine>('Line', {
  externalReference: json.nullable(json.string('your reference, as sent')),
  productSlug: json.string('the slug of the product'),
  productName: json.string('the name of the product at pricing'),
  quantity: json.integer('the number of pieces'),
  unitPriceCents: json.cents('the price of one unit, including the ladder reduction'),
  amountCents: json.cents('unit price × quantity'),
});

export const PIECES = json.list(
  json.object<LineQuantity>({
    line: json.integer("the index in the order's `lines`, from 0"),
    quantity: json.integer('the number of pieces of the line'),
  }),
  'the content of the parcel; null if the studio did not record it',
);

type Shipment = PresentedOrder['shipments'][number];

const statusSchema = json.openEnum(ORDER_STATUSES, 'the status; values may be added, so handle unknown ones');

export const SHIPMENTS = json.list(
  json.object<Shipment>({
    carrier: json.nullable(json.string('the carrier')),
    trackingNumber: json.string("the carrier's tracking number"),
    trackingUrl: json.nullable(json.uri('the URL of the tracking page')),
    shippedAt: json.nullable(json.time('the time of shipping')),
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

const catalogueIdSchema = json.string('the id of the row in requests; it never changes');

const nameSchema = json.string('the name');

const descriptionSchema = json.nullable(json.string('the description'));

const imageUrlSchema = json.nullable(json.uri('the URL of a picture'));

const hexSchema = json.nullable(json.string('the color for screens', { pattern: '^#[0-9A-Fa-f]{6}$' }));

const qualityTierIdsSchema = json.nullable(json.list(json.string(), 'the tiers that allow the material; null means all'));

const millimetresSchema = json.integer('in millimeters');

const MATERIAL = {
  id: catalogueIdSchema,
  name: nameSchema,
  clientTitle: json.nullable(json.string('the name for customers')),
};

const MATERIAL_AND_PICTURE = { ...MATERIAL, description: descriptionSchema, imageUrl: imageUrlSchema };

type Row<S extends keyof Catalogue> = Catalogue[S][number];

const MEDIUM = json.resource<Row<'media'>>('Medium', {
  ...MATERIAL_AND_PICTURE,
  storefrontTier: json.openEnum(['basic', 'advanced'], '`basic`: house stock; `advanced`: museum and archival stock'),
  surfaceType: json.string('the surface, such as `matte` or `canvas`'),
  gramsPerSqm: json.nullable(json.integer('the weight of the stock; null if it is not published')),
  maxPrintWidthMm: json.nullable(json.integer('the limit for the short edge of the printed sheet; null is no limit')),
  supportsTornEdge: json.boolean('whether the finish `tornEdge` is possible'),
});

const MOULDING = json.resource<Row<'mouldings'>>('Moulding', {
  ...MATERIAL,
  widthMm: json.integer('the width of the face in millimeters'),
  depthMm: json.nullable(json.integer('the depth in millimeters; null if it is not published')),
  maxLengthMm: json.nullable(json.integer('the maximum length; null without a published limit')),
  colour: json.string('the color in words'),
  colourHex: hexSchema,
  imageUrl: imageUrlSchema,
  canvasFloatSuitable: json.boolean('whether the moulding fits a float frame'),
  qualityTierIds: qualityTierIdsSchema,
});

/** The rows of each section, also in the studio API. */
export const CATALOGUE_ROWS: { readonly [S in keyof Catalogue]: JsonSchema } = {
  products: json.resource<Row<'products'>>('Product', {
    slug: catalogueIdSchema,
    name: nameSchema,
    description: json.string('the description'),
    category: json.nullable(json.string('the group of the product')),
    requiresArtwork: json.boolean('whether a line needs an `imageUrl`'),
  }),
  media: MEDIUM,
  canvasMedia: MEDIUM,
  everydayArtMedia: MEDIUM,
  sizes: json.resource<Row<'sizes'>>('Size', {
    id: catalogueIdSchema,
    label: json.string('the name, such as `A4`'),
    sizeCategory: json.string('the group of the size'),
    widthMm: millimetresSchema,
    heightMm: millimetresSchema,
  }),
  mouldings: MOULDING,
  canvasMouldings: MOULDING,
  matboards: json.resource<Row<'matboards'>>('Matboard', {
    ...MATERIAL,
    colour: json.string('the color in words'),
    colourHex: hexSchema,
    coreColour: json.nullable(json.string('the color of the bevel in words')),
    coreColourHex: hexSchema,
    isAcidFree: json.boolean('whether the material is acid-free'),
    isMuseumGrade: json.boolean('whether the board has museum grade'),
    qualityTierIds: qualityTierIdsSchema,
  }),
  glazing: json.resource<Row<'glazing'>>('Glazing', {
    ...MATERIAL_AND_PICTURE,
    isUvProtective: json.boolean('whether it filters ultraviolet light'),
    isAntiReflective: json.boolean('whether it reduces reflections'),
    isAcrylic: json.boolean('true is acrylic, false is glass'),
    qualityTierIds: qualityTierIdsSchema,
  }),
  backing: json.resource<Row<'backing'>>('Backing', {
    ...MATERIAL_AND_PICTURE,
    isAcidFree: json.boolean('whether the material is acid-free'),
    qualityTierIds: qualityTierIdsSchema,
  }),
  qualityTiers: json.resource<Row<'qualityTiers'>>('QualityTier', {
    id: catalogueIdSchema,
    name: nameSchema,
    slug: json.string('the name in URLs'),
    description: descriptionSchema,
    imageUrl: imageUrlSchema,
  }),
  sleeves: json.resource<Row<'sleeves'>>('Sleeve', {
    sizeCode: json.string('the value of the variant key `sleeve`'),
    widthMm: millimetresSchema,
    heightMm: millimetresSchema,
  }),
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
      'the status that the order reached; types may be added',
    ),
    ORDER,
    'counts the events of the order, from 1',
  ),
  {
    description: 'The order at the time of the status change. The text of an event never changes.',
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
