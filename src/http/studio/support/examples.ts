import { ORDER_STATUSES } from '../../../domain/order-status';
import { ADDRESS_EXAMPLE, EVENT_EXAMPLE, INSPECTION_EXAMPLE, LINE_EXAMPLE, ORDER_EXAMPLE } from '../../openapi/examples';

export const AT = '2026-03-02T01:05:00.000Z';

export const ACCOUNT_ID = 'acc_0f3a51d2';

export const TOKEN_EXAMPLE = {
  id: 'tok_17c4',
  name: 'press-7',
  role: 'floor',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  createdAt: AT,
};

export const ACCOUNT_EXAMPLE = {
  id: ACCOUNT_ID,
  name: 'Harbour Gallery',
  email: 'accounts@harbour.example',
  tradeDiscountBps: 1500,
  creditLimitCents: 500_000,
  paymentTermsDays: 30,
  status: 'active',
  apiAccess: true,
  currency: 'AUD',
  live: { outstandingCents: 0, creditCents: 0, availableCents: 500_000, usedBps: 0 },
  test: { outstandingCents: 8425, creditCents: 0, availableCents: 491_575, usedBps: 168 },
  createdAt: AT,
};

export const KEY_EXAMPLE = {
  id: 'key_9b20',
  accountId: ACCOUNT_ID,
  environment: 'test',
  scopes: ['price:read', 'orders:read', 'orders:write'],
  name: 'shop',
  prefix: 'lpk_test_',
  lastFour: '4f1c',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  createdAt: AT,
};

export const ENDPOINT_EXAMPLE = {
  id: 'whe_33d8',
  accountId: ACCOUNT_ID,
  environment: 'test',
  url: 'https://shop.example/hooks/print',
  eventTypes: null,
  state: 'enabled',
  disabledReason: null,
  consecutiveFailures: 0,
  secretOverlapUntil: null,
  deliveries: { held: 0, failed: 0 },
  createdAt: AT,
  updatedAt: AT,
};

export const SECRET_EXAMPLE = { secret: `lpw_${'0'.repeat(64)}`, standardSecret: `whsec_bHB3${'XzAw'.repeat(22)}` };

export const DELIVERY_EXAMPLE = {
  id: 'dlv_70ae',
  endpointId: ENDPOINT_EXAMPLE.id,
  endpointUrl: ENDPOINT_EXAMPLE.url,
  accountId: ACCOUNT_ID,
  accountName: ACCOUNT_EXAMPLE.name,
  environment: 'test',
  orderId: ORDER_EXAMPLE.orderId,
  orderNumber: ORDER_EXAMPLE.orderNumber,
  eventId: EVENT_EXAMPLE.id,
  eventType: EVENT_EXAMPLE.type,
  sequence: 3,
  state: 'failed',
  trigger: 'automatic',
  chain: 1,
  attemptCount: 7,
  lastAttemptAt: AT,
  lastStatus: 500,
  lastErrorCode: 'bad_status',
  nextAttemptAt: null,
  createdAt: AT,
  completedAt: AT,
};

export const ORDER_ROW_EXAMPLE = {
  ...ORDER_EXAMPLE,
  accountId: ACCOUNT_ID,
  accountName: ACCOUNT_EXAMPLE.name,
  baseStatus: 'received',
  whiteLabel: true,
  rushTier: 'standard',
  dueDate: '2026-03-16',
  late: false,
  facts: { printed: false, liveParcels: 0, paidCents: 0 },
  remakeOf: null,
  remakes: [],
  invoice: {
    invoiceNumber: 'TI-1041',
    amountCents: 8425,
    gstCents: 766,
    paidCents: 0,
    creditedCents: 0,
    state: 'open',
    issuedAt: AT,
    dueAt: '2026-04-01T01:05:00.000Z',
  },
  attention: [],
};

export const STUDIO_ORDER_EXAMPLE = {
  ...ORDER_ROW_EXAMPLE,
  job: {
    lines: [
      {
        externalReference: LINE_EXAMPLE.externalReference,
        productSlug: LINE_EXAMPLE.productSlug,
        productName: LINE_EXAMPLE.productName,
        quantity: LINE_EXAMPLE.quantity,
        selections: { artworkWidthMm: '300', artworkHeightMm: '400', mediaId: 'media-cotton-rag-310' },
        words: [
          { label: 'Size', value: '300 mm wide × 400 mm high, portrait' },
          { label: 'Printed on', value: 'Cotton rag 310' },
        ],
        artworkUrl: 'https://files.example/artwork/acc_0f3a51d2/upl_6b1d.jpg?expires=1772413323&signature=9f',
        artworkFilename: 'dunes.jpg',
        artworkContentType: 'image/jpeg',
        artworkReceived: true,
        inspection: { ...INSPECTION_EXAMPLE, effectiveDpi: 304 },
      },
    ],
    remake: null,
    shippingAddress: ADDRESS_EXAMPLE,
    specialInstructions: null,
    whiteLabel: true,
    rushTier: 'standard',
    promisedReadyDate: null,
    shippingMethod: 'standard-parcel',
    shippingMethodName: 'Standard parcel',
  },
  timeline: [
    {
      milestoneId: 'press-7/1041',
      type: 'production_started',
      outcome: 'applied',
      reason: null,
      note: null,
      corrects: null,
      carried: {},
      actor: 'press-7',
      occurredAt: AT,
      recordedAt: AT,
      correctable: true,
      change: null,
    },
  ],
  parcels: [],
  payments: [],
  events: [
    {
      id: EVENT_EXAMPLE.id,
      type: EVENT_EXAMPLE.type,
      sequence: 3,
      createdAt: AT,
      deliveries: [
        {
          id: DELIVERY_EXAMPLE.id,
          endpointId: ENDPOINT_EXAMPLE.id,
          state: 'failed',
          attemptCount: 7,
          nextAttemptAt: null,
          completedAt: AT,
        },
      ],
    },
  ],
  webhookEndpoints: [{ state: 'enabled', eventTypes: null }],
  actions: [
    { type: 'held', allowed: true, reason: null, tells: 'order.on_hold' },
    { type: 'released', allowed: false, reason: 'the order is not on hold, it is in_production', tells: null },
  ],
  erasedAt: null,
  workflowUrl: `http://127.0.0.1:8233/namespaces/default/workflows/order%2F${ORDER_EXAMPLE.orderId}`,
};

export const INVOICE_ROW_EXAMPLE = {
  invoiceId: 'inv_5c71',
  invoiceNumber: 'INV-10041',
  orderId: ORDER_EXAMPLE.orderId,
  orderNumber: ORDER_EXAMPLE.orderNumber,
  accountId: ACCOUNT_ID,
  accountName: ACCOUNT_EXAMPLE.name,
  environment: 'live',
  currency: 'AUD',
  amountCents: 8425,
  gstCents: 766,
  paidCents: 5000,
  creditedCents: 0,
  voidedCents: 0,
  voidedGstCents: 0,
  dueCents: 3425,
  state: 'part_paid',
  overdue: false,
  issuedAt: AT,
  dueAt: '2026-04-01T01:05:00.000Z',
  dueDate: '2026-04-01',
  voidedAt: null,
};

export const WHOLE_INVOICE_EXAMPLE = {
  ...INVOICE_ROW_EXAMPLE,
  payments: [{ paymentId: 'bank-2026-03-05/7', amountCents: 5000, receivedAt: AT, reference: 'Harbour Gallery March', reversedAt: null }],
  creditNotes: [],
};

export const NONE = Object.fromEntries(ORDER_STATUSES.map((status) => [status, 0]));
