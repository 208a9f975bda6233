import { PAYMENT_SOURCES } from '../../../domain/account-payment';
import { ATTENTION_CODES } from '../../../domain/attention';
import { EVENT_TYPES, PING } from '../../../domain/events';
import { ACTION_TYPES, type OrderAction } from '../../../domain/order-actions';
import { STORED_SECTIONS } from '../../../domain/catalogue';
import type { LinePieces } from '../../../domain/line-pieces';
import { ENTRY_TYPES, INVOICE_STATES } from '../../../domain/ledger';
import { ACCOUNT_STATUSES, ENVIRONMENTS, RUSH_TIERS, SCOPES } from '../../../domain/limits';
import { BASE_STATUSES, ORDER_STATUSES } from '../../../domain/order-status';
import { ROLES } from '../../../domain/roles';
import { DELIVERY_STATES, UNDELIVERED } from '../../../domain/webhook-rules';
import type { presentAccountPayment, presentAccountPaymentRow, presentRefund } from '../../../presenters/account-payments';
import type { presentAccount } from '../../../presenters/accounts';
import type { presentAuditEntry } from '../../../presenters/audit';
import type { presentDelivery, presentDeliveryRow } from '../../../presenters/deliveries';
import type { presentInvoiceRow, presentWholeInvoice } from '../../../presenters/invoices';
import type { PresentedLineInspection } from '../../../presenters/inspections';
import type { presentKey } from '../../../presenters/keys';
import type { presentOrderEvent } from '../../../presenters/order-events';
import type {
  presentAttention,
  presentInvoice,
  presentOpenAttention,
  presentParcel,
  presentPayment,
  presentTimelineEntry,
} from '../../../presenters/order-records';
import type { presentPriceBook, presentPriceBookSummary } from '../../../presenters/price-books';
import type { presentStatement } from '../../../presenters/statement';
import type { presentDeliveryCounts } from '../../../presenters/delivery-counts';
import type { presentOrderCounts } from '../../../presenters/order-counts';
import type { presentStudioOrder, presentStudioOrderRow } from '../../../presenters/studio-orders';
import type { presentDifferences, presentTrial } from '../../../presenters/price-trials';
import type { presentSchedule } from '../../../presenters/schedules';
import type { presentSignedIn } from '../../../presenters/sessions';
import type { presentToken } from '../../../presenters/tokens';
import type { presentStats } from '../../../presenters/stats';
import type { presentEndpoint, presentEndpointHealth } from '../../../presenters/webhook-endpoints';
import {
  any,
  boolean,
  cents,
  date,
  define,
  extended,
  id,
  integer,
  list,
  mapOf,
  nullable,
  object,
  oneOf,
  resource,
  string,
  time,
  uri,
  type Fields,
  type JsonSchema,
} from '../../contract/json';
import { CATALOGUE_ROWS, INSPECTION_FIELDS, orderFields, PIECES, SHIPMENTS } from '../../contract/resources';

const environment = oneOf(ENVIRONMENTS);

/** What studio API "Endpoints" answers. */
type Token = ReturnType<typeof presentToken>;
const TOKEN_FIELDS: Fields<Token> = {
  id: id('tok'),
  name: string('stands in timelines and the audit log'),
  role: oneOf(ROLES),
  lastUsedAt: nullable(time()),
  expiresAt: nullable(time('null: it does not expire')),
  revokedAt: nullable(time()),
  createdAt: time(),
};
export const TOKEN = resource<Token>('Token', TOKEN_FIELDS);
export const NEW_TOKEN = resource<Token & { token: string }>('NewToken', {
  ...TOKEN_FIELDS,
  token: string('its text, `lps_…`: here and nowhere else', { pattern: '^lps_[0-9a-f]{64}$' }),
});

export const SIGNED_IN = resource<ReturnType<typeof presentSignedIn>>('SignedIn', {
  tokenId: id('tok', 'of the token that signed in'),
  name: string('its name: what the audit log and timelines say'),
  role: oneOf(ROLES),
  expiresAt: nullable(time('when it ends whatever is done; null of a token that does not expire')),
  idleUntil: nullable(time('when it ends unless something is done before; null where a token was sent instead of the cookie')),
  timeZone: string("IANA: the studio's"),
});
export const SIGNED_OUT = object({ signedIn: boolean('false') });

const credit = resource<ReturnType<typeof presentAccount>['live']>('Credit', {
  outstandingCents: cents('the unpaid part of invoices that are not void'),
  creditCents: cents('paid or credited beyond what is owed; never applied by itself'),
  availableCents: nullable(cents('what may still be ordered; null is without limit')),
  usedBps: nullable(
    integer('outstanding, in hundredths of a per cent of the limit, rounded down, at most 1,000,000; null is without limit'),
  ),
});
export const ACCOUNT = resource<ReturnType<typeof presentAccount>>('Account', {
  id: id('acc'),
  name: string(),
  email: string(),
  tradeDiscountBps: integer('hundredths of a per cent'),
  creditLimitCents: nullable(cents('null is without limit, 0 no credit')),
  paymentTermsDays: integer(),
  status: oneOf(ACCOUNT_STATUSES),
  apiAccess: boolean(),
  live: credit,
  test: credit,
  createdAt: time(),
});

type Key = ReturnType<typeof presentKey>;
const KEY_FIELDS: Fields<Key> = {
  id: id('key'),
  accountId: id('acc'),
  environment,
  scopes: list(oneOf(SCOPES)),
  name: nullable(string()),
  prefix: string(),
  lastFour: string(),
  expiresAt: nullable(time()),
  revokedAt: nullable(time()),
  lastUsedAt: nullable(time()),
  createdAt: time(),
};
export const KEY = resource<Key>('ApiKey', KEY_FIELDS);
export const NEW_KEY = resource<Key & { key: string }>('NewApiKey', {
  ...KEY_FIELDS,
  key: string('its text, `lpk_…`: here and nowhere else', { pattern: '^lpk_(live|test)_[0-9a-f]{64}$' }),
});

type Endpoint = ReturnType<typeof presentEndpoint>;
const ENDPOINT_FIELDS: Fields<Endpoint> = {
  id: id('whe'),
  accountId: id('acc'),
  environment,
  url: uri(),
  state: oneOf(['enabled', 'disabled']),
  disabledReason: nullable(string()),
  consecutiveFailures: integer('deliveries in a row that used up their attempts'),
  secretOverlapUntil: nullable(time('until when the secret before this one signs too')),
  deliveries: object<Endpoint['deliveries']>({
    held: integer('at most 10,000 are counted'),
    failed: integer('at most 10,000 are counted'),
  }),
  createdAt: time(),
  updatedAt: time(),
};
export const ENDPOINT = resource<Endpoint>('WebhookEndpoint', ENDPOINT_FIELDS);
type HealthyEndpoint = ReturnType<typeof presentEndpointHealth>;
export const ENDPOINT_WITH_HEALTH = resource<HealthyEndpoint>('WebhookEndpointWithHealth', {
  ...ENDPOINT_FIELDS,
  accountName: string(),
  health: object<HealthyEndpoint['health']>({
    lastSuccessAt: nullable(time('null: none of its last 1,000 attempts')),
    lastFailureAt: nullable(time()),
    lastErrorCode: nullable(string('of that failure')),
    pending: integer('deliveries still being tried; at most 10,000 are counted'),
  }),
});
export const DELETED_ENDPOINT = resource<Endpoint & { deletedAt: string | null }>('DeletedWebhookEndpoint', {
  ...ENDPOINT_FIELDS,
  deletedAt: nullable(time()),
});
export const ENDPOINT_WITH_SECRET = resource<Endpoint & { secret: string; standardSecret: string }>('WebhookEndpointWithSecret', {
  ...ENDPOINT_FIELDS,
  secret: string('`lpw_…`: here and nowhere else', { pattern: '^lpw_[0-9a-f]{64}$' }),
  standardSecret: string('the same for libraries of Standard Webhooks', { pattern: '^whsec_[A-Za-z0-9+/]+=*$' }),
});
interface Ping {
  ok: boolean;
  status: number | null;
  errorCode: string | null;
  totalMs: number;
  replyExcerpt: string | null;
}
export const PING_RESULT = resource<Ping>('PingResult', {
  ok: boolean(),
  status: nullable(integer('of the reply')),
  errorCode: nullable(string('why it failed')),
  totalMs: integer(),
  replyExcerpt: nullable(string('the first of what came back')),
});

type Delivery = ReturnType<typeof presentDeliveryRow>;
const DELIVERY_FIELDS: Fields<Delivery> = {
  id: id('dlv'),
  endpointId: id('whe'),
  endpointUrl: uri('where the next attempt goes'),
  accountId: id('acc'),
  accountName: string(),
  environment,
  orderId: id('ord'),
  orderNumber: string(),
  eventId: id('evt'),
  eventType: string(),
  sequence: integer('per order, from 1'),
  state: oneOf(DELIVERY_STATES),
  trigger: oneOf(['automatic', 'resend', 'recover']),
  chain: integer('counts the chains of attempts, from 1'),
  attemptCount: integer('of the present chain'),
  lastAttemptAt: nullable(time('of any chain; null: there was none')),
  lastStatus: nullable(integer('of its reply; null where there was none')),
  lastErrorCode: nullable(string('how it failed; null where it did not')),
  nextAttemptAt: nullable(time()),
  createdAt: time(),
  completedAt: nullable(time()),
};
export const DELIVERY = resource<Delivery>('Delivery', DELIVERY_FIELDS);

type DeliveryDetail = ReturnType<typeof presentDelivery>;
const ATTEMPT = resource<DeliveryDetail['attempts'][number]>('Attempt', {
  chain: integer(),
  number: integer('within the chain, from 1'),
  trigger: string(),
  at: time(),
  ok: boolean(),
  status: nullable(integer()),
  errorCode: nullable(string()),
  timings: mapOf(nullable(integer()), 'milliseconds per phase; null for one that was not reached'),
  replyExcerpt: nullable(string('the first of what came back')),
  nextAttemptAt: nullable(time()),
});
export const DELIVERY_DETAIL = resource<DeliveryDetail>('DeliveryDetail', {
  ...DELIVERY_FIELDS,
  attemptsInChain: integer('how often it is tried in all'),
  lastAttemptDueAt: nullable(time('when the last of them is made if all before it fail; null where none is to come')),
  event: object<DeliveryDetail['event']>({
    id: id('evt'),
    type: string(),
    sequence: integer(),
    createdAt: time(),
    rawBody: string('the exact text that is sent and signed'),
  }),
  attempts: list(ATTEMPT, 'oldest first'),
  workflowUrl: nullable(uri('in the Temporal Web UI; null where no attempt had to be repeated')),
});

type StudioOrderRow = ReturnType<typeof presentStudioOrderRow>;
type StudioOrder = ReturnType<typeof presentStudioOrder>;

const INVOICE = resource<ReturnType<typeof presentInvoice>>('Invoice', {
  invoiceNumber: string(),
  amountCents: cents(),
  gstCents: cents(),
  paidCents: cents(),
  creditedCents: cents('by credit notes'),
  state: oneOf(INVOICE_STATES, 'the first that fits: void, credited (by credit notes alone), paid, part_paid, open'),
  issuedAt: time(),
  dueAt: time(),
});
const ATTENTION_FIELDS: Fields<ReturnType<typeof presentAttention>> = {
  code: oneOf(ATTENTION_CODES),
  since: time(),
  message: string(),
};
const ATTENTION = resource<ReturnType<typeof presentAttention>>('Attention', ATTENTION_FIELDS);

const REMADE_LINE = object<LinePieces>({
  line: integer('of the original, from 0'),
  quantity: integer(),
});
const STUDIO_ORDER_FIELDS: Fields<StudioOrderRow> = {
  ...orderFields(),
  accountId: id('acc'),
  accountName: string(),
  baseStatus: oneOf(BASE_STATUSES, 'what it reads without live parcels'),
  whiteLabel: boolean(),
  rushTier: oneOf(RUSH_TIERS),
  dueDate: nullable(date('promised, else by the standard turnaround; null on orders settled before it was kept')),
  late: boolean('still to be shipped, and due before today, where the studio is'),
  facts: object<StudioOrderRow['facts']>({ printed: boolean(), liveParcels: integer(), paidCents: cents() }),
  remakeOf: nullable(
    object<NonNullable<StudioOrderRow['remakeOf']>>(
      { orderId: id('ord'), orderNumber: string(), remakeId: string('as it was sent'), reason: string(), lines: list(REMADE_LINE) },
      { description: 'the order that this one makes again at no charge' },
    ),
  ),
  remakes: list(
    object<StudioOrderRow['remakes'][number]>({
      orderId: id('ord'),
      orderNumber: string('of the remake, such as `P-10001-R1`'),
      remakeId: string('as it was sent'),
      status: oneOf(ORDER_STATUSES),
      reason: string(),
      lines: list(REMADE_LINE),
      shipments: SHIPMENTS,
    }),
    'what was made of it again, oldest first',
  ),
  invoice: nullable({ ...INVOICE, description: 'null of a remake' }),
  attention: list(ATTENTION, 'what needs a person, oldest first'),
};
export const STUDIO_ORDER_ROW = resource<StudioOrderRow>('StudioOrderRow', STUDIO_ORDER_FIELDS);

type Job = StudioOrder['job'];
const ADDRESS = object<Job['shippingAddress']>(
  {
    name: string(),
    company: nullable(string()),
    line1: string(),
    line2: nullable(string()),
    city: string(),
    state: string(),
    postcode: string(),
    country: string(),
    phone: nullable(string()),
    email: string(),
  },
  { optional: ['company', 'line2', 'phone'] },
);
const LINE_INSPECTION = resource<PresentedLineInspection>('LineInspection', {
  ...INSPECTION_FIELDS,
  effectiveDpi: nullable(integer('the lowest over both axes of pixels ÷ printed inches; null where pixels or size are not known')),
});
const JOB = resource<Job>('Job', {
  lines: list(
    object<Job['lines'][number]>({
      externalReference: nullable(string()),
      productSlug: string(),
      productName: string(),
      quantity: integer(),
      selections: mapOf(string()),
      words: list(
        object<Job['lines'][number]['words'][number]>({ label: string(), value: string() }),
        'the selections as the job sheet says them: sizes in words, materials by name',
      ),
      artworkUrl: nullable(uri('signed, to look at it for a while')),
      artworkFilename: nullable(string()),
      artworkContentType: nullable(string()),
      artworkReceived: nullable(boolean('null where the store could not tell')),
      inspection: nullable({ ...LINE_INSPECTION, description: 'what picture it is; null while nobody has looked at its bytes' }),
    }),
  ),
  remake: nullable(string('says so, of which order and why; null: it was ordered')),
  shippingAddress: ADDRESS,
  specialInstructions: nullable(string()),
  whiteLabel: boolean(),
  rushTier: oneOf(RUSH_TIERS),
  promisedReadyDate: nullable(date()),
  shippingMethod: nullable(string('its id')),
  shippingMethodName: nullable(string('what the studio calls it')),
});

type Carried = ReturnType<typeof presentTimelineEntry>['carried'];
const CARRIED_FIELDS = {
  parcelId: string(),
  trackingNumber: string(),
  carrier: string(),
  trackingUrl: string(),
  shippedAt: time(),
  lines: PIECES,
  paymentId: string(),
  amountCents: cents(),
  receivedAt: time(),
  reference: string(),
  creditNoteId: string(),
} satisfies Record<keyof Carried, unknown>;
const TIMELINE_ENTRY = resource<StudioOrder['timeline'][number]>('TimelineEntry', {
  milestoneId: string(),
  type: string(),
  outcome: oneOf(['applied', 'refused']),
  reason: nullable(string('why it was refused, or corrected')),
  note: nullable(string()),
  corrects: nullable(string('of a correction: the milestoneId that it took back')),
  carried: object<Carried>(CARRIED_FIELDS, {
    description: 'what a parcel, payment or credit note was sent with',
    optional: Object.keys(CARRIED_FIELDS) as (keyof Carried)[],
  }),
  actor: string(),
  occurredAt: time(),
  recordedAt: time(),
  correctable: boolean('a milestone that a correction would take back now; sent, it is judged again'),
});
const PARCEL = resource<ReturnType<typeof presentParcel>>('Parcel', {
  parcelId: string(),
  trackingNumber: string(),
  carrier: nullable(string()),
  trackingUrl: nullable(string()),
  shippedAt: nullable(time()),
  voidedAt: nullable(time()),
  lines: nullable(PIECES),
});
const PAYMENT = resource<ReturnType<typeof presentPayment>>('Payment', {
  paymentId: string(),
  amountCents: cents(),
  receivedAt: time(),
  reference: nullable(string()),
  reversedAt: nullable(time()),
});
type OpenAttention = ReturnType<typeof presentOpenAttention>;
export const OPEN_ATTENTION = resource<OpenAttention>('OpenAttention', {
  ...ATTENTION_FIELDS,
  orderId: id('ord'),
  orderNumber: string(),
  status: oneOf(ORDER_STATUSES),
  environment,
  accountId: id('acc'),
  accountName: string(),
});

type OrderEvent = ReturnType<typeof presentOrderEvent>;
const ORDER_EVENT = resource<OrderEvent>('OrderEventInShort', {
  id: id('evt'),
  type: string(),
  sequence: integer('per order, from 1'),
  createdAt: time(),
  deliveries: list(
    object<OrderEvent['deliveries'][number]>({
      id: id('dlv'),
      endpointId: id('whe'),
      state: oneOf(DELIVERY_STATES),
      attemptCount: integer('of the present chain'),
      nextAttemptAt: nullable(time()),
      completedAt: nullable(time()),
    }),
    'one for each endpoint that there was',
  ),
});
const ACTION = resource<OrderAction>('OrderAction', {
  type: oneOf(ACTION_TYPES),
  allowed: boolean('as the order is now; sent, it is judged again'),
  reason: nullable(string('why it is refused, or that nothing would change')),
  tells: nullable(
    oneOf(
      EVENT_TYPES.filter((type) => type !== PING),
      'the event that the client would be told; null: none',
    ),
  ),
});

export const STUDIO_ORDER = resource<StudioOrder>('StudioOrder', {
  ...STUDIO_ORDER_FIELDS,
  job: JOB,
  timeline: list(TIMELINE_ENTRY, 'as it was recorded, oldest first'),
  parcels: list(PARCEL, 'voided ones too'),
  payments: list(PAYMENT, 'reversed ones too'),
  events: list(ORDER_EVENT, 'what the client was told, newest first; the latest fifty'),
  hears: object<StudioOrder['hears']>(
    {
      endpoints: integer('enabled: the event goes out to each'),
      disabled: integer('the event is held for each: sent once it is enabled and recovered'),
    },
    { description: 'the webhook endpoints of the account in this environment, which would get an event now' },
  ),
  actions: list(ACTION, 'what may be done now, and what would come of it'),
  erasedAt: nullable(time("when the customer's data was erased")),
  workflowUrl: nullable(uri('in the Temporal Web UI; null where none is configured')),
});

type InvoiceRow = ReturnType<typeof presentInvoiceRow>;
const INVOICE_ROW_FIELDS: Fields<InvoiceRow> = {
  invoiceId: id('inv'),
  invoiceNumber: string(),
  orderId: id('ord'),
  orderNumber: string(),
  accountId: id('acc'),
  accountName: string(),
  environment,
  currency: string(undefined, { pattern: '^[A-Z]{3}$' }),
  amountCents: cents(),
  gstCents: cents('contained in it'),
  paidCents: cents('payments that stand'),
  creditedCents: cents('by credit notes'),
  dueCents: cents('what is neither paid nor credited; 0 of a void one'),
  state: oneOf(INVOICE_STATES),
  overdue: boolean('something is due, and its day has passed'),
  issuedAt: time(),
  dueAt: time(),
  voidedAt: nullable(time()),
};
export const INVOICE_ROW = resource<InvoiceRow>('InvoiceRow', INVOICE_ROW_FIELDS);

type WholeInvoice = ReturnType<typeof presentWholeInvoice>;
const CREDIT_NOTE = resource<WholeInvoice['creditNotes'][number]>('CreditNote', {
  id: id('crn'),
  creditNoteId: string("the sender's; `cancel`: written when the studio cancelled a paid order"),
  creditNoteNumber: string(),
  amountCents: cents(),
  gstCents: cents('contained in it'),
  reason: string(),
  createdAt: time(),
});
export const WHOLE_INVOICE = resource<WholeInvoice>('WholeInvoice', {
  ...INVOICE_ROW_FIELDS,
  payments: list(PAYMENT, 'oldest first, reversed ones too'),
  creditNotes: list(CREDIT_NOTE, 'oldest first'),
});

interface Settings {
  criticalRushEnabled: boolean;
  studio: { name: string; abn: string; address: string; bank: string } | null;
}
export const SETTINGS = resource<Settings>('Settings', {
  criticalRushEnabled: boolean(),
  studio: nullable(
    object<NonNullable<Settings['studio']>>(
      { name: string(), abn: string('in groups'), address: string('with its lines'), bank: string('with its lines') },
      { description: 'what the studio says of itself on its documents; null until it was told' },
    ),
  ),
});
type AccountPaymentRow = ReturnType<typeof presentAccountPaymentRow>;
const ACCOUNT_PAYMENT_FIELDS: Fields<AccountPaymentRow> = {
  paymentId: string('as it was sent'),
  accountId: id('acc'),
  environment,
  source: oneOf(PAYMENT_SOURCES),
  amountCents: cents(),
  unappliedCents: cents("what of it paid no invoice: the account's credit"),
  receivedAt: time(),
  reference: nullable(string()),
  createdAt: time(),
  reversedAt: nullable(time()),
  invoiceCount: integer('how many invoices it paid'),
};
export const ACCOUNT_PAYMENT_ROW = resource<AccountPaymentRow>('AccountPaymentRow', ACCOUNT_PAYMENT_FIELDS);
type AccountPayment = ReturnType<typeof presentAccountPayment>;
export const ACCOUNT_PAYMENT = resource<AccountPayment>('AccountPayment', {
  ...ACCOUNT_PAYMENT_FIELDS,
  invoices: list(
    object<AccountPayment['invoices'][number]>({
      invoiceId: id('inv'),
      invoiceNumber: string(),
      orderId: id('ord'),
      orderNumber: string(),
      amountCents: cents('of this payment'),
    }),
    'in the order in which they were issued',
  ),
});
export const REFUND = resource<ReturnType<typeof presentRefund>>('Refund', {
  refundId: string('as it was sent'),
  accountId: id('acc'),
  environment,
  amountCents: cents(),
  reference: nullable(string()),
  createdAt: time(),
});

type Statement = ReturnType<typeof presentStatement>;
export const STATEMENT = resource<Statement>('Statement', {
  accountId: id('acc'),
  accountName: string(),
  environment,
  from: date("a day of the studio's calendar, included"),
  to: date('the same, included too'),
  openingCents: cents('owed before the first entry; negative where the studio owes the account'),
  closingCents: cents('owed after the last'),
  entries: list(
    object<Statement['entries'][number]>({
      bookedOn: date(),
      type: oneOf(ENTRY_TYPES),
      amountCents: cents('what it adds to the balance; 0 where credit pays an invoice'),
      outstandingCents: cents('of that, to what is outstanding'),
      creditCents: cents('and to the credit, which counts against it'),
      balanceCents: cents('after it'),
      orderId: nullable(id('ord')),
      orderNumber: nullable(string()),
      invoiceNumber: nullable(string()),
      creditNoteNumber: nullable(string()),
      paymentId: nullable(string('of the payment on account, or on the order')),
      refundId: nullable(string()),
      reference: nullable(string('of the payment or refund; of a credit note its reason')),
    }),
    'as they were booked',
  ),
  now: credit,
});

/** A row of each section as the trade catalogue shows it, and whether it is withdrawn. */
const withdrawn = { withdrawn: boolean('not on offer; kept, because orders name it') };
const rows = [...new Set(STORED_SECTIONS.map((section) => CATALOGUE_ROWS[section]))];
export const CATALOGUE_ENTRY = define('CatalogueEntry', {
  anyOf: rows.map((row) => extended(row, withdrawn)),
  description: "A row of the section, whose fields are the trade catalogue's.",
});

type PriceBookSummary = ReturnType<typeof presentPriceBookSummary>;
const PRICE_BOOK_FIELDS: Fields<PriceBookSummary> = {
  version: integer('counted from 1'),
  sha256: string(undefined, { pattern: '^[0-9a-f]{64}$' }),
  effectiveAt: time('of the books in force the one that came into force last prices, of equals the higher version'),
  publishedBy: string(),
  createdAt: time(),
};
export const PRICE_BOOK_SUMMARY = resource<PriceBookSummary>('PriceBookSummary', PRICE_BOOK_FIELDS);
export const PRICE_BOOK = resource<ReturnType<typeof presentPriceBook>>('PriceBook', {
  ...PRICE_BOOK_FIELDS,
  book: any('the whole book, as it was published'),
});

type Stats = ReturnType<typeof presentStats>;
const counts = (names: readonly string[], rest: Readonly<Record<string, JsonSchema>> = {}) =>
  object<Record<string, number>>({ ...Object.fromEntries(names.map((name) => [name, integer()])), ...rest });
export const STATS = resource<Stats>('Stats', {
  environment,
  from: date('the first day'),
  to: date('the last day'),
  timeZone: string("IANA: the studio's"),
  orders: object<Stats['orders']>({
    placed: integer('in the period'),
    revenueCents: cents('totals of those placed in the period that are not cancelled by now'),
    late: integer('now, whenever placed: still to be shipped, and due before today'),
    byStatus: counts(ORDER_STATUSES),
  }),
  days: list(
    object<Stats['days'][number]>({ date: date(), orders: integer(), revenueCents: cents() }),
    'every day of the period, in order',
  ),
  deliveries: counts(DELIVERY_STATES, {
    deliveredBps: nullable(integer('hundredths of a per cent of those delivered or failed; null of none')),
  }),
});

type OrderCounts = ReturnType<typeof presentOrderCounts>;
export const ORDER_COUNTS = resource<OrderCounts>('OrderCounts', {
  environment,
  byStatus: { ...counts(ORDER_STATUSES), description: 'of each at most 10,000 are counted' },
  late: integer('still to be shipped, and due before today; at most 10,000 are counted'),
  attention: integer('orders of which something needs a person; at most 10,000 are counted'),
});

type DeliveryCounts = ReturnType<typeof presentDeliveryCounts>;
export const DELIVERY_COUNTS = resource<DeliveryCounts>('DeliveryCounts', {
  environment,
  byState: { ...counts(UNDELIVERED), description: 'of each at most 10,000 are counted' },
});

type AuditEntry = ReturnType<typeof presentAuditEntry>;
export const AUDIT_ENTRY = resource<AuditEntry>('AuditEntry', {
  id: integer(),
  at: time(),
  actor: object<AuditEntry['actor']>({ tokenId: string(), name: string() }),
  action: string('such as `account.change`'),
  subject: string('what it was done to'),
  requestId: string(),
  before: nullable(mapOf(any('what it was'))),
  after: nullable(mapOf(any('what it became'))),
});

interface Erasure {
  dryRun: boolean;
  orders: number;
  quotes: number;
  artwork: number;
  complete: boolean;
}
export const ERASURE = resource<Erasure>(
  'Erasure',
  {
    dryRun: boolean('true: only counted'),
    orders: integer(),
    quotes: integer(),
    artwork: integer(),
    complete: boolean('false: there is more, and the same call goes on'),
  },
  { optional: ['complete'] },
);

type Schedule = ReturnType<typeof presentSchedule>;
export const SCHEDULE = resource<Schedule>('Schedule', {
  id: string('of its Schedule in Temporal'),
  does: string('what it is for'),
  state: oneOf(['running', 'paused', 'missing'], 'missing: no worker has made it yet'),
  note: nullable(string('why it is paused, as somebody wrote in Temporal')),
  nextRunAt: nullable(time()),
  runs: list(
    object<Schedule['runs'][number]>({
      startedAt: time(),
      endedAt: nullable(time('null: it runs')),
      status: string('completed, running, failed, timed_out, terminated, canceled; forgotten where Temporal keeps it no longer'),
      result: nullable(mapOf(any('a figure or a time'), 'what it did')),
      workflowUrl: nullable(uri('in the Temporal Web UI')),
    }),
    'the last five, newest first',
  ),
});

type Differences = ReturnType<typeof presentDifferences>;
export const PRICE_DIFFERENCES = resource<Differences>('PriceDifferences', {
  version: integer(),
  against: integer('the version it is compared with'),
  differences: list(
    object<Differences['differences'][number]>({
      path: string('dotted; entries of a list are named by their id'),
      change: oneOf(['added', 'changed', 'removed']),
      before: any('null where it was not there, or was null'),
      after: any('null where it is not there, or is null'),
    }),
  ),
});

type Trial = ReturnType<typeof presentTrial>;
const quoteId = id('quo');
export const PRICE_TRIAL = resource<Trial>('PriceTrial', {
  inForce: integer('the version it is compared with'),
  currency: string(),
  looked: integer('quotes that were looked at'),
  priced: integer('of them, priced by both'),
  totalBeforeCents: cents('of those'),
  totalAfterCents: cents('of those'),
  lines: list(
    object<Trial['lines'][number]>({
      quoteId,
      accountName: string(),
      line: integer('of the quote, from 0'),
      productName: string(),
      quantity: integer(),
      beforeCents: cents(),
      afterCents: cents(),
    }),
    'each line that would change',
  ),
  quotes: list(
    object<Trial['quotes'][number]>({
      quoteId,
      accountId: id('acc'),
      createdAt: time(),
      shippingBeforeCents: cents(),
      shippingAfterCents: cents(),
      totalBeforeCents: cents(),
      totalAfterCents: cents(),
    }),
    'each quote whose total would change',
  ),
  unpriced: list(
    object<Trial['unpriced'][number]>({
      quoteId,
      refusedBy: oneOf(['today', 'draft'], 'today: whatever the draft says'),
      reason: string(),
    }),
  ),
});
