import type { PresentedInspection } from '../../presenters/uploads';

/** The examples of the contract follow one print from basket to parcel. */

export const LINE_EXAMPLE = {
  externalReference: 'your-line-1',
  productSlug: 'fine-art-printing',
  productName: 'Fine Art Printing',
  quantity: 2,
  unitPriceCents: 3465,
  amountCents: 6930,
};

export const ARTWORK_CHECKS_EXAMPLE = {
  state: 'ok' as const,
  widthPx: 3600,
  heightPx: 4800,
  effectiveDpi: 304,
  shapeDifferencePercent: 0,
  warnings: [],
};

const CHECKED_LINE_EXAMPLE = { ...LINE_EXAMPLE, artworkChecks: ARTWORK_CHECKS_EXAMPLE };

const EXAMPLE_FIGURES = {
  reference: 'PO-4711',
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
  estimatedDeliveryDates: { earliest: '2026-03-18', latest: '2026-03-23' },
  metadata: { shopOrder: '1041' },
};

export const QUOTE_EXAMPLE = {
  quoteId: 'quo_6b1d0f52c9e84a37',
  environment: 'test',
  pricingVersion: 1,
  expiresAt: '2026-03-03T01:02:03.004Z',
  consumedAt: null,
  discountReason: null,
  discountLabel: null,
  ...EXAMPLE_FIGURES,
  lines: [CHECKED_LINE_EXAMPLE],
};

export const SHIPPING_OPTION_EXAMPLE = {
  id: 'standard-parcel',
  name: 'Standard parcel',
  description: null,
  estimatedDelivery: '2 to 5 business days',
  estimatedDeliveryDates: { earliest: '2026-03-18', latest: '2026-03-23' },
  isCollection: false,
  priceCents: 1495,
  requiresQuote: false,
};

export const ORDER_EXAMPLE = {
  orderId: 'ord_8c2e71a4f0b94d16',
  orderNumber: 'T-1041',
  status: 'received',
  environment: 'test',
  isTest: true,
  quoteId: QUOTE_EXAMPLE.quoteId,
  ...EXAMPLE_FIGURES,
  shipments: [],
  remakes: [],
  cancellable: { now: true, blockers: [] },
  issues: [],
  createdAt: '2026-03-02T01:05:00.000Z',
  cancelledAt: null as string | null,
};

export const SHIPMENT_EXAMPLE = {
  carrier: 'Australia Post',
  trackingNumber: 'AP-1',
  trackingUrl: 'https://track.example/AP-1',
  shippedAt: '2026-03-04T03:00:00.000Z',
  deliveredAt: null as string | null,
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

export const PRICES_EXAMPLE = {
  currency: 'AUD',
  pricingVersion: 1,
  baskets: [
    {
      price: {
        lines: [{ ...LINE_EXAMPLE, artworkChecks: null }],
        subtotalCents: 6930,
        discountCents: 0,
        discountReason: null,
        discountLabel: null,
        rushFeeCents: 0,
        promisedReadyDate: null,
        totalCents: 6930,
        gstCents: 630,
        shippingOptions: [SHIPPING_OPTION_EXAMPLE],
      },
      issues: [],
    },
    {
      price: null,
      issues: [
        {
          code: 'PRODUCT_UNAVAILABLE',
          line: 0,
          path: 'items.0.variantSelections.mediaId',
          message: 'items.0: mediaId "media-cotton-rag-309" is not in the catalogue\'s media',
        },
      ],
    },
  ],
};

export const EVENT_EXAMPLE = {
  id: 'evt_51aa09c4d3f7482b',
  type: 'order.shipped' as const,
  createdAt: '2026-03-04T03:00:01.000Z',
  environment: 'test',
  apiVersion: 'v1',
  sequence: 3,
  data: { ...ORDER_EXAMPLE, status: 'shipped', shipments: [SHIPMENT_EXAMPLE], cancellable: { now: false, blockers: ['shipped'] } },
};

export const INSPECTION_EXAMPLE: PresentedInspection = {
  state: 'ok',
  reason: null,
  mediaType: 'image/jpeg',
  widthPx: 3600,
  heightPx: 4800,
  orientation: 6,
  colourSpace: 'srgb',
  hasProfile: true,
  hasAlpha: false,
  pages: 1,
  extraChannels: 0,
  decoderVersion: 2,
  inspectedAt: '2026-03-02T01:01:34.000Z',
};
