import { EVENT_TYPES, PING } from '../../domain/events';
import { ENVIRONMENTS, UPLOAD_CONTENT_TYPES } from '../../domain/limits';
import { CANCEL_BLOCKERS } from '../../domain/cancel-rules';
import type { LinePieces } from '../../domain/line-pieces';
import { ORDER_STATUSES } from '../../domain/order-status';
import { PARCEL_KINDS } from '../../domain/price-book/price-book';
import type { PricedLine } from '../../domain/pricing/priced-quote';
import type { Catalogue } from '../../domain/catalogue';
import type { BrokenDownLine, PresentedBreakdown, PresentedComponent, PresentedParcels } from '../../presenters/breakdown';
import type { presentQuote } from '../../presenters/quotes';
import { DELIVERY_STATES } from '../../domain/webhook-rules';
import type { presentOwnDelivery } from '../../presenters/deliveries';
import type { PresentedOrder } from '../../presenters/orders';
import type { presentOwnEndpoint } from '../../presenters/webhook-endpoints';
import type { PresentedInspection } from '../../presenters/inspections';
import type { PresentedUpload } from '../../presenters/uploads';
import { INSPECTION_STATES } from '../../domain/inspection';
import {
  boolean,
  cents,
  date,
  id,
  integer,
  list,
  nullable,
  object,
  oneOf,
  resource,
  string,
  time,
  uri,
  type Fields,
  type JsonSchema,
} from './json';

const environment = oneOf(ENVIRONMENTS, 'that of the key');

/** Specification "Quote", "Order". */
export const LINE = resource<PricedLine>('Line', {
  externalReference: nullable(string('as sent')),
  productSlug: string(),
  productName: string(),
  quantity: integer(),
  unitPriceCents: cents('ladder reduction included'),
  amountCents: cents('unit price × quantity'),
});

export const QUOTE = resource<ReturnType<typeof presentQuote>>('Quote', {
  quoteId: id('quo', 'for `POST /orders`; good for one order'),
  currency: string(undefined, { pattern: '^[A-Z]{3}$' }),
  environment,
  pricingVersion: integer('which price book; for information only'),
  expiresAt: time('24 hours after creation; from then on it can be read, not ordered'),
  consumedAt: nullable(time('when it became an order; stays, also when that order is cancelled')),
  lines: list(LINE, 'one for each item sent, in that order'),
  subtotalCents: cents('sum of the amounts, and the minimum top-up where there is one'),
  shippingCents: cents(),
  shippingMethod: nullable(string('id of the chosen delivery method')),
  discountCents: cents(),
  discountReason: nullable(string('a stable slug (`trade`); what to branch on, if at all')),
  discountLabel: nullable(string('the same for people')),
  rushFeeCents: cents(),
  promisedReadyDate: nullable(date("the studio's calendar date, where a rush tier promises one")),
  totalCents: cents('subtotalCents − discountCents + shippingCents + rushFeeCents: what an order of it will be charged'),
  gstCents: cents('tax contained in the total, not added to it'),
});

const COMPONENT = resource<PresentedComponent>(
  'PriceComponent',
  {
    code: string('stable; codes may be added'),
    cents: cents('rounded; below zero for the ladder'),
    quantity: nullable(integer('how much, in `quantityUnit`')),
    quantityUnit: nullable(string()),
    rate: nullable(integer('for so much, in `rateUnit`')),
    rateUnit: nullable(string()),
    rateAt: nullable(string("where the rate stands in the price book, as a JSON pointer; null for the account's own discount")),
    exactCents: nullable(string('before rounding and minimum: a decimal, or a fraction where that has no end')),
    minimum: nullable(
      object<NonNullable<PresentedComponent['minimum']>>({ cents: cents(), at: string() }, { description: 'it is at least this' }),
    ),
    rounding: nullable(oneOf(['half_up'], 'to the nearest cent, half a cent towards the greater amount')),
    rule: string('in words'),
    note: string('sizes, ids, lengths, for people'),
  },
  { description: 'One amount, and what it was worked out from; what a quote of before the breakdown did not keep is null.' },
);

export const BREAKDOWN = resource<PresentedBreakdown>('Breakdown', {
  quoteId: id('quo'),
  currency: string(undefined, { pattern: '^[A-Z]{3}$' }),
  pricingVersion: integer('which price book'),
  lines: list(
    object<BrokenDownLine>({
      externalReference: nullable(string('as sent')),
      productSlug: string(),
      productName: string(),
      components: nullable(list(COMPONENT, 'of one unit; they add up to `unitPriceCents`')),
      unitPriceCents: cents(),
      quantity: integer(),
      amountCents: cents('unit price × quantity'),
    }),
    "as the quote's",
  ),
  sumCents: cents('of the amounts'),
  topUp: nullable(COMPONENT),
  subtotalCents: cents('sum and top-up'),
  discount: nullable(COMPONENT),
  discountCents: cents(),
  parcels: nullable(
    list(
      object<PresentedParcels>({
        kind: oneOf(PARCEL_KINDS),
        count: integer('how many parcels of this sort'),
        pieces: integer('in each'),
        longMm: integer(),
        shortMm: integer(),
        thicknessMm: integer(),
        grams: integer('each'),
        chargeableGrams: integer('the greater of actual and cubic weight, each'),
        components: nullable(list(COMPONENT, 'of all of them together; none for collection')),
      }),
      'their components add up to `shippingCents`',
    ),
  ),
  shippingCents: cents(),
  rush: nullable(COMPONENT),
  rushFeeCents: cents(),
  totalCents: cents('subtotalCents − discountCents + shippingCents + rushFeeCents'),
  gst: nullable(COMPONENT),
  gstCents: cents(),
});

/** Pieces of an order's lines. */
export const PIECES = list(
  object<LinePieces>({ line: integer("counts from 0, as in the order's `lines`"), quantity: integer() }),
  'what it holds; null where the studio did not say',
);

type Shipment = PresentedOrder['shipments'][number];

/** Values may be added, so readers keep a default arm. */
const status = oneOf(ORDER_STATUSES, 'values may be added, so keep a default arm');

/** One for each parcel of an order, or of a remake. */
export const SHIPMENTS = list(
  object<Shipment>({
    carrier: nullable(string()),
    trackingNumber: string(),
    trackingUrl: nullable(uri()),
    shippedAt: nullable(time()),
    lines: nullable(PIECES),
  }),
  'one for each parcel whose label is not voided',
);

const ORDER_FIELDS: Fields<PresentedOrder> = {
  orderId: id('ord', 'for reading and cancelling'),
  orderNumber: string('what to quote when writing to the studio: `P-…`, `T-…` for test orders'),
  status,
  environment,
  isTest: boolean('placed with a test key'),
  quoteId: nullable(id('quo', 'the quote it came from')),
  currency: string(undefined, { pattern: '^[A-Z]{3}$' }),
  lines: list(LINE, 'as on the quote, in the same order'),
  subtotalCents: cents(),
  shippingCents: cents(),
  shippingMethod: nullable(string()),
  discountCents: cents(),
  rushFeeCents: cents(),
  totalCents: cents('what the account was billed'),
  gstCents: cents('tax contained in the total'),
  promisedReadyDate: nullable(date('as on the quote')),
  shipments: SHIPMENTS,
  remakes: list(
    object<PresentedOrder['remakes'][number]>({ status, shipments: SHIPMENTS }),
    'what the studio made again at no charge, oldest first',
  ),
  cancellable: object<PresentedOrder['cancellable']>(
    {
      now: boolean('true while there are no blockers'),
      blockers: list(oneOf(CANCEL_BLOCKERS), 'each that applies; values may be added, so keep a default arm'),
    },
    { description: 'whether `POST /orders/{id}/cancel` would cancel it now' },
  ),
  createdAt: time(),
};

export const ORDER = resource<PresentedOrder>('Order', ORDER_FIELDS);
/** For what is an order and more. */
export const orderFields = (): Fields<PresentedOrder> => ({ ...ORDER_FIELDS });

export const UPLOAD_TARGET = resource<{ uploadUrl: string; contentType: string; url: string; key: string; uploadId: string }>(
  'UploadTarget',
  {
    uploadUrl: uri('PUT the bytes here; good for fifteen minutes'),
    contentType: oneOf(UPLOAD_CONTENT_TYPES, 'what to send as `Content-Type` with the PUT'),
    url: uri("what a quote's line sends as `imageUrl`; opaque, to be sent back exactly"),
    key: string("the object's name in the store; not needed to order"),
    uploadId: id('upl', 'to ask whether the bytes arrived'),
  },
);

/** Of an upload, and with a resolution of a line. */
export const INSPECTION_FIELDS: Fields<PresentedInspection> = {
  state: oneOf(
    INSPECTION_STATES,
    '`ok`: a picture; `no_preview`: a picture that cannot be decoded here, as HEIC; `unreadable`: not a picture that can be printed',
  ),
  reason: nullable(string('in words, unless it is `ok`')),
  mediaType: nullable(string('by its bytes, whatever was declared')),
  widthPx: nullable(integer('as it is seen, after its orientation')),
  heightPx: nullable(integer('as it is seen, after its orientation')),
  orientation: nullable(integer('by EXIF, 1 to 8', { minimum: 1, maximum: 8 })),
  colourSpace: nullable(string('`srgb`, `cmyk`, `b-w`, `rgb16` and the like')),
  hasProfile: nullable(boolean('whether it brings an ICC profile')),
  hasAlpha: nullable(boolean()),
  inspectedAt: time(),
};
const INSPECTION = resource<PresentedInspection>('Inspection', INSPECTION_FIELDS);

export const UPLOAD = resource<PresentedUpload>('Upload', {
  uploadId: id('upl'),
  filename: string('as declared'),
  contentType: oneOf(UPLOAD_CONTENT_TYPES, 'as declared'),
  sizeBytes: integer('as declared; the store takes exactly so many bytes'),
  url: uri("what a quote's line sends as `imageUrl`"),
  received: nullable(boolean('whether the bytes arrived; null where the store did not answer: ask again')),
  receivedAt: nullable(time('when the service learned of them')),
  checksum: nullable(string('`sha256:` and hex, or `etag:` and what an S3-compatible store calls them', { pattern: '^(sha256|etag):' })),
  inspection: nullable({
    ...INSPECTION,
    description: 'what picture it is; null until somebody has looked at its bytes, some seconds after they arrived',
  }),
  createdAt: time(),
  expiresAt: time('the end of `uploadUrl`'),
});

const catalogueId = string();
const name = string();
const description = nullable(string());
const clientTitle = nullable(string());
const imageUrl = nullable(uri());
const hex = nullable(string(undefined, { pattern: '^#[0-9A-Fa-f]{6}$' }));
const qualityTierIds = nullable(list(string(), 'null is without restriction; a material with tiers is valid inside those alone'));
const millimetres = integer();

type Row<S extends keyof Catalogue> = Catalogue[S][number];

const MEDIUM = resource<Row<'media'>>('Medium', {
  id: catalogueId,
  name,
  clientTitle,
  description,
  imageUrl,
  storefrontTier: oneOf(['basic', 'advanced'], 'house stock, or museum and archival'),
  surfaceType: string(),
  gramsPerSqm: nullable(integer()),
  maxPrintWidthMm: nullable(integer('compared with the SHORT edge of the printed sheet; null is no limit')),
  supportsTornEdge: boolean(),
});

const MOULDING = resource<Row<'mouldings'>>('Moulding', {
  id: catalogueId,
  name,
  clientTitle,
  widthMm: millimetres,
  depthMm: nullable(millimetres),
  maxLengthMm: nullable(integer('null is no published limit')),
  colour: string(),
  colourHex: hex,
  imageUrl,
  canvasFloatSuitable: boolean(),
  qualityTierIds,
});

/** What the rows of each section hold; the studio's own catalogue is made of the same (specification "Catalogue"). */
export const CATALOGUE_ROWS: { readonly [S in keyof Catalogue]: JsonSchema } = {
  products: resource<Row<'products'>>('Product', {
    slug: catalogueId,
    name,
    description: string(),
    category: nullable(string()),
    requiresArtwork: boolean(),
  }),
  media: MEDIUM,
  canvasMedia: MEDIUM,
  everydayArtMedia: MEDIUM,
  sizes: resource<Row<'sizes'>>('Size', {
    id: catalogueId,
    label: string(),
    sizeCategory: string(),
    widthMm: millimetres,
    heightMm: millimetres,
  }),
  mouldings: MOULDING,
  canvasMouldings: MOULDING,
  matboards: resource<Row<'matboards'>>('Matboard', {
    id: catalogueId,
    name,
    clientTitle,
    colour: string(),
    colourHex: hex,
    coreColour: nullable(string()),
    coreColourHex: hex,
    isAcidFree: boolean(),
    isMuseumGrade: boolean(),
    qualityTierIds,
  }),
  glazing: resource<Row<'glazing'>>('Glazing', {
    id: catalogueId,
    name,
    clientTitle,
    description,
    imageUrl,
    isUvProtective: boolean(),
    isAntiReflective: boolean(),
    isAcrylic: boolean(),
    qualityTierIds,
  }),
  backing: resource<Row<'backing'>>('Backing', {
    id: catalogueId,
    name,
    clientTitle,
    description,
    imageUrl,
    isAcidFree: boolean(),
    qualityTierIds,
  }),
  qualityTiers: resource<Row<'qualityTiers'>>('QualityTier', { id: catalogueId, name, slug: string(), description, imageUrl }),
  sleeves: resource<Row<'sleeves'>>('Sleeve', { sizeCode: string(), widthMm: millimetres, heightMm: millimetres }),
};

export const CATALOGUE = resource<Catalogue>(
  'Catalogue',
  Object.fromEntries(Object.entries(CATALOGUE_ROWS).map(([section, row]) => [section, list(row)])) as Fields<Catalogue>,
  { description: 'Always all twelve sections. No prices.' },
);

const event = (types: readonly string[], data: JsonSchema, sequence: string): Fields<Record<string, unknown>> => ({
  id: id('evt', 'the same in every attempt and resend: what to recognise a repeat by'),
  type: oneOf(types),
  createdAt: time(),
  environment,
  apiVersion: oneOf(['v1']),
  sequence: integer(sequence),
  data,
});

/** Specification "Events". */
export const ORDER_EVENT = resource(
  'OrderEvent',
  event(
    EVENT_TYPES.filter((type) => type !== PING),
    ORDER,
    'per order, from 1',
  ),
  {
    description: 'The order as it was when its status changed, and never changed since.',
  },
);
export const PING_EVENT = resource('PingEvent', event([PING], object({ endpointId: id('whe') }), 'always 0'), {
  description: 'Sent by the studio to try an endpoint.',
});

type OwnEndpoint = ReturnType<typeof presentOwnEndpoint>;
/** Specification "GET /webhook-endpoints", "GET /webhook-deliveries". */
export const OWN_ENDPOINT = resource<OwnEndpoint>('OwnWebhookEndpoint', {
  id: id('whe'),
  url: uri(),
  state: oneOf(['enabled', 'disabled']),
  disabledReason: nullable(string()),
  consecutiveFailures: integer('deliveries in a row that used up their attempts'),
  secretOverlapUntil: nullable(time('until when the secret before this one signs too')),
  deliveries: object<OwnEndpoint['deliveries']>({
    held: integer('kept while it was disabled'),
    failed: integer('that used up their attempts'),
  }),
  createdAt: time(),
  updatedAt: time(),
});

export const OWN_DELIVERY = resource<ReturnType<typeof presentOwnDelivery>>('OwnDelivery', {
  id: id('dlv', 'for resending'),
  endpointId: id('whe'),
  orderId: id('ord'),
  eventId: id('evt'),
  eventType: oneOf(EVENT_TYPES.filter((type) => type !== PING)),
  sequence: integer('per order, from 1'),
  state: oneOf(DELIVERY_STATES),
  trigger: oneOf(['automatic', 'resend', 'recover']),
  attemptCount: integer('since it was last sent anew'),
  lastStatus: nullable(integer('of the reply to the last attempt')),
  lastErrorCode: nullable(string('why the last attempt failed; codes may be added')),
  nextAttemptAt: nullable(time()),
  createdAt: time(),
  completedAt: nullable(time('when it was delivered or given up')),
});
