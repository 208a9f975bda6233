/** What the examples of the contract show: one print on its way from basket to parcel. */

export const LINE_EXAMPLE = {
  externalReference: 'your-line-1',
  productSlug: 'fine-art-printing',
  productName: 'Fine Art Printing',
  quantity: 2,
  unitPriceCents: 3465,
  amountCents: 6930,
};

const FIGURES = {
  currency: 'AUD',
  lines: [LINE_EXAMPLE],
  subtotalCents: 6930,
  shippingCents: 1495,
  shippingMethod: 'standard-parcel',
  discountCents: 0,
  rushFeeCents: 0,
  totalCents: 8425,
  gstCents: 766,
  promisedReadyDate: null,
};

export const QUOTE_EXAMPLE = {
  quoteId: 'quo_6b1d0f52c9e84a37',
  environment: 'test',
  pricingVersion: 1,
  expiresAt: '2026-03-03T01:02:03.004Z',
  consumedAt: null,
  discountReason: null,
  discountLabel: null,
  ...FIGURES,
};

const worked = { rounding: 'half_up', minimum: null };
export const BREAKDOWN_EXAMPLE = {
  quoteId: QUOTE_EXAMPLE.quoteId,
  currency: 'AUD',
  pricingVersion: 1,
  lines: [
    {
      externalReference: LINE_EXAMPLE.externalReference,
      productSlug: LINE_EXAMPLE.productSlug,
      productName: LINE_EXAMPLE.productName,
      components: [
        {
          ...worked,
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
        },
      ],
      unitPriceCents: 3465,
      quantity: 2,
      amountCents: 6930,
    },
  ],
  sumCents: 6930,
  topUp: null,
  subtotalCents: 6930,
  discount: null,
  discountCents: 0,
  parcels: [
    {
      kind: 'flat',
      count: 1,
      pieces: 2,
      longMm: 440,
      shortMm: 340,
      thicknessMm: 10,
      grams: 320,
      chargeableGrams: 374,
      components: [
        {
          ...worked,
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
        },
      ],
    },
  ],
  shippingCents: 1495,
  rush: null,
  rushFeeCents: 0,
  totalCents: 8425,
  gst: {
    ...worked,
    code: 'gst',
    cents: 766,
    quantity: 8425,
    quantityUnit: 'cents',
    rate: 11,
    rateUnit: 'divisor',
    rateAt: '/tax/divisor',
    exactCents: '8425/11',
    rule: 'total ÷ divisor: contained in the total, not added to it',
    note: 'contained in the total',
  },
  gstCents: 766,
};

export const ORDER_EXAMPLE = {
  orderId: 'ord_8c2e71a4f0b94d16',
  orderNumber: 'T-1041',
  status: 'received',
  environment: 'test',
  isTest: true,
  quoteId: QUOTE_EXAMPLE.quoteId,
  ...FIGURES,
  shipments: [],
  remakes: [],
  cancellable: { now: true, blockers: [] },
  createdAt: '2026-03-02T01:05:00.000Z',
};

export const SHIPMENT_EXAMPLE = {
  carrier: 'Australia Post',
  trackingNumber: 'AP-1',
  trackingUrl: 'https://track.example/AP-1',
  shippedAt: '2026-03-04T03:00:00.000Z',
  lines: [{ line: 0, quantity: 1 }],
};

export const ADDRESS_EXAMPLE = {
  name: 'Ada Customer',
  line1: '12 Hanging Lane',
  city: 'Melbourne',
  state: 'VIC',
  postcode: '3000',
  country: 'AU',
  email: 'ada@example.com',
};

export const BASKET_EXAMPLE = {
  items: [
    {
      productSlug: 'fine-art-printing',
      quantity: 2,
      imageUrl: 'https://files.example/artwork/acc_0f3a/upl_6b1d0f52c9e84a37.jpg',
      variantSelections: { artworkWidthMm: '300', artworkHeightMm: '400', mediaId: 'media-cotton-rag-310' },
      externalReference: 'your-line-1',
    },
  ],
  shippingMethodId: 'standard-parcel',
  shippingAddress: ADDRESS_EXAMPLE,
};

export const EVENT_EXAMPLE = {
  id: 'evt_51aa09c4d3f7482b',
  type: 'order.shipped',
  createdAt: '2026-03-04T03:00:01.000Z',
  environment: 'test',
  apiVersion: 'v1',
  sequence: 3,
  data: { ...ORDER_EXAMPLE, status: 'shipped', shipments: [SHIPMENT_EXAMPLE], cancellable: { now: false, blockers: ['shipped'] } },
};

export const UPLOAD_EXAMPLE = {
  uploadUrl: 'https://files.example/artwork/acc_0f3a/upl_6b1d0f52c9e84a37.jpg?expires=1772413323&size=48211&signature=9f',
  contentType: 'image/jpeg',
  url: BASKET_EXAMPLE.items[0]?.imageUrl ?? '',
  key: 'acc_0f3a/upl_6b1d0f52c9e84a37.jpg',
  uploadId: 'upl_6b1d0f52c9e84a37',
};

export const INSPECTION_EXAMPLE = {
  state: 'ok',
  reason: null,
  mediaType: 'image/jpeg',
  widthPx: 3600,
  heightPx: 4800,
  orientation: 6,
  colourSpace: 'srgb',
  hasProfile: true,
  hasAlpha: false,
  inspectedAt: '2026-03-02T01:01:34.000Z',
};

export const RECEIVED_EXAMPLE = {
  uploadId: UPLOAD_EXAMPLE.uploadId,
  filename: 'dunes.jpg',
  contentType: UPLOAD_EXAMPLE.contentType,
  sizeBytes: 48_211,
  url: UPLOAD_EXAMPLE.url,
  received: true,
  receivedAt: '2026-03-02T01:01:30.500Z',
  checksum: `sha256:${'0f'.repeat(32)}`,
  inspection: INSPECTION_EXAMPLE,
  createdAt: '2026-03-02T01:01:00.000Z',
  expiresAt: '2026-03-02T01:16:00.000Z',
};

export const OWN_ENDPOINT_EXAMPLE = {
  id: 'whe_33d8',
  url: 'https://shop.example/hooks/print',
  state: 'enabled',
  disabledReason: null,
  consecutiveFailures: 0,
  secretOverlapUntil: null,
  deliveries: { held: 0, failed: 1 },
  createdAt: '2026-03-01T00:00:00.000Z',
  updatedAt: '2026-03-01T00:00:00.000Z',
};

export const OWN_DELIVERY_EXAMPLE = {
  id: 'dlv_70ae',
  endpointId: OWN_ENDPOINT_EXAMPLE.id,
  orderId: ORDER_EXAMPLE.orderId,
  eventId: EVENT_EXAMPLE.id,
  eventType: EVENT_EXAMPLE.type,
  sequence: 3,
  state: 'failed',
  trigger: 'automatic',
  attemptCount: 7,
  lastStatus: 500,
  lastErrorCode: 'bad_status',
  nextAttemptAt: null,
  createdAt: EVENT_EXAMPLE.createdAt,
  completedAt: '2026-03-04T20:21:07.000Z',
};
