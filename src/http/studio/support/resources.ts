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
import type { presentInvoiceRow, presentWholeInvoice } from '../../../presenters/invoices';
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
import { ENDPOINT_EXAMPLE, SECRET_EXAMPLE, STUDIO_ORDER_EXAMPLE, WHOLE_INVOICE_EXAMPLE } from './examples';
import * as json from '../../openapi/json';
import { EVENT_TYPES_SCHEMA, INSPECTION_FIELDS, orderFields, PIECES, SHIPMENTS } from '../../openapi/resources';

export const ENVIRONMENT = json.only(ENVIRONMENTS);

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
  id: json.id('whe'),
  accountId: json.id('acc'),
  environment: ENVIRONMENT,
  url: json.uri(),
  eventTypes: EVENT_TYPES_SCHEMA,
  state: json.oneOf(['enabled', 'disabled']),
  disabledReason: json.nullable(json.string()),
  consecutiveFailures: json.integer('deliveries in a row that used up their attempts'),
  secretOverlapUntil: json.nullable(json.time('until when the secret before this one signs too')),
  deliveries: json.object<Endpoint['deliveries']>({
    held: json.integer('at most 10,000 are counted'),
    failed: json.integer('at most 10,000 are counted'),
  }),
  createdAt: json.time(),
  updatedAt: json.time(),
};

export const ENDPOINT = json.resourceWithExample<Endpoint>('WebhookEndpoint', ENDPOINT_EXAMPLE, ENDPOINT_FIELDS);

export const ENDPOINT_WITH_SECRET = json.resourceWithExample<Endpoint & { secret: string; standardSecret: string }>(
  'WebhookEndpointWithSecret',
  { ...ENDPOINT_EXAMPLE, ...SECRET_EXAMPLE },
  {
    ...ENDPOINT_FIELDS,
    secret: json.string('`lpw_…`: here and nowhere else', { pattern: '^lpw_[0-9a-f]{64}$' }),
    standardSecret: json.string('the same for libraries of Standard Webhooks', { pattern: '^whsec_[A-Za-z0-9+/]+=*$' }),
  },
);

export type StudioOrderRow = ReturnType<typeof presentStudioOrderRow>;

type StudioOrder = ReturnType<typeof presentStudioOrder>;

const INVOICE = json.resource<ReturnType<typeof presentInvoice>>('Invoice', {
  invoiceNumber: json.string(),
  amountCents: json.cents(),
  gstCents: json.cents(),
  paidCents: json.cents(),
  creditedCents: json.cents('by credit notes'),
  state: json.oneOf(INVOICE_STATES, 'the first that fits: void, credited (by credit notes alone), paid, part_paid, open'),
  issuedAt: json.time(),
  dueAt: json.time(),
});

export const ATTENTION_FIELDS: json.Fields<ReturnType<typeof presentAttention>> = {
  code: json.oneOf(ATTENTION_CODES),
  since: json.time(),
  message: json.string(),
};

export const ATTENTION = json.resource<ReturnType<typeof presentAttention>>('Attention', ATTENTION_FIELDS);

const REMADE_LINE = json.object<LinePieces>({
  line: json.integer('of the original, from 0'),
  quantity: json.integer(),
});

export const STUDIO_ORDER_FIELDS: json.Fields<StudioOrderRow> = {
  ...orderFields(),
  accountId: json.id('acc'),
  accountName: json.string(),
  baseStatus: json.oneOf(BASE_STATUSES, 'what it reads without live parcels'),
  whiteLabel: json.boolean(),
  rushTier: json.oneOf(RUSH_TIERS),
  dueDate: json.nullable(json.date('promised, else by the standard turnaround; null on orders settled before it was kept')),
  late: json.boolean('still to be shipped, and due before today, where the studio is'),
  facts: json.object<StudioOrderRow['facts']>({ printed: json.boolean(), liveParcels: json.integer(), paidCents: json.cents() }),
  remakeOf: json.nullable(
    json.object<NonNullable<StudioOrderRow['remakeOf']>>(
      {
        orderId: json.id('ord'),
        orderNumber: json.string(),
        remakeId: json.string('as it was sent'),
        reason: json.string(),
        lines: json.list(REMADE_LINE),
      },
      { description: 'the order that this one makes again at no charge' },
    ),
  ),
  remakes: json.list(
    json.object<StudioOrderRow['remakes'][number]>({
      orderId: json.id('ord'),
      orderNumber: json.string('of the remake, such as `P-10001-R1`'),
      remakeId: json.string('as it was sent'),
      status: json.oneOf(ORDER_STATUSES),
      reason: json.string(),
      lines: json.list(REMADE_LINE),
      shipments: SHIPMENTS,
    }),
    'what was made of it again, oldest first',
  ),
  invoice: json.nullable({ ...INVOICE, description: 'null of a remake' }),
  attention: json.list(ATTENTION, 'what needs a person, oldest first'),
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

const JOB = json.resource<Job>('Job', {
  lines: json.list(
    json.object<Job['lines'][number]>({
      externalReference: json.nullable(json.string()),
      productSlug: json.string(),
      productName: json.string(),
      quantity: json.integer(),
      selections: json.mapOf(json.string()),
      words: json.list(
        json.object<Job['lines'][number]['words'][number]>({ label: json.string(), value: json.string() }),
        'the selections as the job sheet says them: sizes in words, materials by name',
      ),
      artworkUrl: json.nullable(json.uri('signed, to look at it for a while')),
      artworkFilename: json.nullable(json.string()),
      artworkContentType: json.nullable(json.string()),
      artworkReceived: json.nullable(json.boolean('null where the store could not tell')),
      inspection: json.nullable({ ...LINE_INSPECTION, description: 'what picture it is; null while nobody has looked at its bytes' }),
    }),
  ),
  remake: json.nullable(json.string('says so, of which order and why; null: it was ordered')),
  shippingAddress: ADDRESS,
  specialInstructions: json.nullable(json.string()),
  whiteLabel: json.boolean(),
  rushTier: json.oneOf(RUSH_TIERS),
  promisedReadyDate: json.nullable(json.date()),
  shippingMethod: json.nullable(json.string('its id')),
  shippingMethodName: json.nullable(json.string('what the studio calls it')),
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
  milestoneId: json.string(),
  type: json.string(),
  outcome: json.oneOf(['applied', 'refused']),
  reason: json.nullable(json.string('why it was refused, or the reason that came with it')),
  note: json.nullable(json.string()),
  corrects: json.nullable(json.string('of a correction: the milestoneId that it took back')),
  carried: json.object<Carried>(CARRIED_FIELDS, {
    description: 'what a parcel, payment or credit note was sent with, and the line of rejected artwork',
    optional: Object.keys(CARRIED_FIELDS) as (keyof Carried)[],
  }),
  actor: json.string(),
  occurredAt: json.time(),
  recordedAt: json.time(),
  correctable: json.boolean('a milestone that a correction would take back now; sent, it is judged again'),
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
  paymentId: json.string(),
  amountCents: json.cents(),
  receivedAt: json.time(),
  reference: json.nullable(json.string()),
  reversedAt: json.nullable(json.time()),
};

const PAYMENT = json.resource<ReturnType<typeof presentPayment>>('Payment', PAYMENT_FIELDS);

type OrderEvent = ReturnType<typeof presentOrderEvent>;

const ORDER_EVENT = json.resource<OrderEvent>('OrderEventInShort', {
  id: json.id('evt'),
  type: json.string(),
  sequence: json.integer('per order, from 1'),
  createdAt: json.time(),
  deliveries: json.list(
    json.object<OrderEvent['deliveries'][number]>({
      id: json.id('dlv'),
      endpointId: json.id('whe'),
      state: json.oneOf(DELIVERY_STATES),
      attemptCount: json.integer('of the present chain'),
      nextAttemptAt: json.nullable(json.time()),
      completedAt: json.nullable(json.time()),
    }),
    'one for each endpoint that there was',
  ),
});

const ACTION = json.resource<OrderAction>('OrderAction', {
  type: json.oneOf(ACTION_TYPES),
  allowed: json.boolean('as the order is now; sent, it is judged again'),
  reason: json.nullable(json.string('why it is refused, or that nothing would change')),
  tells: json.nullable(
    json.oneOf(
      EVENT_TYPES.filter((type) => type !== PING),
      'the event that the client would be told; null: none',
    ),
  ),
});

export const STUDIO_ORDER = json.resourceWithExample<StudioOrder>('StudioOrder', STUDIO_ORDER_EXAMPLE, {
  ...STUDIO_ORDER_FIELDS,
  job: JOB,
  timeline: json.list(TIMELINE_ENTRY, 'as it was recorded, oldest first'),
  parcels: json.list(PARCEL, 'voided ones too'),
  payments: json.list(PAYMENT, 'reversed ones too'),
  events: json.list(ORDER_EVENT, 'what the client was told, newest first; the latest fifty'),
  webhookEndpoints: json.list(
    json.object<StudioOrder['webhookEndpoints'][number]>({
      state: json.oneOf(['enabled', 'disabled'], 'events for a disabled endpoint are held until it is enabled and recovered'),
      eventTypes: EVENT_TYPES_SCHEMA,
    }),
    'of the account in this environment, oldest first',
  ),
  actions: json.list(ACTION, 'what may be done now, and what would come of it'),
  erasedAt: json.nullable(json.time("when the customer's data was erased")),
  workflowUrl: json.uri('in the Temporal Web UI'),
});

export type InvoiceRow = ReturnType<typeof presentInvoiceRow>;

export const INVOICE_ROW_FIELDS: json.Fields<InvoiceRow> = {
  invoiceId: json.id('inv'),
  invoiceNumber: json.string(),
  orderId: json.id('ord'),
  orderNumber: json.string(),
  accountId: json.id('acc'),
  accountName: json.string(),
  environment: ENVIRONMENT,
  currency: CURRENCY,
  amountCents: json.cents(),
  gstCents: json.cents('contained in what is not void'),
  paidCents: json.cents('payments that stand'),
  creditedCents: json.cents('by credit notes that stand'),
  voidedCents: json.cents('what was neither paid nor credited when it was voided; 0 while it is not void'),
  voidedGstCents: json.cents('the GST in that: with `gstCents` all that the invoice was issued with'),
  dueCents: json.cents('what is neither paid nor credited; 0 of a void one'),
  state: json.oneOf(INVOICE_STATES),
  overdue: json.boolean('something is due, and `dueDate` has passed'),
  issuedAt: json.time(),
  dueAt: json.time(),
  dueDate: json.date("the day of `dueAt` on the studio's calendar, as the invoice prints it; overdue from the next day"),
  voidedAt: json.nullable(json.time()),
};

type WholeInvoice = ReturnType<typeof presentWholeInvoice>;

type CreditNote = WholeInvoice['creditNotes'][number];

export const CREDIT_NOTE_FIELDS: json.Fields<CreditNote> = {
  id: json.id('crn'),
  creditNoteId: json.string("the sender's; `cancel`: written when the studio cancelled a paid order"),
  creditNoteNumber: json.string(),
  amountCents: json.cents(),
  gstCents: json.cents('contained in it'),
  reason: json.string(),
  createdAt: json.time(),
  reversedAt: json.nullable(json.time()),
  reversalReason: json.nullable(json.string()),
};

const CREDIT_NOTE = json.resource<CreditNote>('CreditNote', CREDIT_NOTE_FIELDS);

export const WHOLE_INVOICE = json.resourceWithExample<WholeInvoice>('WholeInvoice', WHOLE_INVOICE_EXAMPLE, {
  ...INVOICE_ROW_FIELDS,
  payments: json.list(PAYMENT, 'oldest first, reversed ones too'),
  creditNotes: json.list(CREDIT_NOTE, 'oldest first, reversed ones too'),
});

export const counts = (names: readonly string[], rest: Readonly<Record<string, json.JsonSchema>> = {}) =>
  json.object<Record<string, number>>({ ...Object.fromEntries(names.map((name) => [name, json.integer()])), ...rest });
