import { ORDER_STATUSES } from '../../../domain/order-status';
import { ADDRESS_EXAMPLE, EVENT_EXAMPLE, INSPECTION_EXAMPLE, LINE_EXAMPLE, ORDER_EXAMPLE } from '../../contract/examples';

const AT = '2026-03-02T01:05:00.000Z';
const ACCOUNT_ID = 'acc_0f3a51d2';

export const TOKEN_EXAMPLE = {
  id: 'tok_17c4',
  name: 'press-7',
  role: 'floor',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  createdAt: AT,
};

export const SIGNED_IN_EXAMPLE = {
  tokenId: TOKEN_EXAMPLE.id,
  name: TOKEN_EXAMPLE.name,
  role: TOKEN_EXAMPLE.role,
  expiresAt: '2026-03-02T13:05:00.000Z',
  idleUntil: '2026-03-02T01:35:00.000Z',
  timeZone: 'Australia/Melbourne',
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
  state: 'enabled',
  disabledReason: null,
  consecutiveFailures: 0,
  secretOverlapUntil: null,
  deliveries: { held: 0, failed: 0 },
  createdAt: AT,
  updatedAt: AT,
};

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

export const DELIVERY_DETAIL_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  attemptsInChain: 7,
  lastAttemptDueAt: null,
  event: { id: EVENT_EXAMPLE.id, type: EVENT_EXAMPLE.type, sequence: 3, createdAt: AT, rawBody: JSON.stringify(EVENT_EXAMPLE) },
  attempts: [
    {
      chain: 1,
      number: 1,
      trigger: 'automatic',
      at: AT,
      ok: false,
      status: 500,
      errorCode: 'bad_status',
      timings: { dnsMs: 3, connectMs: 11, tlsMs: 24, firstByteMs: 80, totalMs: 119 },
      replyExcerpt: 'Internal Server Error',
      nextAttemptAt: AT,
    },
  ],
  workflowUrl: null,
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
  hears: { endpoints: 1, disabled: 0 },
  actions: [
    { type: 'held', allowed: true, reason: null, tells: 'order.on_hold' },
    { type: 'released', allowed: false, reason: 'the order is not on hold, it is in_production', tells: null },
  ],
  erasedAt: null,
  workflowUrl: null,
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
  dueCents: 3425,
  state: 'part_paid',
  overdue: false,
  issuedAt: AT,
  dueAt: '2026-04-01T01:05:00.000Z',
  voidedAt: null,
};

export const WHOLE_INVOICE_EXAMPLE = {
  ...INVOICE_ROW_EXAMPLE,
  payments: [{ paymentId: 'bank-2026-03-05/7', amountCents: 5000, receivedAt: AT, reference: 'Harbour Gallery March', reversedAt: null }],
  creditNotes: [],
};

/** Of the order above, made again. */
export const REMAKE_EXAMPLE = {
  ...STUDIO_ORDER_EXAMPLE,
  orderId: 'ord_7c2e',
  orderNumber: `${ORDER_EXAMPLE.orderNumber}-R1`,
  quoteId: null,
  lines: [{ ...LINE_EXAMPLE, quantity: 1, unitPriceCents: 0, amountCents: 0 }],
  subtotalCents: 0,
  shippingCents: 0,
  discountCents: 0,
  rushFeeCents: 0,
  totalCents: 0,
  gstCents: 0,
  remakeOf: {
    orderId: ORDER_EXAMPLE.orderId,
    orderNumber: ORDER_EXAMPLE.orderNumber,
    remakeId: 'complaint-17',
    reason: 'scratched in transit',
    lines: [{ line: 0, quantity: 1 }],
  },
  job: { ...STUDIO_ORDER_EXAMPLE.job, remake: `REMAKE of ${ORDER_EXAMPLE.orderNumber}: scratched in transit` },
  timeline: [],
  invoice: null,
  events: [],
};

export const ACCOUNT_PAYMENT_ROW_EXAMPLE = {
  paymentId: 'bank-2026-03-05/8',
  accountId: ACCOUNT_ID,
  environment: 'live',
  source: 'money',
  amountCents: 20_000,
  unappliedCents: 1575,
  receivedAt: AT,
  reference: 'Harbour Gallery March',
  createdAt: AT,
  reversedAt: null,
  invoiceCount: 2,
};

export const ACCOUNT_PAYMENT_EXAMPLE = {
  ...ACCOUNT_PAYMENT_ROW_EXAMPLE,
  invoices: [
    { invoiceId: 'inv_5c71', invoiceNumber: 'INV-10041', orderId: 'ord_5c71', orderNumber: 'P-10041', amountCents: 8425 },
    { invoiceId: 'inv_77d0', invoiceNumber: 'INV-10042', orderId: 'ord_77d0', orderNumber: 'P-10042', amountCents: 10_000 },
  ],
};

export const REFUND_EXAMPLE = {
  refundId: 'bank-2026-03-09/2',
  accountId: ACCOUNT_ID,
  environment: 'live',
  amountCents: 1575,
  reference: 'paid twice in March',
  createdAt: AT,
};

export const STATEMENT_EXAMPLE = {
  accountId: ACCOUNT_ID,
  accountName: ACCOUNT_EXAMPLE.name,
  environment: 'live',
  from: '2026-03-01',
  to: '2026-03-31',
  openingCents: 0,
  closingCents: 8425,
  entries: [
    {
      bookedOn: '2026-03-02',
      type: 'invoice',
      amountCents: 8425,
      outstandingCents: 8425,
      creditCents: 0,
      balanceCents: 8425,
      orderId: ORDER_EXAMPLE.orderId,
      orderNumber: ORDER_EXAMPLE.orderNumber,
      invoiceNumber: INVOICE_ROW_EXAMPLE.invoiceNumber,
      creditNoteNumber: null,
      paymentId: null,
      refundId: null,
      reference: null,
    },
  ],
  now: { outstandingCents: 8425, creditCents: 0, availableCents: 491_575, usedBps: 168 },
};

export const ATTENTION_EXAMPLE = {
  code: 'SHIPPED_AFTER_CANCEL',
  since: AT,
  message: 'parcel p-1 has left, and the order is cancelled',
  orderId: ORDER_EXAMPLE.orderId,
  orderNumber: ORDER_EXAMPLE.orderNumber,
  status: 'shipped',
  environment: 'live',
  accountId: ACCOUNT_ID,
  accountName: ACCOUNT_EXAMPLE.name,
};

export const CREDITED_INVOICE_EXAMPLE = {
  ...WHOLE_INVOICE_EXAMPLE,
  creditedCents: 1000,
  dueCents: 2425,
  creditNotes: [
    {
      id: 'crn_7a1c',
      creditNoteId: 'complaint-17',
      creditNoteNumber: 'CN-10003',
      amountCents: 1000,
      gstCents: 91,
      reason: 'scratched frame',
      createdAt: AT,
    },
  ],
};

export const CATALOGUE_ROW_EXAMPLE = { sizeCode: 'A4', widthMm: 210, heightMm: 297, withdrawn: false };

export const PRICE_BOOK_EXAMPLE = {
  version: 2,
  sha256: '0'.repeat(64),
  effectiveAt: AT,
  publishedBy: 'ops',
  createdAt: AT,
};

const NONE = Object.fromEntries(ORDER_STATUSES.map((status) => [status, 0]));

export const STATS_EXAMPLE = {
  environment: 'live',
  from: '2026-03-01',
  to: '2026-03-02',
  timeZone: 'Australia/Melbourne',
  orders: {
    placed: 3,
    revenueCents: 16_850,
    late: 1,
    byStatus: { ...NONE, received: 1, in_production: 1, cancelled: 1 },
  },
  days: [
    { date: '2026-03-01', orders: 1, revenueCents: 8425 },
    { date: '2026-03-02', orders: 2, revenueCents: 8425 },
  ],
  deliveries: { pending: 0, delivered: 9, failed: 1, held: 0, deliveredBps: 9000 },
};

export const ORDER_COUNTS_EXAMPLE = {
  environment: 'live',
  byStatus: { ...NONE, received: 3, in_production: 2, shipped: 4, completed: 10_000, cancelled: 1 },
  late: 1,
  attention: 2,
};

export const DELIVERY_COUNTS_EXAMPLE = { environment: 'live', byState: { pending: 12, failed: 3, held: 10_000 } };

export const AUDIT_EXAMPLE = {
  id: 41,
  at: AT,
  actor: { tokenId: TOKEN_EXAMPLE.id, name: 'ops' },
  action: 'account.change',
  subject: ACCOUNT_ID,
  requestId: 'req_4f1c9a',
  before: { creditLimitCents: null },
  after: { creditLimitCents: 500_000 },
};

export const SCHEDULE_EXAMPLE = {
  id: 'sweeper',
  does: 'finds orders and webhooks whose workflow Temporal lost, and removes what has expired',
  state: 'running',
  note: null,
  nextRunAt: '2026-03-02T01:10:00.000Z',
  runs: [
    {
      startedAt: AT,
      endedAt: '2026-03-02T01:05:01.000Z',
      status: 'completed',
      result: { orders: 0, deliveries: 0, looked: 212, unseenSince: '2026-03-02T01:00:00.000Z', idempotencyRecords: 3, rateWindows: 1 },
      workflowUrl: null,
    },
  ],
};

export const DIFFERENCES_EXAMPLE = {
  version: 2,
  against: 1,
  differences: [{ path: 'assemblyCents', change: 'changed', before: 1800, after: 1950 }],
};

const QUOTE_ID = 'quo_0f3a';
export const TRIAL_EXAMPLE = {
  inForce: 2,
  currency: 'AUD',
  looked: 50,
  priced: 49,
  totalBeforeCents: 812_350,
  totalAfterCents: 815_350,
  lines: [
    {
      quoteId: QUOTE_ID,
      accountName: 'Gallery North',
      line: 0,
      productName: 'Custom framing',
      quantity: 2,
      beforeCents: 40_000,
      afterCents: 43_000,
    },
  ],
  quotes: [
    {
      quoteId: QUOTE_ID,
      accountId: ACCOUNT_ID,
      createdAt: AT,
      shippingBeforeCents: 1495,
      shippingAfterCents: 1495,
      totalBeforeCents: 41_495,
      totalAfterCents: 44_495,
    },
  ],
  unpriced: [{ quoteId: 'quo_0f3b', refusedBy: 'today', reason: 'its address was erased, and with it where it would go' }],
};
