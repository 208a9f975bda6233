import { CANCEL_BLOCKERS } from '../../domain/cancel-rules';
import type { Catalogue } from '../../domain/catalogue';
import { EVENT_TYPES, PING } from '../../domain/events';
import { INSPECTION_STATES } from '../../domain/inspection';
import { ENVIRONMENTS } from '../../domain/limits';
import type { LinePieces } from '../../domain/line-pieces';
import { ISSUE_CODES, type OrderIssue } from '../../domain/order-issues';
import { ORDER_STATUSES } from '../../domain/order-status';
import type { PricedLine } from '../../domain/pricing/priced-quote';
import type { PresentedInspection } from '../../presenters/uploads';
import type { PresentedOrder } from '../../presenters/orders';
import { EVENT_EXAMPLE, ORDER_EXAMPLE } from './examples';
import { STORED_EVENT_TYPES } from '../../domain/events';
import { EVENT_TYPES_MEANING } from '../schemas/event-types';
import * as json from './json';
import type { Fields, JsonSchema } from './json';

export const environmentSchema = json.oneOf(ENVIRONMENTS, 'that of the key');

/** Specification "Quote", "Order". */
export const LINE = json.resource<PricedLine>('Line', {
  externalReference: json.nullable(json.string('as sent')),
  productSlug: json.string(),
  productName: json.string(),
  quantity: json.integer(),
  unitPriceCents: json.cents('ladder reduction included'),
  amountCents: json.cents('unit price × quantity'),
});

/** Pieces of an order's lines. */
export const PIECES = json.list(
  json.object<LinePieces>({ line: json.integer("counts from 0, as in the order's `lines`"), quantity: json.integer() }),
  'what it holds; null where the studio did not say',
);

type Shipment = PresentedOrder['shipments'][number];

/** Values may be added, so readers keep a default arm. */
const statusSchema = json.oneOf(ORDER_STATUSES, 'values may be added, so keep a default arm');

/** One for each parcel of an order, or of a remake. */
export const SHIPMENTS = json.list(
  json.object<Shipment>({
    carrier: json.nullable(json.string()),
    trackingNumber: json.string(),
    trackingUrl: json.nullable(json.uri()),
    shippedAt: json.nullable(json.time()),
    lines: json.nullable(PIECES),
  }),
  'one for each parcel whose label is not voided',
);

const ORDER_FIELDS: Fields<PresentedOrder> = {
  orderId: json.id('ord', 'for reading and cancelling'),
  orderNumber: json.string('what to quote when writing to the studio: `P-…`, `T-…` for test orders'),
  status: statusSchema,
  environment: environmentSchema,
  isTest: json.boolean('placed with a test key'),
  quoteId: json.nullable(json.id('quo', 'the quote it came from')),
  currency: json.string(undefined, { pattern: '^[A-Z]{3}$' }),
  lines: json.list(LINE, 'as on the quote, in the same order'),
  subtotalCents: json.cents(),
  shippingCents: json.cents(),
  shippingMethod: json.nullable(json.string()),
  discountCents: json.cents(),
  rushFeeCents: json.cents(),
  totalCents: json.cents('what the account was billed'),
  gstCents: json.cents('tax contained in the total'),
  promisedReadyDate: json.nullable(json.date('as on the quote')),
  shipments: SHIPMENTS,
  remakes: json.list(
    json.object<PresentedOrder['remakes'][number]>({ status: statusSchema, shipments: SHIPMENTS }),
    'what the studio made again at no charge, oldest first',
  ),
  cancellable: json.object<PresentedOrder['cancellable']>(
    {
      now: json.boolean('true while there are no blockers'),
      blockers: json.list(json.oneOf(CANCEL_BLOCKERS), 'each that applies; values may be added, so keep a default arm'),
    },
    { description: 'whether `POST /orders/{id}/cancel` would cancel it now' },
  ),
  issues: json.list(
    json.object<OrderIssue>({
      code: json.oneOf(ISSUE_CODES, 'values may be added, so keep a default arm'),
      line: json.nullable(json.integer("counts from 0, as in the order's `lines`; null: the whole order")),
      message: json.string('what is wrong and what would work; of `ON_HOLD` the reason that the studio gave'),
    }),
    'why the order waits for its client; empty where it does not',
  ),
  createdAt: json.time(),
  cancelledAt: json.nullable(json.time('when it was cancelled; the status of an order with a live parcel stays `shipped`')),
};

export const ORDER = json.resourceWithExample<PresentedOrder>('Order', ORDER_EXAMPLE, ORDER_FIELDS);

/** For what is an order and more. */
export const orderFields = (): Fields<PresentedOrder> => ({ ...ORDER_FIELDS });

/** Of an upload, and with a resolution of a line. */
export const INSPECTION_FIELDS: Fields<PresentedInspection> = {
  state: json.oneOf(
    INSPECTION_STATES,
    '`ok`: a picture; `no_preview`: a picture that cannot be decoded here, as HEIC; `unreadable`: not a picture that can be printed',
  ),
  reason: json.nullable(json.string('in words, unless it is `ok`')),
  mediaType: json.nullable(json.string('by its bytes, whatever was declared')),
  widthPx: json.nullable(json.integer('as it is seen, after its orientation')),
  heightPx: json.nullable(json.integer('as it is seen, after its orientation')),
  orientation: json.nullable(json.integer('by EXIF, 1 to 8', { minimum: 1, maximum: 8 })),
  colourSpace: json.nullable(json.string('`srgb`, `cmyk`, `b-w`, `rgb16` and the like')),
  hasProfile: json.nullable(json.boolean('whether it brings an ICC profile')),
  hasAlpha: json.nullable(json.boolean()),
  inspectedAt: json.time(),
};

const catalogueIdSchema = json.string();

const nameSchema = json.string();

const descriptionSchema = json.nullable(json.string());

const clientTitleSchema = json.nullable(json.string());

const imageUrlSchema = json.nullable(json.uri());

const hexSchema = json.nullable(json.string(undefined, { pattern: '^#[0-9A-Fa-f]{6}$' }));

const qualityTierIdsSchema = json.nullable(
  json.list(json.string(), 'null is without restriction; a material with tiers is valid inside those alone'),
);

const millimetresSchema = json.integer();

type Row<S extends keyof Catalogue> = Catalogue[S][number];

const MEDIUM = json.resource<Row<'media'>>('Medium', {
  id: catalogueIdSchema,
  name: nameSchema,
  clientTitle: clientTitleSchema,
  description: descriptionSchema,
  imageUrl: imageUrlSchema,
  storefrontTier: json.oneOf(['basic', 'advanced'], 'house stock, or museum and archival'),
  surfaceType: json.string(),
  gramsPerSqm: json.nullable(json.integer()),
  maxPrintWidthMm: json.nullable(json.integer('compared with the SHORT edge of the printed sheet; null is no limit')),
  supportsTornEdge: json.boolean(),
});

const MOULDING = json.resource<Row<'mouldings'>>('Moulding', {
  id: catalogueIdSchema,
  name: nameSchema,
  clientTitle: clientTitleSchema,
  widthMm: millimetresSchema,
  depthMm: json.nullable(millimetresSchema),
  maxLengthMm: json.nullable(json.integer('null is no published limit')),
  colour: json.string(),
  colourHex: hexSchema,
  imageUrl: imageUrlSchema,
  canvasFloatSuitable: json.boolean(),
  qualityTierIds: qualityTierIdsSchema,
});

/** What the rows of each section hold; the studio's own catalogue is made of the same (specification "Catalogue"). */
export const CATALOGUE_ROWS: { readonly [S in keyof Catalogue]: JsonSchema } = {
  products: json.resource<Row<'products'>>('Product', {
    slug: catalogueIdSchema,
    name: nameSchema,
    description: json.string(),
    category: json.nullable(json.string()),
    requiresArtwork: json.boolean(),
  }),
  media: MEDIUM,
  canvasMedia: MEDIUM,
  everydayArtMedia: MEDIUM,
  sizes: json.resource<Row<'sizes'>>('Size', {
    id: catalogueIdSchema,
    label: json.string(),
    sizeCategory: json.string(),
    widthMm: millimetresSchema,
    heightMm: millimetresSchema,
  }),
  mouldings: MOULDING,
  canvasMouldings: MOULDING,
  matboards: json.resource<Row<'matboards'>>('Matboard', {
    id: catalogueIdSchema,
    name: nameSchema,
    clientTitle: clientTitleSchema,
    colour: json.string(),
    colourHex: hexSchema,
    coreColour: json.nullable(json.string()),
    coreColourHex: hexSchema,
    isAcidFree: json.boolean(),
    isMuseumGrade: json.boolean(),
    qualityTierIds: qualityTierIdsSchema,
  }),
  glazing: json.resource<Row<'glazing'>>('Glazing', {
    id: catalogueIdSchema,
    name: nameSchema,
    clientTitle: clientTitleSchema,
    description: descriptionSchema,
    imageUrl: imageUrlSchema,
    isUvProtective: json.boolean(),
    isAntiReflective: json.boolean(),
    isAcrylic: json.boolean(),
    qualityTierIds: qualityTierIdsSchema,
  }),
  backing: json.resource<Row<'backing'>>('Backing', {
    id: catalogueIdSchema,
    name: nameSchema,
    clientTitle: clientTitleSchema,
    description: descriptionSchema,
    imageUrl: imageUrlSchema,
    isAcidFree: json.boolean(),
    qualityTierIds: qualityTierIdsSchema,
  }),
  qualityTiers: json.resource<Row<'qualityTiers'>>('QualityTier', {
    id: catalogueIdSchema,
    name: nameSchema,
    slug: json.string(),
    description: descriptionSchema,
    imageUrl: imageUrlSchema,
  }),
  sleeves: json.resource<Row<'sleeves'>>('Sleeve', { sizeCode: json.string(), widthMm: millimetresSchema, heightMm: millimetresSchema }),
};

const event = (types: readonly string[], data: JsonSchema, sequence: string): Fields<Record<string, unknown>> => ({
  id: json.id('evt', 'the same in every attempt and resend: what to recognise a repeat by'),
  type: json.oneOf(types),
  createdAt: json.time(),
  environment: environmentSchema,
  apiVersion: json.oneOf(['v1']),
  sequence: json.integer(sequence),
  data,
});

/** Specification "Events". */
export const ORDER_EVENT = json.resourceWithExample(
  'OrderEvent',
  EVENT_EXAMPLE,
  event(
    EVENT_TYPES.filter((type) => type !== PING),
    ORDER,
    'per order, from 1',
  ),
  {
    description: 'The order as it was when its status changed, and never changed since.',
  },
);

export const PING_EVENT = json.resource('PingEvent', event([PING], json.object({ endpointId: json.id('whe') }), 'always 0'), {
  description: 'Sent by the studio to try an endpoint.',
});

/** Of a webhook endpoint. */
export const EVENT_TYPES_SCHEMA = json.nullable(json.list(json.oneOf(STORED_EVENT_TYPES), EVENT_TYPES_MEANING));
