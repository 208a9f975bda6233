import { canonicalJson } from './canonical-json';
import { assertNever } from './errors';
import { isCorrectable, replay, type AppliedMilestone, type Replayed } from './correction';
import { orderEventType, type OrderEventType } from './events';
import { countedWith, fullReason, MAX_PER_KIND, MESSAGE_TYPES } from './order-message';
import { decide, eventStatus, isMilestoneType, ON_ACCOUNT, type OrderFacts, type OrderMessageType, type Verdict } from './order-status';
import { remadeArtworkRefusal, remakeRefusal, type RemakeFacts } from './remakes';

/** Messages that only clients send. */
const BY_CLIENTS = ['changed', 'artwork_replaced'] as const;
type StudioMessageType = Exclude<OrderMessageType, (typeof BY_CLIENTS)[number]>;
type ActionType = StudioMessageType | 'remake';
const isOfStudio = (type: OrderMessageType): type is StudioMessageType => !BY_CLIENTS.some((one) => one === type);
/** What the studio may do with an order: the messages it sends, and making it again. */
export const ACTION_TYPES: readonly ActionType[] = [...MESSAGE_TYPES.filter(isOfStudio), 'remake'];

/** What would come of an action now. `reason`: why it is refused, or that it would change nothing. */
export interface OrderAction {
  type: ActionType;
  allowed: boolean;
  reason: string | null;
  /** The event that the client would be told; null: none. */
  tells: OrderEventType | null;
}

export interface ActionFacts {
  facts: OrderFacts;
  /** Milestones that were applied and not taken back, oldest first. */
  standing: readonly AppliedMilestone[];
  applied: readonly string[];
  remake: RemakeFacts;
}

export function orderActions(order: ActionFacts): OrderAction[] {
  return ACTION_TYPES.map((type) => ({ type, ...outcomeOf(order, type) }));
}

/** They change what the client or the timeline reads, even where the facts stay the same. */
const ALWAYS_CHANGING: readonly ActionType[] = ['held', 'artwork_rejected', 'corrected'];

function outcomeOf(order: ActionFacts, type: ActionType): Omit<OrderAction, 'type'> {
  if (type === 'remake') {
    const refused = remakeRefusal(order.remake);
    return { allowed: refused === null, reason: refused, tells: null };
  }
  const verdict = verdictOf(order, type);
  if ('refused' in verdict) return { allowed: false, reason: verdict.refused, tells: null };
  const { remakeOf } = order.remake;
  if (type === 'artwork_rejected' && remakeOf !== null) return { allowed: false, reason: remadeArtworkRefusal(remakeOf), tells: null };
  const status = remakeOf === null ? eventStatus(order.facts, verdict.facts) : null;
  const isSame = !ALWAYS_CHANGING.includes(type) && canonicalJson(order.facts) === canonicalJson(verdict.facts);
  return { allowed: true, reason: isSame ? 'nothing would change' : null, tells: status === null ? null : orderEventType(status) };
}

function verdictOf(order: ActionFacts, type: Exclude<ActionType, 'remake'>): Verdict {
  const counted = countedWith(type);
  if (counted !== null && order.applied.filter((one) => counted.types.some((each) => each === one)).length >= MAX_PER_KIND)
    return { refused: fullReason(counted.called) };
  const { facts } = order;
  if (isMilestoneType(type)) return decide(facts, { type, milestoneId: NEW });
  switch (type) {
    case 'corrected':
      return correctionOf(order);
    case 'parcel_added':
      return decide(facts, { type, parcelId: NEW, trackingNumber: NEW });
    case 'parcel_voided': {
      const parcelId = facts.liveParcels.at(-1);
      return parcelId === undefined ? { refused: 'there is no parcel to void on this order' } : decide(facts, { type, parcelId });
    }
    case 'payment_recorded':
      return withoutAmount(decide(facts, { type, paymentId: NEW, amountCents: 1 }));
    case 'payment_reversed': {
      const paymentId = reversible(facts);
      return paymentId === undefined ? { refused: 'there is no payment to reverse on this order' } : decide(facts, { type, paymentId });
    }
    case 'credit_noted':
      return withoutAmount(decide(facts, { type, creditNoteId: NEW, amountCents: 1, reason: NEW }));
    case 'credit_note_reversed': {
      const creditNoteId = Object.keys(facts.creditNotes).at(-1);
      if (creditNoteId === undefined) return { refused: 'there is no credit note to reverse on this order' };
      return decide(facts, { type, creditNoteId, reversalId: NEW, reason: NEW });
    }
    default:
      return assertNever(type);
  }
}

/** An id that nothing has, since none is empty. */
const NEW = '';

/** The amount that was tried is nobody's. */
function withoutAmount(verdict: Verdict): Verdict {
  return 'refused' in verdict ? { refused: verdict.refused.replace(/; the (payment is|credit note is over) 0\.01$/, '') } : verdict;
}

/** The latest payment on the order itself; one of its shares of payments on account where it has no other. */
function reversible({ payments }: OrderFacts): string | undefined {
  const ids = Object.keys(payments);
  return ids.findLast((id) => !id.startsWith(ON_ACCOUNT)) ?? ids.at(-1);
}

/** The ids of the milestones that a correction would take back now: those that nothing later rests on (ruling 56). */
export function correctableMilestones({ facts, standing }: Pick<ActionFacts, 'facts' | 'standing'>): Set<string> {
  const taken = standing.filter(({ type, milestoneId }) => isCorrectable(type) && 'facts' in without(facts, standing, milestoneId));
  return new Set(taken.map(({ milestoneId }) => milestoneId));
}

const without = (facts: OrderFacts, standing: readonly AppliedMilestone[], milestoneId: string): Replayed =>
  replay(facts, standing.filter((other) => other.milestoneId !== milestoneId)); // prettier-ignore

function correctionOf({ facts, standing }: ActionFacts): Verdict {
  let latest: Verdict | null = null;
  for (const { milestoneId } of standing.filter(({ type }) => isCorrectable(type)).toReversed()) {
    const verdict = without(facts, standing, milestoneId);
    if (!('refused' in verdict)) return verdict;
    latest ??= verdict;
  }
  return latest ?? { refused: 'there is no milestone to take back on this order' };
}
