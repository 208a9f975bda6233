import { cancelRefusal, isCancelled } from '../cancel-rules';
import { creditedOnCancelCents } from '../ledger';
import { creditedCents, paidCents, type OrderFacts } from '../order-status';
import { ID_PREFIXES } from './fields';
import { milestoneKind, type Milestone, type Verdict } from './kind';

/** The id of the credit note that a cancellation creates. */
export const CANCEL_CREDIT_NOTE_ID = 'cancel';

/**
 * The account's cancellation. Unlike the studio's, it is refused after shipping, printing or payment.
 * @param id a new one for each request, so that each request gets the answer of its own time
 */
export const clientCancel = (id: string): Milestone<'cancelled'> => ({
  type: 'cancelled',
  milestoneId: ID_PREFIXES.cancel + id,
});

/** Cancellations have their own limit, because only the first one has an effect. */
export const cancelled = milestoneKind('cancelled', {
  limit: 'cancels',
  movesMoney: true,
  decide: (facts, { milestoneId }) => (milestoneId.startsWith(ID_PREFIXES.cancel) ? cancelByClient(facts) : { facts: cancel(facts) }),
});

/** Nothing is recorded if the order is already cancelled. */
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
