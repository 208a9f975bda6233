import { LIMITS } from '../../domain/limits';
import {
  BASKET_EXAMPLE,
  BREAKDOWN_EXAMPLE,
  EVENT_EXAMPLE,
  ORDER_EXAMPLE,
  OWN_DELIVERY_EXAMPLE,
  OWN_ENDPOINT_EXAMPLE,
  QUOTE_EXAMPLE,
  RECEIVED_EXAMPLE,
  UPLOAD_EXAMPLE,
} from './examples';
import { string } from './json';
import type { OperationContract, Parameter } from './operation';
import { BREAKDOWN, CATALOGUE, ORDER, ORDER_EVENT, OWN_DELIVERY, OWN_ENDPOINT, QUOTE, UPLOAD, UPLOAD_TARGET } from './resources';

const quoteId: Parameter = { schema: string(), description: 'of the quote', example: QUOTE_EXAMPLE.quoteId };
const orderId: Parameter = { schema: string(), description: 'of the order', example: ORDER_EXAMPLE.orderId };

/** What the contract says of the catalogue (specification "GET /catalogue"). */
export const CATALOGUE_OPERATIONS = {
  read: {
    id: 'getCatalogue',
    tag: 'Catalogue',
    summary: 'What can be ordered: products, materials and sizes, without prices',
    description: `May be kept for ${LIMITS.catalogueCacheSeconds} seconds; send its ETag as If-None-Match to be told 304 while it is the same.`,
    answer: CATALOGUE,
    headers: {
      'If-None-Match': { schema: string(), description: 'the ETag of the catalogue you have', example: '"5f0c2d7e"' },
    },
    answerHeaders: { ETag: string('names this catalogue') },
    notModified: true,
    example: {
      answer: {
        products: [
          {
            slug: 'fine-art-printing',
            name: 'Fine Art Printing',
            description: 'Giclée prints on fine-art paper',
            category: 'prints',
            requiresArtwork: true,
          },
        ],
        media: [
          {
            id: 'media-cotton-rag-310',
            name: 'Cotton Rag 310',
            clientTitle: null,
            description: null,
            imageUrl: null,
            storefrontTier: 'advanced',
            surfaceType: 'matte',
            gramsPerSqm: 310,
            maxPrintWidthMm: 1100,
            supportsTornEdge: true,
          },
        ],
        canvasMedia: [],
        everydayArtMedia: [],
        sizes: [],
        mouldings: [],
        canvasMouldings: [],
        matboards: [],
        glazing: [],
        backing: [],
        qualityTiers: [],
        sleeves: [],
      },
    },
  },
} satisfies Record<string, OperationContract>;

/** Of uploads (specification "POST /uploads"). */
export const UPLOAD_OPERATIONS = {
  create: {
    id: 'createUpload',
    tag: 'Artwork',
    summary: 'A signed URL to PUT one file of artwork to',
    description: `PUT exactly \`sizeBytes\` bytes to \`uploadUrl\`, then send \`url\` as a line's \`imageUrl\`. An account may have ${LIMITS.openTargetsPerAccount} open targets without bytes.`,
    answer: UPLOAD_TARGET,
    example: { request: { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 48_211 }, answer: UPLOAD_EXAMPLE },
    links: {
      readIt: {
        operationId: 'getUpload',
        parameters: { id: '$response.body#/data/uploadId' },
        description: 'Asks whether the bytes arrived.',
      },
      quoteIt: {
        operationId: 'createQuote',
        requestBody: { ...BASKET_EXAMPLE, items: BASKET_EXAMPLE.items.map((item) => ({ ...item, imageUrl: '$response.body#/data/url' })) },
        description: 'Asks for the price of a print of it.',
      },
    },
  },
  read: {
    id: 'getUpload',
    tag: 'Artwork',
    summary: 'Whether the bytes of an upload arrived, and which',
    description: "Of either of the account's environments. Bytes may be sent again until an order uses them: their checksum then changes.",
    params: { id: { schema: string(), description: 'of the upload', example: UPLOAD_EXAMPLE.uploadId } },
    answer: UPLOAD,
    example: { answer: RECEIVED_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;

/** Of quotes (specification "POST /quotes"). */
export const QUOTE_OPERATIONS = {
  create: {
    id: 'createQuote',
    tag: 'Quotes',
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
    example: { request: BASKET_EXAMPLE, answer: QUOTE_EXAMPLE },
    links: {
      readIt: { operationId: 'getQuote', parameters: { id: '$response.body#/data/quoteId' }, description: 'Reads the quote again.' },
      orderIt: { operationId: 'createOrder', requestBody: { quoteId: '$response.body#/data/quoteId' }, description: 'Orders it.' },
    },
  },
  read: {
    id: 'getQuote',
    tag: 'Quotes',
    summary: 'A quote, also when it has expired or was ordered',
    params: { id: quoteId },
    answer: QUOTE,
    example: { answer: QUOTE_EXAMPLE },
    links: {
      howItCameToBe: {
        operationId: 'getQuoteBreakdown',
        parameters: { id: '$response.body#/data/quoteId' },
        description: 'Breaks it down.',
      },
    },
  },
  breakdown: {
    id: 'getQuoteBreakdown',
    tag: 'Quotes',
    summary: 'How every figure of a quote came to be',
    description: 'Each amount with its quantity, rate, rounding and rule. The components add up to the quote to the cent.',
    params: { id: quoteId },
    answer: BREAKDOWN,
    example: { answer: BREAKDOWN_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;

/** Of the account's own webhooks (specification "GET /webhook-endpoints"). */
export const WEBHOOK_OPERATIONS = {
  endpoints: {
    id: 'listWebhookEndpoints',
    tag: 'Webhooks',
    summary: "The account's endpoints of the key's environment, newest first; never their secrets",
    description: 'The studio registers and enables them.',
    answer: { type: 'array', items: OWN_ENDPOINT },
    paged: true,
    example: { answer: [OWN_ENDPOINT_EXAMPLE] },
  },
  deliveries: {
    id: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'What was sent to them, is to be sent or could not be, newest first',
    answer: { type: 'array', items: OWN_DELIVERY },
    paged: true,
    example: { answer: [OWN_DELIVERY_EXAMPLE] },
  },
  resend: {
    id: 'resendWebhookDelivery',
    tag: 'Webhooks',
    summary: 'Send a delivery again, whatever became of it',
    description: 'A new chain of attempts with the same event: the same id and body, signed anew. No body is read.',
    params: { id: { schema: string(), description: 'of the delivery', example: OWN_DELIVERY_EXAMPLE.id } },
    answer: OWN_DELIVERY,
    refuses: ['ENDPOINT_DISABLED'],
    example: {
      answer: {
        ...OWN_DELIVERY_EXAMPLE,
        state: 'pending',
        trigger: 'resend',
        attemptCount: 0,
        nextAttemptAt: '2026-03-05T01:00:00.000Z',
        completedAt: null,
      },
    },
  },
} satisfies Record<string, OperationContract>;

/** Of orders (specification "POST /orders", "GET /orders"). */
export const ORDER_OPERATIONS = {
  create: {
    id: 'createOrder',
    tag: 'Orders',
    summary: 'Turn a quote into an order on account',
    description: `The same Idempotency-Key with the same body replays the first answer byte for byte for 24 hours, whatever became of the order since. Send a new key for each order and the same one for its retries.`,
    headers: {
      'Idempotency-Key': {
        schema: string(undefined, { minLength: 1, maxLength: LIMITS.idempotencyKeyLength }),
        description: 'new for each order, the same for its retries',
        example: '5f7c1f0e-0b8a-4f7e-9d36-6f2f7a1f4d11',
        required: true,
      },
    },
    answer: ORDER,
    answerHeaders: { 'Idempotent-Replayed': string('`true` where this is the first answer again', { enum: ['true'] }) },
    refuses: [
      'IDEMPOTENCY_KEY_REQUIRED',
      'QUOTE_ENVIRONMENT_MISMATCH',
      'CREDIT_LIMIT_EXCEEDED',
      'NOT_FOUND',
      'IDEMPOTENCY_KEY_REUSED',
      'QUOTE_ALREADY_ORDERED',
      'QUOTE_EXPIRED',
    ],
    example: { request: { quoteId: QUOTE_EXAMPLE.quoteId, specialInstructions: 'Please pack flat' }, answer: ORDER_EXAMPLE },
    links: {
      readIt: { operationId: 'getOrder', parameters: { id: '$response.body#/data/orderId' }, description: 'Reads the order.' },
      cancelIt: { operationId: 'cancelOrder', parameters: { id: '$response.body#/data/orderId' }, description: 'Cancels it.' },
    },
  },
  list: {
    id: 'listOrders',
    tag: 'Orders',
    summary: "The account's orders of the key's environment, newest first",
    description:
      'Filters narrow together. A cursor keeps the filters it was given for: send it alone or with the same ones; with others it is refused.',
    answer: { type: 'array', items: ORDER },
    paged: true,
    example: { answer: [ORDER_EXAMPLE] },
  },
  read: {
    id: 'getOrder',
    tag: 'Orders',
    summary: 'One order as it is now',
    params: { id: orderId },
    answer: ORDER,
    example: { answer: ORDER_EXAMPLE },
  },
  cancel: {
    id: 'cancelOrder',
    tag: 'Orders',
    summary: 'Cancel an order that was not shipped, printed or paid',
    description: 'Cancelling a cancelled order is 200 with the order. No body is read.',
    params: { id: orderId },
    answer: ORDER,
    refuses: ['ORDER_NOT_CANCELLABLE'],
    example: { answer: { ...ORDER_EXAMPLE, status: 'cancelled', cancellable: { now: false, blockers: ['cancelled'] } } },
  },
  advance: {
    id: 'advanceTestOrder',
    tag: 'Orders',
    summary: 'Move a test order on, as the studio would',
    description:
      'For test keys; a live key finds nothing here. Send exactly one of `to`, `parcel` and `voidParcel`. What is missing on the way is told too, each step with its event and webhooks. Already there is 200 without an event.',
    params: { id: orderId },
    answer: ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: { request: { to: 'in_production' }, answer: { ...ORDER_EXAMPLE, status: 'in_production' } },
  },
} satisfies Record<string, OperationContract>;

/** Of the feed (specification "GET /events"). */
export const EVENT_OPERATIONS = {
  list: {
    id: 'listEvents',
    tag: 'Events',
    summary: "The account's events of the key's environment, oldest first, with the bodies of the webhooks",
    description:
      'For catching up after an outage, or instead of webhooks: none is ever skipped by a reader who pages. `nextCursor` is what to send as `after`; it is null when you have all there is.',
    answer: { type: 'array', items: ORDER_EVENT },
    paged: true,
    example: { answer: [EVENT_EXAMPLE] },
  },
} satisfies Record<string, OperationContract>;
