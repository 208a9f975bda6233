import { decide } from './order-decisions';
import { isMilestoneType, type MilestoneType } from './order-message-types';
import type { MilestoneFacts, OrderFacts } from './order-status';

export interface AppliedMilestone {
  milestoneId: string;
  type: MilestoneType;
}

export type ReplayResult = { facts: OrderFacts } | { refused: string };

/** `cancelled` has voided an invoice; it is not undone (ruling 46). */
export const isCorrectable = (type: string): boolean => type !== 'cancelled' && isMilestoneType(type);

/** Before any milestone. */
const INITIAL_FACTS: Required<MilestoneFacts> = { baseStatus: 'received', heldFrom: null, printed: false };
const milestoneFacts = ({ baseStatus, heldFrom, printed }: OrderFacts): Required<MilestoneFacts> => ({ baseStatus, heldFrom, printed });

/**
 * What an order rests on once a milestone is taken back: what those that remain, in their order, lead to from the beginning. Parcels and
 * money stay as they are. Refused, naming it, where one that remains would not have been applied without it (ruling 56).
 */
export function replay(facts: OrderFacts, remaining: readonly AppliedMilestone[]): ReplayResult {
  let after: OrderFacts = { ...facts, ...INITIAL_FACTS };
  for (const { milestoneId, type } of remaining) {
    if (type === 'artwork_rejected') continue; // it moves no fact, and parcels that came later would refuse it
    const verdict = decide(after, { type, milestoneId });
    if ('refused' in verdict) return { refused: `${type} (${milestoneId}) came after it and rests on it; correct that first` };
    after = verdict.facts;
  }
  return { facts: { ...facts, ...milestoneFacts(after) } };
}
