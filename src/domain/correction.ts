import { decide } from './order-decisions';
import { isMilestoneType, type MilestoneType } from './order-message-types';
import type { MilestoneFacts, OrderFacts } from './order-status';

export interface AppliedMilestone {
  milestoneId: string;
  type: MilestoneType;
}

export type ReplayResult = { facts: OrderFacts } | { refused: string };

/** `cancelled` has voided an invoice, so it cannot be undone (ruling 46). */
export const isCorrectable = (type: string): boolean => type !== 'cancelled' && isMilestoneType(type);

/** Before the first milestone. */
const INITIAL_FACTS: Required<MilestoneFacts> = { baseStatus: 'received', heldFrom: null, printed: false };
const milestoneFacts = ({ baseStatus, heldFrom, printed }: OrderFacts): Required<MilestoneFacts> => ({ baseStatus, heldFrom, printed });

/**
 * The order's facts after a milestone is reversed: replays the remaining milestones from the start. Parcels and money do not change. If a
 * remaining milestone would not have been applied, the refusal names it (ruling 56).
 */
export function replay(facts: OrderFacts, remaining: readonly AppliedMilestone[]): ReplayResult {
  let after: OrderFacts = { ...facts, ...INITIAL_FACTS };
  for (const { milestoneId, type } of remaining) {
    if (type === 'artwork_rejected') continue; // it changes no fact, and later parcels would refuse it
    const verdict = decide(after, { type, milestoneId });
    if ('refused' in verdict) return { refused: `${type} (${milestoneId}) came later and depends on it; correct that milestone first` };
    after = verdict.facts;
  }
  return { facts: { ...facts, ...milestoneFacts(after) } };
}
