import { LIMITS } from './limits';
import { decide, isMilestoneType, type MilestoneType } from './order-messages';
import type { MilestoneFacts, OrderFacts } from './order-status';

export interface AppliedMilestone {
  milestoneId: string;
  type: MilestoneType;
  /** The lines that it is about, from 0; null for the whole order. */
  lines: readonly number[] | null;
}

/** An applied milestone with the time, and the studio token and badge that recorded it; `tokenId` is null for other senders. */
export interface RecordedMilestone extends AppliedMilestone {
  tokenId: string | null;
  badgeId: string | null;
  recordedAt: Date;
}

export type ReplayResult = { facts: OrderFacts } | { refused: string };

/** `cancelled` has voided an invoice, so it cannot be undone. */
export const isCorrectable = (type: string): boolean => type !== 'cancelled' && isMilestoneType(type);

/** The facts before the first milestone. */
const INITIAL_FACTS: Required<MilestoneFacts> = { baseStatus: 'received', heldFrom: null, printed: false, printedLines: [] };
const milestoneFacts = ({ baseStatus, heldFrom, printed, printedLines }: OrderFacts): Required<MilestoneFacts> => ({
  baseStatus,
  heldFrom,
  printed,
  printedLines,
});

/**
 * Calculates the order's facts without an undone milestone: replays the remaining milestones from the start. Parcels and money do not
 * change. If a remaining milestone would now be refused, the refusal names it.
 */
export function replay(facts: OrderFacts, remaining: readonly AppliedMilestone[]): ReplayResult {
  let after: OrderFacts = { ...facts, ...INITIAL_FACTS };
  for (const { milestoneId, type, lines } of remaining) {
    if (type === 'artwork_rejected') continue; // it changes no fact, and later parcels would refuse it
    if (type === 'cancelled') {
      after = { ...after, baseStatus: 'cancelled', heldFrom: null }; // once accepted, later parcels and payments do not undo it
      continue;
    }
    const verdict = decide(after, { type, milestoneId, ...(lines === null ? {} : { lines: [...lines] }) });
    if ('refused' in verdict) return { refused: `${type} (${milestoneId}) came later and depends on it; correct that milestone first` };
    after = verdict.facts;
  }
  return { facts: { ...facts, ...milestoneFacts(after) } };
}

export const undoDeadlineMs = ({ recordedAt }: RecordedMilestone): number => recordedAt.getTime() + LIMITS.floorUndoMs;

/**
 * Returns the reason why the floor may not undo a milestone with its token and badge; null if it may.
 * @param uncorrected the unreversed milestones of the order, oldest first
 */
export function floorUndoIssue(
  uncorrected: readonly RecordedMilestone[],
  { milestoneId, tokenId, badgeId, now }: { milestoneId: string; tokenId: string | null; badgeId: string | null; now: Date },
): string | null {
  const last = uncorrected.at(-1);
  if (last === undefined || last.milestoneId !== milestoneId)
    return `the floor can undo only the last milestone of an order${last === undefined ? '' : `, ${last.type} (${last.milestoneId})`}; ask the office to correct ${milestoneId}`;
  if (last.tokenId !== tokenId)
    return `another sender recorded ${milestoneId}; the floor can undo only the milestones of its own token, so ask the office to correct it`;
  if (last.badgeId !== badgeId)
    return `another badge recorded ${milestoneId}; scan that badge again to undo it, or ask the office to correct it`;
  if (now.getTime() > undoDeadlineMs(last))
    return `the floor can undo a milestone only within ${LIMITS.floorUndoMs / 1000} seconds; ask the office to correct ${milestoneId}`;
  return null;
}
