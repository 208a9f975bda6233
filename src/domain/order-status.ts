import { assertNever } from './errors';
import type { Environment } from './limits';
import type { LinePieces } from './line-pieces';
import { creditedOnCancelCents } from './ledger';
import { formatCents, sumCents } from './money';

/** Statuses as clients read them (specification "Order status"). */
export const ORDER_STATUSES = ['received', 'in_production', 'on_hold', 'shipped', 'completed', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Neither shipped nor completed nor cancelled (ruling 65). */
const IS_TO_BE_SHIPPED: Readonly<Record<OrderStatus, boolean>> = {
  received: true,
  in_production: true,
  on_hold: true,
  shipped: false,
  completed: false,
  cancelled: false,
};
export const STATUSES_TO_BE_SHIPPED: readonly OrderStatus[] = ORDER_STATUSES.filter((status) => IS_TO_BE_SHIPPED[status]);

/** Whether an order is late: due, `YYYY-MM-DD`, earlier than today, where the studio is, and still to be shipped (ruling 65). */
export function isLate({ status, dueDate }: { status: OrderStatus; dueDate: string | null }, today: string): boolean {
  return STATUSES_TO_BE_SHIPPED.includes(status) && dueDate !== null && dueDate < today;
}

/** What is stored. `shipped` is not: voiding the last label must give back the status before, so it is read off the parcels (ruling 28). */
export type BaseStatus = Exclude<OrderStatus, 'shipped'>;

export const BASE_STATUSES = ORDER_STATUSES.filter((status): status is BaseStatus => status !== 'shipped');

/** The statuses that can be put on hold, and to which a release returns. */
export const HOLDABLE_STATUSES = ['received', 'in_production'] as const satisfies readonly BaseStatus[];

/** The facts that milestones change. The order's row stores them. */
export interface MilestoneFacts {
  baseStatus: BaseStatus;
  /** Where a release returns to; null unless on hold. */
  heldFrom: (typeof HOLDABLE_STATUSES)[number] | null;
  printed: boolean;
}

/** Everything the rules of one order rest on. Amounts in cents. */
export interface OrderFacts extends MilestoneFacts {
  /** Parcel ids by their state. A voided id stays known, so that it is never applied twice. */
  liveParcels: string[];
  voidedParcels: string[];
  /** Payments not reversed: id → cents. A reversed id stays known, like a voided parcel's. */
  payments: Record<string, number>;
  reversedPayments: string[];
  totalCents: number;
  /** Credit notes not reversed: the sender's id → cents. A reversed id stays known, like a payment's. */
  creditNotes: Record<string, number>;
  reversedCreditNotes: string[];
}

/** `version` counts stored changes. Number and version together confirm every answer: one differs after either side was restored. */
export interface OrderState {
  orderNumber: string;
  accountId: string;
  environment: Environment;
  version: number;
  facts: OrderFacts;
  /** RFC 3339: when an order was placed whose confirmation mail is still to be sent; null: none is. */
  confirmationOwedSince: string | null;
  /** RFC 3339: when to look for artwork that was not there at placing; null: nothing is awaited. */
  artworkDue: string | null;
}

/** The status a client reads: `shipped` while one parcel is live, whatever the base status (ruling 28). */
export function effectiveStatus(facts: OrderFacts): OrderStatus {
  return facts.liveParcels.length > 0 ? 'shipped' : facts.baseStatus;
}

/** Settled orders need no more work: their workflow may close after a quiet time. */
const IS_SETTLED: Readonly<Record<BaseStatus, boolean>> = {
  received: false,
  in_production: false,
  on_hold: false,
  completed: true,
  cancelled: true,
};
export const SETTLED_STATUSES = BASE_STATUSES.filter((status) => IS_SETTLED[status]);
export const isSettled = ({ baseStatus }: OrderFacts): boolean => IS_SETTLED[baseStatus];

/** Its production has started, also where it is on hold now. */
export const hasStarted = ({ baseStatus, heldFrom }: OrderFacts): boolean => (heldFrom ?? baseStatus) !== 'received';

export function paidCents(facts: OrderFacts): number {
  return sumCents(Object.values(facts.payments));
}

export function creditedCents(facts: OrderFacts): number {
  return sumCents(Object.values(facts.creditNotes));
}

/** The part of the invoice that is neither paid nor credited. */
export function openCents(facts: OrderFacts): number {
  return Math.max(0, facts.totalCents - paidCents(facts) - creditedCents(facts));
}

export const MILESTONE_TYPES = ['production_started', 'printed', 'held', 'released', 'artwork_rejected', 'completed', 'cancelled'] as const;
export type MilestoneType = (typeof MILESTONE_TYPES)[number];
export const isMilestoneType = (type: unknown): type is MilestoneType => MILESTONE_TYPES.some((one) => one === type);

interface MessageMetadata {
  note?: string | null;
  /** RFC 3339; when it happened on the floor. */
  occurredAt?: string | null;
  /** Who said it, for the timeline: `account`, `signal`, or the studio's token below. */
  actor?: string;
  /** The studio token and request it came by: the audit row that is stored with it names them. */
  tokenId?: string;
  requestId?: string;
  /** Proof that it came by them (`src/security/sender-seal.ts`). */
  seal?: string;
}

export interface NewParcel {
  parcelId: string;
  trackingNumber: string;
  carrier?: string | null;
  trackingUrl?: string | null;
  shippedAt?: string | null;
  /** What it holds; absent: nobody said. Whether that was ordered the database judges, which knows the lines. */
  lines?: LinePieces[] | null;
}

export interface NewPayment {
  paymentId: string;
  amountCents: number;
  receivedAt?: string | null;
  reference?: string | null;
}

export interface NewCreditNote {
  creditNoteId: string;
  amountCents: number;
  reason: string;
}

/** The sender's id of the credit note that goes with a cancel. */
export const CANCEL_CREDIT_NOTE_ID = 'cancel';

/** Takes a credit note back (ruling 66). */
export interface CreditNoteReversal {
  creditNoteId: string;
  reversalId: string;
  reason: string;
}

interface MilestoneDetails {
  /** Of a hold or rejected artwork: why, for the client. */
  reason?: string | null;
  /** Of rejected artwork: the line it is for, from 0. */
  line?: number | null;
}

/** An upload in place of another on one line, from 0. */
export interface ArtworkReplacement {
  replacementId: string;
  line: number;
  uploadId: string;
  milestoneId?: undefined;
}

interface OptionalMilestoneId {
  /** Only kept for the timeline: a parcel or payment has an id of its own (ruling 45). */
  milestoneId?: string | null;
}

/** Payload of the update `applyMessage` and of the signal `milestone` (docs/workflows.md, "By signal"). */
export type OrderMessage = MessageMetadata &
  (
    | ({ type: MilestoneType; milestoneId: string } & MilestoneDetails)
    | { type: 'corrected'; milestoneId: string; corrects: string; reason: string }
    | ({ type: 'parcel_added' } & NewParcel & OptionalMilestoneId)
    | ({ type: 'parcel_voided'; parcelId: string } & OptionalMilestoneId)
    | ({ type: 'payment_recorded' } & NewPayment & OptionalMilestoneId)
    | ({ type: 'payment_reversed'; paymentId: string } & OptionalMilestoneId)
    | ({ type: 'credit_noted' } & NewCreditNote & OptionalMilestoneId)
    | ({ type: 'credit_note_reversed' } & CreditNoteReversal & OptionalMilestoneId)
    | { type: 'changed'; changeId: string; milestoneId?: undefined }
    | ({ type: 'artwork_replaced' } & ArtworkReplacement)
  );
export type OrderMessageType = OrderMessage['type'];
type MilestoneMessage = Extract<OrderMessage, { type: MilestoneType }>;
export const isMilestone = (message: OrderMessage): message is MilestoneMessage => isMilestoneType(message.type);

/** What the id of a payment begins with that is a share of a payment on account. */
export const ACCOUNT_PAYMENT_PREFIX = 'account:';

/** Refused with the reason, or the facts afterwards. Unchanged facts mean: worth recording, but nothing moves. */
export type Verdict = { refused: string } | { facts: OrderFacts };

/** Decides one message against the facts. Pure: the workflow, the signal and the tests ask the same function. */
export function decide(facts: OrderFacts, message: OrderMessage): Verdict {
  switch (message.type) {
    case 'production_started':
      return applyStep(facts, START_STEPS);
    case 'printed':
      return facts.baseStatus === 'cancelled' ? refusal('the order is cancelled') : { facts: { ...facts, printed: true } };
    case 'held':
      return hold(facts);
    case 'released':
      return release(facts);
    case 'artwork_rejected':
      return changeArtwork(facts, 'rejected');
    case 'completed':
      return applyStep(facts, COMPLETE_STEPS);
    case 'cancelled':
      return { facts: cancel(facts) };
    case 'corrected':
      return refusal('a correction depends on the timeline, not only on the facts'); // replayed instead (ruling 56)
    case 'parcel_added':
      return addParcel(facts, message.parcelId);
    case 'parcel_voided':
      return voidParcel(facts, message.parcelId);
    case 'payment_recorded':
      return recordPayment(facts, message.paymentId, message.amountCents);
    case 'payment_reversed':
      return reversePayment(facts, message.paymentId);
    case 'credit_noted':
      return recordCreditNote(facts, message.creditNoteId, message.amountCents);
    case 'credit_note_reversed':
      return reverseCreditNote(facts, message.creditNoteId);
    case 'changed':
      return changeDetails(facts);
    case 'artwork_replaced':
      return changeArtwork(facts, 'replaced');
    default:
      return assertNever(message);
  }
}

const refusal = (reason: string): Verdict => ({ refused: reason });

type StatusStep = { to: BaseStatus } | { refused: string };

const RELEASE_FIRST = { refused: 'the order is on hold; release it first' };
const START_STEPS: Readonly<Record<BaseStatus, StatusStep>> = {
  received: { to: 'in_production' },
  in_production: { to: 'in_production' },
  on_hold: RELEASE_FIRST,
  completed: { refused: 'the order is completed' },
  cancelled: { refused: 'the order is cancelled' },
};
const COMPLETE_STEPS: Readonly<Record<BaseStatus, StatusStep>> = {
  received: { refused: 'the order has not started production; send production_started first' },
  in_production: { to: 'completed' },
  on_hold: RELEASE_FIRST,
  completed: { to: 'completed' },
  cancelled: { refused: 'the order is cancelled' },
};

function applyStep(facts: OrderFacts, steps: Readonly<Record<BaseStatus, StatusStep>>): Verdict {
  const step = steps[facts.baseStatus];
  return 'refused' in step ? step : { facts: { ...facts, baseStatus: step.to } };
}

function hold(facts: OrderFacts): Verdict {
  const { baseStatus } = facts;
  switch (baseStatus) {
    case 'received':
    case 'in_production':
      return { facts: { ...facts, baseStatus: 'on_hold', heldFrom: baseStatus } };
    case 'on_hold':
      return { facts };
    case 'completed':
    case 'cancelled':
      return refusal(`the order is ${baseStatus}; only a received order or one in production can be held`);
    default:
      return assertNever(baseStatus);
  }
}

function release(facts: OrderFacts): Verdict {
  if (facts.baseStatus !== 'on_hold') return refusal(`the order is not on hold, it is ${facts.baseStatus}`);
  return { facts: { ...facts, baseStatus: facts.heldFrom ?? 'received', heldFrom: null } };
}

/** The database stores artwork and what was rejected. The facts do not (ruling 69). */
function changeArtwork(facts: OrderFacts, outcome: 'rejected' | 'replaced'): Verdict {
  const status = effectiveStatus(facts);
  if (!STATUSES_TO_BE_SHIPPED.includes(status)) return refusal(`the order is ${status}`);
  return facts.printed ? refusal(`the order is printed; artwork can be ${outcome} only before printing`) : { facts };
}

/** What was paid on it is credited (ruling 53). */
function cancel(facts: OrderFacts): OrderFacts {
  const after: OrderFacts = { ...facts, baseStatus: 'cancelled', heldFrom: null };
  if (facts.baseStatus === 'cancelled') return after;
  const figures = { amountCents: facts.totalCents, paidCents: paidCents(facts), creditedCents: creditedCents(facts) };
  const noteCents = creditedOnCancelCents(figures);
  return noteCents === 0 ? after : { ...after, creditNotes: { ...facts.creditNotes, [CANCEL_CREDIT_NOTE_ID]: noteCents } };
}

function addParcel(facts: OrderFacts, parcelId: string): Verdict {
  if (facts.liveParcels.includes(parcelId)) return refusal(`parcel ${parcelId} is already on this order; send a new parcel id`);
  if (facts.voidedParcels.includes(parcelId)) return refusal(`the label of parcel ${parcelId} was voided; send a new parcel id`);
  return { facts: { ...facts, liveParcels: [...facts.liveParcels, parcelId] } };
}

function voidParcel(facts: OrderFacts, parcelId: string): Verdict {
  if (facts.voidedParcels.includes(parcelId)) return { facts };
  if (!facts.liveParcels.includes(parcelId)) return refusal(`there is no parcel ${parcelId} on this order`);
  return {
    facts: {
      ...facts,
      liveParcels: facts.liveParcels.filter((id) => id !== parcelId),
      voidedParcels: [...facts.voidedParcels, parcelId],
    },
  };
}

function recordPayment(facts: OrderFacts, paymentId: string, amountCents: number): Verdict {
  if (Object.hasOwn(facts.payments, paymentId)) return refusal(`payment ${paymentId} is already recorded; send a new payment id`);
  if (facts.reversedPayments.includes(paymentId)) return refusal(`payment ${paymentId} was reversed; send a new payment id`);
  if (facts.baseStatus === 'cancelled') return refusal('the order is cancelled and its invoice is void');
  if (facts.totalCents === 0) return refusal('nothing is charged for this order, so there is nothing to pay');
  const open = openCents(facts);
  if (amountCents > open)
    return refusal(`the payment is ${formatCents(amountCents)}, but only ${formatCents(open)} of the invoice is open`);
  return { facts: { ...facts, payments: { ...facts.payments, [paymentId]: amountCents } } };
}

function reversePayment(facts: OrderFacts, paymentId: string): Verdict {
  if (facts.reversedPayments.includes(paymentId)) return { facts };
  if (paymentId.startsWith(ACCOUNT_PAYMENT_PREFIX))
    return refusal(
      `payment ${paymentId} is a share of a payment on account, which is reversed as a whole: ` +
        `DELETE /accounts/{id}/payments/${encodeURIComponent(paymentId.slice(ACCOUNT_PAYMENT_PREFIX.length))}`,
    );
  if (!Object.hasOwn(facts.payments, paymentId)) return refusal(`there is no payment ${paymentId} to reverse on this order`);
  const { [paymentId]: _reversed, ...payments } = facts.payments;
  return { facts: { ...facts, payments, reversedPayments: [...facts.reversedPayments, paymentId] } };
}

/** Up to the invoice's amount less earlier notes, paid or not: what it has too much is the account's credit (rulings 53 and 55). */
function recordCreditNote(facts: OrderFacts, creditNoteId: string, amountCents: number): Verdict {
  if (Object.hasOwn(facts.creditNotes, creditNoteId))
    return refusal(`credit note ${creditNoteId} is already recorded; send a new credit note id`);
  if (facts.reversedCreditNotes.includes(creditNoteId))
    return refusal(`credit note ${creditNoteId} was reversed; send a new credit note id`);
  if (facts.baseStatus === 'cancelled') return refusal('the order is cancelled and its invoice is void');
  const leftCents = facts.totalCents - creditedCents(facts);
  if (amountCents > leftCents)
    return refusal(`the credit note is ${formatCents(amountCents)}, but only ${formatCents(leftCents)} of the invoice can be credited`);
  return { facts: { ...facts, creditNotes: { ...facts.creditNotes, [creditNoteId]: amountCents } } };
}

/** Raises the invoice again. A void invoice asks for nothing, so its notes stay (ruling 66). */
function reverseCreditNote(facts: OrderFacts, creditNoteId: string): Verdict {
  if (facts.reversedCreditNotes.includes(creditNoteId)) return refusal(`credit note ${creditNoteId} was already reversed`);
  if (!Object.hasOwn(facts.creditNotes, creditNoteId)) return refusal(`there is no credit note ${creditNoteId} on this order`);
  if (facts.baseStatus === 'cancelled')
    return refusal('the order is cancelled and its invoice is void, so its credit notes cannot be reversed');
  const { [creditNoteId]: _reversed, ...creditNotes } = facts.creditNotes;
  return { facts: { ...facts, creditNotes, reversedCreditNotes: [...facts.reversedCreditNotes, creditNoteId] } };
}

/** What the client changes is no fact of the rules; the database has it (ruling 73). */
function changeDetails(facts: OrderFacts): Verdict {
  const status = effectiveStatus(facts);
  return status === 'received' ? { facts } : refusal(`the order is ${status}; only a received order can be changed; contact the studio`);
}

/** The status whose event a change emits, or null. A new parcel emits one each time, because its tracking is new (ruling 29). */
export function eventStatus(before: OrderFacts, after: OrderFacts): OrderStatus | null {
  const status = effectiveStatus(after);
  const newParcel = after.liveParcels.some((id) => !before.liveParcels.includes(id));
  return newParcel || status !== effectiveStatus(before) ? status : null;
}
