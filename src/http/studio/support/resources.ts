import { ATTENTION_CODES } from '../../../domain/attention';
import { EVENT_TYPES, PING } from '../../../domain/events';
import { INVOICE_STATES } from '../../../domain/ledger';
import { ENVIRONMENTS, RUSH_TIERS } from '../../../domain/limits';
import type { LinePieces } from '../../../domain/line-pieces';
import { ACTION_TYPES, type OrderAction } from '../../../domain/order-actions';
import { BASE_STATUSES, ORDER_STATUSES } from '../../../domain/order-status';
import type { LineReference, OrderChange } from '../../../domain/pricing/order-change';
import { DELIVERY_STATES } from '../../../domain/webhook-rules';
import type { presentAccount } from '../../../presenters/accounts';
import type { PresentedLineInspection } from '../../../presenters/uploads';
import type { presentInvoiceRow, presentInvoiceDetail } from '../../../presenters/invoices';
import type { presentOrderEvent } from '../../../presenters/events';
import type {
  presentAttention,
  presentInvoice,
  presentParcel,
  presentPayment,
  presentTimelineEntry,
} from '../../../presenters/order-records';
import type { presentStudioOrder, presentStudioOrderRow } from '../../../presenters/studio-orders';
import type { presentEndpoint } from '../../../presenters/webhook-endpoints';
import {
  ACTIONS_EXAMPLE,
  ACCOUNT_ID,
  ACCOUNT_NAME,
  EXAMPLE_TIME,
  DELIVERY_ID,
  EXAMPLE_DUE_TIME,
  ENDPOINT_ID,
  ENDPOINT_URL,
  INVOICE_ID,
  INVOICE_NUMBER,
} from './examples';
import { ADDRESS_EXAMPLE, EVENT_EXAMPLE, INSPECTION_EXAMPLE, LINE_EXAMPLE, ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { EVENT_TYPES_SCHEMA, INSPECTION_FIELDS, orderFields, PIECES, SHIPMENTS } from '../../openapi/resources';

export const ENVIRONMENT = json.closedEnum(ENVIRONMENTS);

export const CURRENCY = json.currency();

export const creditSchema = json.resource<ReturnType<typeof presentAccount>['live']>('Credit', {
  outstandingCents: json.cents('the unpaid part of invoices that are not void'),
  creditCents: json.cents('money beyond the invoices; the service never applies it automatically'),
  availableCents: json.nullable(json.cents('the amount left for orders: limit − outstanding + credit, at least 0; null without a limit')),
  usedBps: json.nullable(
    json.integer('outstanding − credit, in hundredths of a percent of the limit, rounded down, from 0 to 1,000,000; null without a limit'),
  ),
});

export type Endpoint = ReturnType<typeof presentEndpoint>;

export const ENDPOINT_FIELDS: json.Fields<Endpoint> = {
  id: [json.id('whe'), ENDPOINT_ID],
  accountId: [json.id('acc'), ACCOUNT_ID],
  environment: [ENVIRONMENT, 'test'],
  url: [json.uri(), ENDPOINT_URL],
  eventTypes: EVENT_TYPES_SCHEMA,
  state: [json.openEnum(['enabled', 'disabled']), 'enabled'],
  disabledReason: json.nullable(json.string()),
  consecutiveFailures: [json.integer('consecutive deliveries that used all attempts'), 0],
  secretOverlapUntil: json.nullable(json.time('the time until which the previous secret also signs')),
  deliveries: json.object<Endpoint['deliveries']>({
    held: [json.integer('the count stops at 10,000'), 0],
    failed: [json.integer('the count stops at 10,000'), 0],
  }),
  createdAt: [json.time(), EXAMPLE_TIME],
  updatedAt: [json.time(), EXAMPLE_TIME],
};

export const ENDPOINT = json.resource<Endpoint>('WebhookEndpoint', ENDPOINT_FIELDS);

export const ENDPOINT_WITH_SECRET = json.resource<Endpoint & { secret: string; standardSecret: string }>('WebhookEndpointWithSecret', {
  ...ENDPOINT_FIELDS,
  secret: [json.string('the secret, `lpw_…`; no other response contains it', { pattern: '^lpw_[0-9a-f]{64}$' }), `lpw_${'0'.repeat(64)}`],
  standardSecret: [
    json.string('the same secret in the format of Standard Webhooks', { pattern: '^whsec_[A-Za-z0-9+/]+=*$' }),
    `whsec_bHB3${'XzAw'.repeat(22)}`,
  ],
});

export type StudioOrderRow = ReturnType<typeof presentStudioOrderRow>;

type StudioOrder = ReturnType<typeof presentStudioOrder>;

const INVOICE = json.resource<ReturnType<typeof presentInvoice>>('Invoice', {
  invoiceNumber: json.string(),
  amountCents: json.cents(),
  gstCents: json.cents(),
  paidCents: json.cents(),
  creditedCents: json.cents('the amount of credit notes'),
  state: json.openEnum(
    INVOICE_STATES,
    'the first that applies: void, credited (by credit notes alone), paid, part_paid (or partly credited), open',
  ),
  issuedAt: json.time(),
  dueAt: json.time(),
});

const INVOICE_EXAMPLE: ReturnType<typeof presentInvoice> = {
  invoiceNumber: 'TI-1041',
  amountCents: 8425,
  gstCents: 766,
  paidCents: 0,
  creditedCents: 0,
  state: 'open',
  issuedAt: EXAMPLE_TIME,
  dueAt: EXAMPLE_DUE_TIME,
};

export const ATTENTION_FIELDS: json.Fields<ReturnType<typeof presentAttention>> = {
  code: [json.openEnum(ATTENTION_CODES), 'SHIPPED_AFTER_CANCEL'],
  since: [json.time(), EXAMPLE_TIME],
  message: [json.string(), 'parcel p-1 has left, and the order is cancelled'],
};

export const ATTENTION = json.resource<ReturnType<typeof presentAttention>>('Attention', ATTENTION_FIELDS);

const REMAKE_LINE = json.object<LinePieces>({
  line: json.integer('the line of the original order, from 0'),
  quantity: json.integer(),
});

export const STUDIO_ORDER_FIELDS: json.Fields<StudioOrderRow> = {
  ...orderFields(),
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
  baseStatus: [json.openEnum(BASE_STATUSES, 'the status without live parcels'), 'received'],
  whiteLabel: [json.boolean(), true],
  rushTier: [json.openEnum(RUSH_TIERS), 'standard'],
  dueDate: [
    json.nullable(
      json.date('the promised date, or the end of the standard turnaround; null on orders settled before the service stored it'),
    ),
    '2026-03-16',
  ],
  late: [json.boolean("whether the order is unshipped and due before today on the studio's calendar"), false],
  facts: json.object<StudioOrderRow['facts']>({
    printed: [json.boolean(), false],
    liveParcels: [json.integer(), 0],
    paidCents: [json.cents(), 0],
  }),
  remakeOf: json.nullable(
    json.object<NonNullable<StudioOrderRow['remakeOf']>>(
      {
        orderId: json.id('ord'),
        orderNumber: json.string(),
        remakeId: json.string('the id that the caller sent'),
        reason: json.string(),
        lines: json.list(REMAKE_LINE),
      },
      { description: 'the original order, if this order is a remake' },
    ),
  ),
  remakes: [
    json.list(
      json.object<StudioOrderRow['remakes'][number]>({
        orderId: json.id('ord'),
        orderNumber: json.string('the number of the remake, such as `P-10001-R1`'),
        remakeId: json.string('the id that the caller sent'),
        status: json.openEnum(ORDER_STATUSES),
        reason: json.string(),
        lines: json.list(REMAKE_LINE),
        shipments: SHIPMENTS,
      }),
      'the remakes of the order, the oldest first',
    ),
    [],
  ],
  invoice: [json.nullable({ ...INVOICE, description: 'null for a remake' }), INVOICE_EXAMPLE],
  attention: [json.list(ATTENTION, 'open attention, the oldest first'), []],
};

type Job = StudioOrder['job'];

const ADDRESS = json.object<Job['shippingAddress']>(
  {
    name: json.string(),
    company: json.nullable(json.string()),
    line1: json.string(),
    line2: json.nullable(json.string()),
    city: json.string(),
    state: json.string(),
    postcode: json.string(),
    country: json.string(),
    phone: json.nullable(json.string()),
    email: json.string(),
  },
  { optional: ['company', 'line2', 'phone'] },
);

const LINE_INSPECTION = json.resource<PresentedLineInspection>('LineInspection', {
  ...INSPECTION_FIELDS,
  effectiveDpi: json.nullable(json.integer('pixels ÷ printed inches, the lower of both axes; null if pixels or size are unknown')),
});

export const JOB = json.resource<Job>('Job', {
  lines: json.list(
    json.object<Job['lines'][number]>({
      externalReference: [json.nullable(json.string()), LINE_EXAMPLE.externalReference],
      productSlug: [json.string(), LINE_EXAMPLE.productSlug],
      productName: [json.string(), LINE_EXAMPLE.productName],
      quantity: [json.integer(), LINE_EXAMPLE.quantity],
      selections: [json.mapOf(json.string()), { artworkWidthMm: '300', artworkHeightMm: '400', mediaId: 'media-cotton-rag-310' }],
      words: [
        json.list(
          json.object<Job['lines'][number]['words'][number]>({ label: json.string(), value: json.string() }),
          'the selections as on the job sheet: sizes in words, materials by name',
        ),
        [
          { label: 'Size', value: '300 mm wide × 400 mm high, portrait' },
          { label: 'Printed on', value: 'Cotton rag 310' },
        ],
      ],
      artworkUrl: [
        json.nullable(json.uri('a signed URL that expires')),
        'https://files.example/artwork/acc_0f3a51d2/upl_6b1d.jpg?expires=1772413323&signature=9f',
      ],
      artworkFilename: [json.nullable(json.string()), 'dunes.jpg'],
      artworkContentType: [json.nullable(json.string()), 'image/jpeg'],
      artworkReceived: [json.nullable(json.boolean('null if the store did not answer')), true],
      inspection: [
        json.nullable({ ...LINE_INSPECTION, description: 'the result of the inspection; null until the artwork is inspected' }),
        { ...INSPECTION_EXAMPLE, effectiveDpi: 304 },
      ],
    }),
  ),
  remake: json.nullable(json.string('the original order and the reason; null if this order is not a remake')),
  shippingAddress: [ADDRESS, ADDRESS_EXAMPLE],
  specialInstructions: json.nullable(json.string()),
  whiteLabel: [json.boolean(), true],
  rushTier: [json.openEnum(RUSH_TIERS), 'standard'],
  promisedReadyDate: json.nullable(json.date()),
  shippingMethod: [json.nullable(json.string('the id of the method')), 'standard-parcel'],
  shippingMethodName: [json.nullable(json.string('the name of the method')), 'Standard parcel'],
});

const CHANGE = json.resource<OrderChange>(
  'OrderChange',
  {
    shippingAddress: ADDRESS,
    lines: json.list(json.object<LineReference>({ line: json.integer('from 0'), externalReference: json.nullable(json.string()) })),
    specialInstructions: json.nullable(json.string()),
  },
  { optional: ['shippingAddress', 'lines', 'specialInstructions'] },
);

type Carried = ReturnType<typeof presentTimelineEntry>['carried'];

const CARRIED_FIELDS = {
  parcelId: json.string(),
  trackingNumber: json.string(),
  carrier: json.string(),
  trackingUrl: json.string(),
  shippedAt: json.time(),
  lines: PIECES,
  paymentId: json.string(),
  amountCents: json.cents(),
  receivedAt: json.time(),
  reference: json.string(),
  creditNoteId: json.string(),
  line: json.integer('from 0'),
} satisfies Record<keyof Carried, unknown>;

const TIMELINE_ENTRY = json.resource<StudioOrder['timeline'][number]>('TimelineEntry', {
  milestoneId: [json.string(), 'press-7/1041'],
  type: [json.string(), 'production_started'],
  outcome: [json.openEnum(['applied', 'refused']), 'applied'],
  reason: json.nullable(json.string('the reason of the refusal, or the reason in the message')),
  note: json.nullable(json.string()),
  corrects: json.nullable(json.string('the milestoneId that this correction took back')),
  carried: json.object<Carried>(CARRIED_FIELDS, {
    description: 'the fields of a parcel, payment or credit note, and the line of rejected artwork',
    optional: Object.keys(CARRIED_FIELDS) as (keyof Carried)[],
  }),
  actor: [json.string(), 'press-7'],
  occurredAt: [json.time(), EXAMPLE_TIME],
  recordedAt: [json.time(), EXAMPLE_TIME],
  correctable: [json.boolean('whether a correction would take back this milestone now; the service checks again on the request'), true],
  change: json.nullable(
    json.object<NonNullable<StudioOrder['timeline'][number]['change']>>(
      { before: CHANGE, after: CHANGE },
      { description: 'the change by the client; null for other entries' },
    ),
  ),
});

const PARCEL = json.resource<ReturnType<typeof presentParcel>>('Parcel', {
  parcelId: json.string(),
  trackingNumber: json.string(),
  carrier: json.nullable(json.string()),
  trackingUrl: json.nullable(json.string()),
  shippedAt: json.nullable(json.time()),
  voidedAt: json.nullable(json.time()),
  lines: json.nullable(PIECES),
});

export const PAYMENT_FIELDS: json.Fields<ReturnType<typeof presentPayment>> = {
  paymentId: [json.string(), 'bank-2026-03-05/7'],
  amountCents: [json.cents(), 5000],
  receivedAt: [json.time(), EXAMPLE_TIME],
  reference: [json.nullable(json.string()), 'Harbour Gallery March'],
  reversedAt: json.nullable(json.time()),
};

const PAYMENT = json.resource<ReturnType<typeof presentPayment>>('Payment', PAYMENT_FIELDS);

type OrderEvent = ReturnType<typeof presentOrderEvent>;

const ORDER_EVENT = json.resource<OrderEvent>('OrderEventInShort', {
  id: [json.id('evt'), EVENT_EXAMPLE.id],
  type: [json.string(), EVENT_EXAMPLE.type],
  sequence: [json.integer('counts the events of the order, from 1'), 3],
  createdAt: [json.time(), EXAMPLE_TIME],
  deliveries: json.list(
    json.object<OrderEvent['deliveries'][number]>({
      id: [json.id('dlv'), DELIVERY_ID],
      endpointId: [json.id('whe'), ENDPOINT_ID],
      state: [json.openEnum(DELIVERY_STATES), 'failed'],
      attemptCount: [json.integer('the attempts of the current chain'), 7],
      nextAttemptAt: json.nullable(json.time()),
      completedAt: [json.nullable(json.time()), EXAMPLE_TIME],
    }),
    'one delivery for each endpoint at that time',
  ),
});

const ACTION = json.resource<OrderAction>('OrderAction', {
  type: json.openEnum(ACTION_TYPES),
  allowed: json.boolean('whether the order allows it now; the service checks again on the request'),
  reason: json.nullable(json.string('why it is not allowed, or that it would change nothing')),
  tells: json.nullable(
    json.openEnum(
      EVENT_TYPES.filter((type) => type !== PING),
      'the event that the client would receive; null for none',
    ),
  ),
});

export const STUDIO_ORDER = json.resource<StudioOrder>('StudioOrder', {
  ...STUDIO_ORDER_FIELDS,
  job: JOB,
  timeline: json.list(TIMELINE_ENTRY, 'in order of recording, the oldest first'),
  parcels: [json.list(PARCEL, 'all parcels, voided ones included'), []],
  payments: [json.list(PAYMENT, 'all payments, reversed ones included'), []],
  events: json.list(ORDER_EVENT, 'the latest fifty events, the newest first'),
  webhookEndpoints: json.list(
    json.object<StudioOrder['webhookEndpoints'][number]>({
      state: [
        json.openEnum(['enabled', 'disabled'], 'events for a disabled endpoint are held until it is enabled and recovered'),
        'enabled',
      ],
      eventTypes: EVENT_TYPES_SCHEMA,
    }),
    'the endpoints of the account in this environment, the oldest first',
  ),
  actions: [json.list(ACTION, 'the possible actions with their results'), ACTIONS_EXAMPLE],
  erasedAt: json.nullable(json.time("the time at which the customer's data was erased")),
  workflowUrl: [
    json.uri('the workflow in the Temporal Web UI'),
    `http://127.0.0.1:8233/namespaces/default/workflows/order%2F${ORDER_EXAMPLE.orderId}`,
  ],
});

export type InvoiceRow = ReturnType<typeof presentInvoiceRow>;

export const INVOICE_ROW_FIELDS: json.Fields<InvoiceRow> = {
  invoiceId: [json.id('inv'), INVOICE_ID],
  invoiceNumber: [json.string(), INVOICE_NUMBER],
  orderId: [json.id('ord'), ORDER_EXAMPLE.orderId],
  orderNumber: [json.string(), ORDER_EXAMPLE.orderNumber],
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
  environment: [ENVIRONMENT, 'live'],
  currency: [CURRENCY, 'AUD'],
  amountCents: [json.cents(), 8425],
  gstCents: [json.cents('the GST in the part that is not void'), 766],
  paidCents: [json.cents('the amount of payments that are not reversed'), 5000],
  creditedCents: [json.cents('the amount of credit notes that are not reversed'), 0],
  voidedCents: [json.cents('the part that was neither paid nor credited when the invoice was voided; 0 before'), 0],
  voidedGstCents: [json.cents('the GST in `voidedCents`; with `gstCents` it is the GST at issue'), 0],
  dueCents: [json.cents('the part that is neither paid nor credited; 0 for a void invoice'), 3425],
  state: [json.openEnum(INVOICE_STATES), 'part_paid'],
  overdue: [json.boolean('whether an amount is unpaid and `dueDate` has passed'), false],
  issuedAt: [json.time(), EXAMPLE_TIME],
  dueAt: [json.time(), EXAMPLE_DUE_TIME],
  dueDate: [json.date("the day of `dueAt` on the studio's calendar, as printed; the invoice is overdue from the next day"), '2026-04-01'],
  voidedAt: json.nullable(json.time()),
};

type InvoiceDetail = ReturnType<typeof presentInvoiceDetail>;

type CreditNote = InvoiceDetail['creditNotes'][number];

export const CREDIT_NOTE_FIELDS: json.Fields<CreditNote> = {
  id: [json.id('crn'), 'crn_7a1c'],
  creditNoteId: [json.string("the caller's id; `cancel` if a cancellation issued the credit note"), 'complaint-17'],
  creditNoteNumber: [json.string(), 'CN-10003'],
  amountCents: [json.cents(), 1000],
  gstCents: [json.cents('the GST in the amount'), 91],
  reason: [json.string(), 'scratched frame'],
  createdAt: [json.time(), EXAMPLE_TIME],
  reversedAt: json.nullable(json.time()),
  reversalReason: json.nullable(json.string()),
};

export const CREDIT_NOTE = json.resource<CreditNote>('CreditNote', CREDIT_NOTE_FIELDS);

export const INVOICE_DETAIL = json.resource<InvoiceDetail>('WholeInvoice', {
  ...INVOICE_ROW_FIELDS,
  payments: json.list(PAYMENT, 'the oldest first, reversed ones included'),
  creditNotes: [json.list(CREDIT_NOTE, 'the oldest first, reversed ones included'), []],
});

export const countsSchema = (names: readonly string[], rest: Readonly<Record<string, json.JsonSchema>> = {}) =>
  json.object<Record<string, number>>({ ...Object.fromEntries(names.map((name) => [name, json.integer()])), ...rest });
