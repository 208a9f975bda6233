import { assertNever } from './errors';
import { isCorrectable, replay, type AppliedMilestone, type ReplayResult } from './correction';
import { orderEventType, type OrderEventType } from './events';
import { findLimitGroup, MAX_PER_KIND, MESSAGE_TYPES, limitReason } from './message-rules';
import { decide, eventStatus, hasEffect, type Verdict } from './order-decisions';
import { isMilestoneType, ACCOUNT_PAYMENT_PREFIX, type OrderMessageType } from './order-message-types';
import type { OrderFacts } from './order-status';
import { remadeArtworkRefusal, remakeRefusal, type RemakeFacts } from './remakes';

/** Messages that only clients send. */
const CLIENT_MESSAGE_TYPES = ['changed', 'artwork_replaced'] as const;
type StudioMessageType = Exclude<OrderMessageType, (typeof CLIENT_MESSAGE_TYPES)[number]>;
type ActionType = StudioMessageType | 'remake';
const isStudioMessageType = (type: OrderMessageType): type is StudioMessageType => !CLIENT_MESSAGE_TYPES.some((one) => one === type);
/** The studio's actions on an order: the messages it can send, and a remake. */
export const ACTION_TYPES: readonly ActionType[] = [...MESSAGE_TYPES.filter(isStudioMessageType), 'remake'];

/** Whether an action is allowed now. `reason` says why it is refused or has no effect. */
export interface OrderAction {
  type: ActionType;
  allowed: boolean;
  reason: string | null;
  /** The event that the client would receive, or null. */
  eventType: OrderEventType | null;
}

export interface OrderForActions {
  facts: OrderFacts;
  /** Unreversed milestones, oldest first. */
  uncorrected: readonly AppliedMilestone[];
  appliedTypes: readonly string[];
  remake: RemakeFacts;
}

export function orderActions(order: OrderForActions): OrderAction[] {
  return ACTION_TYPES.map((type) => ({ type, ...evaluateAction(order, type) }));
}

function evaluateAction(order: OrderForActions, type: ActionType): Omit<OrderAction, 'type'> {
  if (type === 'remake') {
    const refused = remakeRefusal(order.remake);
    return { allowed: refused === null, reason: refused, eventType: null };
  }
  const verdict = decideAction(order, type);
  if ('refused' in verdict) return { allowed: false, reason: verdict.refused, eventType: null };
  const { remakeOf } = order.remake;
  if (type === 'artwork_rejected' && remakeOf !== null) return { allowed: false, reason: remadeArtworkRefusal(remakeOf), eventType: null };
  const status = remakeOf === null ? eventStatus(order.facts, verdict.facts) : null;
  return {
    allowed: true,
    reason: hasEffect(type, order.facts, verdict.facts) ? null : 'nothing would change',
    eventType: status === null ? null : orderEventType(status),
  };
}

function decideAction(order: OrderForActions, type: Exclude<ActionType, 'remake'>): Verdict {
  const limitGroup = findLimitGroup(type);
  if (limitGroup !== null && order.appliedTypes.filter((one) => limitGroup.types.some((each) => each === one)).length >= MAX_PER_KIND)
    return { refused: limitReason(limitGroup.label) };
  const { facts } = order;
  if (isMilestoneType(type)) return decide(facts, { type, milestoneId: UNUSED_ID });
  switch (type) {
    case 'corrected':
      return decideCorrection(order);
    case 'parcel_added':
      return decide(facts, { type, parcelId: UNUSED_ID, trackingNumber: UNUSED_ID });
    case 'parcel_voided': {
      const parcelId = facts.liveParcels.at(-1);
      return parcelId === undefined ? { refused: 'there is no parcel to void on this order' } : decide(facts, { type, parcelId });
    }
    case 'payment_recorded':
      return removeTrialAmount(decide(facts, { type, paymentId: UNUSED_ID, amountCents: 1 }));
    case 'payment_reversed': {
      const paymentId = findReversiblePayment(facts);
      return paymentId === undefined ? { refused: 'there is no payment to reverse on this order' } : decide(facts, { type, paymentId });
    }
    case 'credit_noted':
      return removeTrialAmount(decide(facts, { type, creditNoteId: UNUSED_ID, amountCents: 1, reason: UNUSED_ID }));
    case 'credit_note_reversed': {
      const creditNoteId = Object.keys(facts.creditNotes).at(-1);
      if (creditNoteId === undefined) return { refused: 'there is no credit note to reverse on this order' };
      return decide(facts, { type, creditNoteId, reversalId: UNUSED_ID, reason: UNUSED_ID });
    }
    default:
      return assertNever(type);
  }
}

/** An id for trial messages. No record has it, because ids are not empty. */
const UNUSED_ID = '';

/** Removes the trial amount from the reason, because no user has entered it. */
function removeTrialAmount(verdict: Verdict): Verdict {
  return 'refused' in verdict ? { refused: verdict.refused.replace(/; the (payment is|credit note is over) 0\.01$/, '') } : verdict;
}

/** Returns the latest payment on the order itself. If there is none, returns a share of a payment on account. */
function findReversiblePayment({ payments }: OrderFacts): string | undefined {
  const ids = Object.keys(payments);
  return ids.findLast((id) => !id.startsWith(ACCOUNT_PAYMENT_PREFIX)) ?? ids.at(-1);
}

/** Returns the ids of the milestones that can be corrected now, because no later milestone depends on them. */
export function correctableMilestones({ facts, uncorrected }: Pick<OrderForActions, 'facts' | 'uncorrected'>): Set<string> {
  const correctable = uncorrected.filter(
    ({ type, milestoneId }) => isCorrectable(type) && 'facts' in replayWithout(facts, uncorrected, milestoneId),
  );
  return new Set(correctable.map(({ milestoneId }) => milestoneId));
}

const replayWithout = (facts: OrderFacts, uncorrected: readonly AppliedMilestone[], milestoneId: string): ReplayResult =>
  replay(facts, uncorrected.filter((other) => other.milestoneId !== milestoneId)); // prettier-ignore

function decideCorrection({ facts, uncorrected }: OrderForActions): Verdict {
  let latest: Verdict | null = null;
  for (const { milestoneId } of uncorrected.filter(({ type }) => isCorrectable(type)).toReversed()) {
    const verdict = replayWithout(facts, uncorrected, milestoneId);
    if (!('refused' in verdict)) return verdict;
    latest ??= verdict;
  }
  return latest ?? { refused: 'there is no milestone to undo on this order' };
}
