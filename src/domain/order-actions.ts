import { isCorrectable, replay, type AppliedMilestone, type ReplayResult } from './correction';
import { orderEventType, type OrderEventType } from './events';
import { eventStatus, hasEffect, kindOf, MESSAGE_KINDS, MESSAGE_TYPES, type OrderMessageType } from './order-messages';
import type { Verdict } from './order-messages/kind';
import { findLimitGroup, MAX_PER_KIND, limitReason } from './order-messages/limits';
import type { OrderFacts } from './order-status';
import { framingIssue, isStage, linesOfStage, stageProgress } from './stages';
import { remadeArtworkRefusal, remadeChangeRefusal, remakeRefusal, type RemakeFacts } from './remakes';

type ActionType = OrderMessageType | 'remake';
/** The studio's actions on an order: the messages it can send, and a remake. */
export const ACTION_TYPES: readonly ActionType[] = [...MESSAGE_TYPES.filter((type) => MESSAGE_KINDS[type].isFromClient !== true), 'remake'];

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
  /** For each line whether it has a frame. */
  frames: readonly boolean[];
  remake: RemakeFacts;
}

/** Why an action is not possible on a remake of this order. */
const REFUSED_FOR_REMAKES: Partial<Record<ActionType, (original: string) => string>> = {
  artwork_rejected: remadeArtworkRefusal,
  changed: remadeChangeRefusal,
};

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
  const unframed = type === 'framed' ? framingIssue(order.frames, null) : null;
  if (unframed !== null) return { allowed: false, reason: unframed, eventType: null };
  const { remakeOf } = order.remake;
  const refused = remakeOf === null ? undefined : REFUSED_FOR_REMAKES[type]?.(remakeOf);
  if (refused !== undefined) return { allowed: false, reason: refused, eventType: null };
  const status = remakeOf === null ? eventStatus(order.facts, verdict.facts) : null;
  return {
    allowed: true,
    reason: hasEffect(type, order.facts, verdict.facts) && !isComplete(order, type) ? null : 'nothing would change',
    eventType: status === null ? null : orderEventType(status),
  };
}

/** Every line has reached the stage. */
function isComplete({ frames, uncorrected }: OrderForActions, type: ActionType): boolean {
  return isStage(type) && stageProgress(frames, uncorrected).lines[type].length === linesOfStage(type, frames).length;
}

function decideAction(order: OrderForActions, type: Exclude<ActionType, 'remake'>): Verdict {
  const limitGroup = findLimitGroup(type);
  if (limitGroup !== null && order.appliedTypes.filter((one) => limitGroup.types.some((each) => each === one)).length >= MAX_PER_KIND)
    return { refused: limitReason(limitGroup.label) };
  const kind = kindOf({ type });
  const example = kind.example?.(order.facts);
  if (example === undefined) return decideCorrection(order);
  return 'refused' in example ? example : kind.decide(order.facts, example);
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
