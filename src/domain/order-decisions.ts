import { canonicalJson } from './canonical-json';
import { cancelRefusal, CANCEL_ID_PREFIX, isCancelled } from './cancel-rules';
import { assertNever, type ErrorCode } from './errors';
import { creditedOnCancelCents } from './ledger';
import { formatCents } from './money';
import {
  type OrderFacts,
  type BaseStatus,
  effectiveStatus,
  STATUSES_TO_BE_SHIPPED,
  paidCents,
  creditedCents,
  openCents,
  type OrderStatus,
} from './order-status';
import { type OrderMessage, type OrderMessageType, CANCEL_CREDIT_NOTE_ID, ACCOUNT_PAYMENT_PREFIX } from './order-message-types';

/** A refusal with its reason, or the new facts. If the facts are unchanged, the message is recorded but has no effect. */
export type Verdict = { refused: string; code?: ErrorCode } | { facts: OrderFacts; isRecorded?: false };

/** Decides one message by the order's facts. A pure function, shared by the workflow and the tests. */
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
      return message.milestoneId.startsWith(CANCEL_ID_PREFIX) ? cancelByClient(facts) : { facts: cancel(facts) };
    case 'corrected':
      return refusal('a correction depends on the timeline, not only on the facts'); // replayed instead
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

/** Artwork and rejections are stored in the database and are not part of the facts. */
function changeArtwork(facts: OrderFacts, outcome: 'rejected' | 'replaced'): Verdict {
  const status = effectiveStatus(facts);
  if (!STATUSES_TO_BE_SHIPPED.includes(status)) return refusal(`the order is ${status}`);
  return facts.printed ? refusal(`the order is printed; artwork can be ${outcome} only before printing`) : { facts };
}

/** The account's cancellation. Nothing is recorded if the order is already cancelled. */
function cancelByClient(facts: OrderFacts): Verdict {
  if (isCancelled(facts)) return { facts, isRecorded: false };
  const refused = cancelRefusal(facts);
  return refused === null ? { facts: cancel(facts) } : { refused, code: 'ORDER_NOT_CANCELLABLE' };
}

/** Cancels the order and credits the paid amount. */
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

/**
 * Records a credit note. Together with earlier notes it may not exceed the invoice's amount, paid or not. Any credit above the open amount
 * becomes the account's credit.
 */
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

/** Reverses a credit note, which increases the invoice's open amount again. The notes of a void invoice cannot be reversed. */
function reverseCreditNote(facts: OrderFacts, creditNoteId: string): Verdict {
  if (facts.reversedCreditNotes.includes(creditNoteId)) return refusal(`credit note ${creditNoteId} was already reversed`);
  if (!Object.hasOwn(facts.creditNotes, creditNoteId)) return refusal(`there is no credit note ${creditNoteId} on this order`);
  if (facts.baseStatus === 'cancelled')
    return refusal('the order is cancelled and its invoice is void, so its credit notes cannot be reversed');
  const { [creditNoteId]: _reversed, ...creditNotes } = facts.creditNotes;
  return { facts: { ...facts, creditNotes, reversedCreditNotes: [...facts.reversedCreditNotes, creditNoteId] } };
}

/** Client data is stored in the database and is not part of the facts. */
function changeDetails(facts: OrderFacts): Verdict {
  const status = effectiveStatus(facts);
  return status === 'received' ? { facts } : refusal(`the order is ${status}; only a received order can be changed; contact the studio`);
}

/** Returns the status that clients are notified of after a change, or null. Each new parcel sends an event, because its tracking is new. */
export function eventStatus(before: OrderFacts, after: OrderFacts): OrderStatus | null {
  const status = effectiveStatus(after);
  const newParcel = after.liveParcels.some((id) => !before.liveParcels.includes(id));
  return newParcel || status !== effectiveStatus(before) ? status : null;
}

/** Messages that change the client's view or the timeline even if the facts stay the same. */
const ALWAYS_CHANGING: readonly OrderMessageType[] = ['held', 'artwork_rejected', 'corrected'];

/** Whether an accepted message changes the order. */
export const hasEffect = (type: OrderMessageType, before: OrderFacts, after: OrderFacts): boolean =>
  ALWAYS_CHANGING.includes(type) || canonicalJson(before) !== canonicalJson(after);
