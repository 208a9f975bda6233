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
  creditCents: json.cents('paid or credited beyond what is owed; never applied by itself'),
  availableCents: json.nullable(json.cents('what may still be ordered: limit − outstanding + credit, at least 0; null is without limit')),
  usedBps: json.nullable(
    json.integer(
      'outstanding − credit, in hundredths of a per cent of the limit, rounded down, from 0 to 1,000,000; null is without limit',
    ),
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
  consecutiveFailures: [json.integer('deliveries in a row that used up their attempts'), 0],
  secretOverlapUntil: json.nullable(json.time('until when the secret before this one signs too')),
  deliveries: json.object<Endpoint['deliveries']>({
    held: [json.integer('at most 10,000 are counted'), 0],
    failed: [json.integer('at most 10,000 are counted'), 0],
  }),
  createdAt: [json.time(), EXAMPLE_TIME],
  updatedAt: [json.time(), EXAMPLE_TIME],
};

export const ENDPOINT = json.resource<Endpoint>('WebhookEndpoint', ENDPOINT_FIELDS);

export const ENDPOINT_WITH_SECRET = json.resource<Endpoint & { secret: string; standardSecret: string }>('WebhookEndpointWithSecret', {
  ...ENDPOINT_FIELDS,
  secret: [json.string('`lpw_…`: here and nowhere else', { pattern: '^lpw_[0-9a-f]{64}$' }), `lpw_${'0'.repeat(64)}`],
  standardSecret: [
    json.string('the same for libraries of Standard Webhooks', { pattern: '^whsec_[A-Za-z0-9+/]+=*$' }),
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
  creditedCents: json.cents('by credit notes'),
  state: json.openEnum(
    INVOICE_STATES,
    'the first that fits: void, credited (by credit notes alone), paid, part_paid (or partly credited), open',
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
  line: json.integer('of the original, from 0'),
  quantity: json.integer(),
});

export const STUDIO_ORDER_FIELDS: json.Fields<StudioOrderRow> = {
  ...orderFields(),
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
  baseStatus: [json.openEnum(BASE_STATUSES, 'what it reads without live parcels'), 'received'],
  whiteLabel: [json.boolean(), true],
  rushTier: [json.openEnum(RUSH_TIERS), 'standard'],
  dueDate: [json.nullable(json.date('promised, else by the standard turnaround; null on orders settled before it was kept')), '2026-03-16'],
  late: [json.boolean('still to be shipped, and due before today, where the studio is'), false],
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
        remakeId: json.string('as it was sent'),
        reason: json.string(),
        lines: json.list(REMAKE_LINE),
      },
      { description: 'the order that this one makes again at no charge' },
    ),
  ),
  remakes: [
    json.list(
      json.object<StudioOrderRow['remakes'][number]>({
        orderId: json.id('ord'),
        orderNumber: json.string('of the remake, such as `P-10001-R1`'),
        remakeId: json.string('as it was sent'),
        status: json.openEnum(ORDER_STATUSES),
        reason: json.string(),
        lines: json.list(REMAKE_LINE),
        shipments: SHIPMENTS,
      }),
      'what was made of it again, oldest first',
    ),
    [],
  ],
  invoice: [json.nullable({ ...INVOICE, description: 'null of a remake' }), INVOICE_EXAMPLE],
  attention: [json.list(ATTENTION, 'what needs a person, oldest first'), []],
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
  effectiveDpi: json.nullable(
    json.integer('the lowest over both axes of pixels ÷ printed inches; null where pixels or size are not known'),
  ),
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
          'the selections as the job sheet says them: sizes in words, materials by name',
        ),
        [
          { label: 'Size', value: '300 mm wide × 400 mm high, portrait' },
          { label: 'Printed on', value: 'Cotton rag 310' },
        ],
      ],
      artworkUrl: [
        json.nullable(json.uri('signed, to look at it for a while')),
        'https://files.example/artwork/acc_0f3a51d2/upl_6b1d.jpg?expires=1772413323&signature=9f',
      ],
      artworkFilename: [json.nullable(json.string()), 'dunes.jpg'],
      artworkContentType: [json.nullable(json.string()), 'image/jpeg'],
      artworkReceived: [json.nullable(json.boolean('null where the store could not tell')), true],
      inspection: [
        json.nullable({ ...LINE_INSPECTION, description: 'what picture it is; null while nobody has looked at its bytes' }),
        { ...INSPECTION_EXAMPLE, effectiveDpi: 304 },
      ],
    }),
  ),
  remake: json.nullable(json.string('says so, of which order and why; null: it was ordered')),
  shippingAddress: [ADDRESS, ADDRESS_EXAMPLE],
  specialInstructions: json.nullable(json.string()),
  whiteLabel: [json.boolean(), true],
  rushTier: [json.openEnum(RUSH_TIERS), 'standard'],
  promisedReadyDate: json.nullable(json.date()),
  shippingMethod: [json.nullable(json.string('its id')), 'standard-parcel'],
  shippingMethodName: [json.nullable(json.string('what the studio calls it')), 'Standard parcel'],
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
  reason: json.nullable(json.string('why it was refused, or the reason that came with it')),
  note: json.nullable(json.string()),
  corrects: json.nullable(json.string('of a correction: the milestoneId that it took back')),
  carried: json.object<Carried>(CARRIED_FIELDS, {
    description: 'what a parcel, payment or credit note was sent with, and the line of rejected artwork',
    optional: Object.keys(CARRIED_FIELDS) as (keyof Carried)[],
  }),
  actor: [json.string(), 'press-7'],
  occurredAt: [json.time(), EXAMPLE_TIME],
  recordedAt: [json.time(), EXAMPLE_TIME],
  correctable: [json.boolean('a milestone that a correction would take back now; sent, it is judged again'), true],
  change: json.nullable(
    json.object<NonNullable<StudioOrder['timeline'][number]['change']>>(
      { before: CHANGE, after: CHANGE },
      { description: 'what the client changed; null of other entries' },
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
  sequence: [json.integer('per order, from 1'), 3],
  createdAt: [json.time(), EXAMPLE_TIME],
  deliveries: json.list(
    json.object<OrderEvent['deliveries'][number]>({
      id: [json.id('dlv'), DELIVERY_ID],
      endpointId: [json.id('whe'), ENDPOINT_ID],
      state: [json.openEnum(DELIVERY_STATES), 'failed'],
      attemptCount: [json.integer('of the present chain'), 7],
      nextAttemptAt: json.nullable(json.time()),
      completedAt: [json.nullable(json.time()), EXAMPLE_TIME],
    }),
    'one for each endpoint that there was',
  ),
});

const ACTION = json.resource<OrderAction>('OrderAction', {
  type: json.openEnum(ACTION_TYPES),
  allowed: json.boolean('as the order is now; sent, it is judged again'),
  reason: json.nullable(json.string('why it is refused, or that nothing would change')),
  tells: json.nullable(
    json.openEnum(
      EVENT_TYPES.filter((type) => type !== PING),
      'the event that the client would be told; null: none',
    ),
  ),
});

export const STUDIO_ORDER = json.resource<StudioOrder>('StudioOrder', {
  ...STUDIO_ORDER_FIELDS,
  job: JOB,
  timeline: json.list(TIMELINE_ENTRY, 'as it was recorded, oldest first'),
  parcels: [json.list(PARCEL, 'voided ones too'), []],
  payments: [json.list(PAYMENT, 'reversed ones too'), []],
  events: json.list(ORDER_EVENT, 'what the client was told, newest first; the latest fifty'),
  webhookEndpoints: json.list(
    json.object<StudioOrder['webhookEndpoints'][number]>({
      state: [
        json.openEnum(['enabled', 'disabled'], 'events for a disabled endpoint are held until it is enabled and recovered'),
        'enabled',
      ],
      eventTypes: EVENT_TYPES_SCHEMA,
    }),
    'of the account in this environment, oldest first',
  ),
  actions: [json.list(ACTION, 'what may be done now, and what would come of it'), ACTIONS_EXAMPLE],
  erasedAt: json.nullable(json.time("when the customer's data was erased")),
  workflowUrl: [json.uri('in the Temporal Web UI'), `http://127.0.0.1:8233/namespaces/default/workflows/order%2F${ORDER_EXAMPLE.orderId}`],
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
  gstCents: [json.cents('contained in what is not void'), 766],
  paidCents: [json.cents('payments that stand'), 5000],
  creditedCents: [json.cents('by credit notes that stand'), 0],
  voidedCents: [json.cents('what was neither paid nor credited when it was voided; 0 while it is not void'), 0],
  voidedGstCents: [json.cents('the GST in that: with `gstCents` all that the invoice was issued with'), 0],
  dueCents: [json.cents('what is neither paid nor credited; 0 of a void one'), 3425],
  state: [json.openEnum(INVOICE_STATES), 'part_paid'],
  overdue: [json.boolean('something is due, and `dueDate` has passed'), false],
  issuedAt: [json.time(), EXAMPLE_TIME],
  dueAt: [json.time(), EXAMPLE_DUE_TIME],
  dueDate: [json.date("the day of `dueAt` on the studio's calendar, as the invoice prints it; overdue from the next day"), '2026-04-01'],
  voidedAt: json.nullable(json.time()),
};

type InvoiceDetail = ReturnType<typeof presentInvoiceDetail>;

type CreditNote = InvoiceDetail['creditNotes'][number];

export const CREDIT_NOTE_FIELDS: json.Fields<CreditNote> = {
  id: [json.id('crn'), 'crn_7a1c'],
  creditNoteId: [json.string("the sender's; `cancel`: written when the studio cancelled a paid order"), 'complaint-17'],
  creditNoteNumber: [json.string(), 'CN-10003'],
  amountCents: [json.cents(), 1000],
  gstCents: [json.cents('contained in it'), 91],
  reason: [json.string(), 'scratched frame'],
  createdAt: [json.time(), EXAMPLE_TIME],
  reversedAt: json.nullable(json.time()),
  reversalReason: json.nullable(json.string()),
};

export const CREDIT_NOTE = json.resource<CreditNote>('CreditNote', CREDIT_NOTE_FIELDS);

export const INVOICE_DETAIL = json.resource<InvoiceDetail>('WholeInvoice', {
  ...INVOICE_ROW_FIELDS,
  payments: json.list(PAYMENT, 'oldest first, reversed ones too'),
  creditNotes: [json.list(CREDIT_NOTE, 'oldest first, reversed ones too'), []],
});

export const countsSchema = (names: readonly string[], rest: Readonly<Record<string, json.JsonSchema>> = {}) =>
  json.object<Record<string, number>>({ ...Object.fromEntries(names.map((name) => [name, json.integer()])), ...rest });
