import type { Sql } from '../src/db/database';
import { loadOrderState } from '../src/db/repositories/orders';
import { findAppliedType, findUncorrectedMilestones } from '../src/db/repositories/timeline';
import { floorUndoIssue, isCorrectable, replay } from '../src/domain/correction';
import type { ErrorCode } from '../src/domain/errors';
import { eventStatus } from '../src/domain/order-decisions';
import type { OrderMessage, OrderMessageType } from '../src/domain/order-message-types';
import { hasRole, type Role } from '../src/domain/roles';
import type { Change } from './contract';

type Correction = Extract<OrderMessage, { type: 'corrected' }>;

/** The studio token that sent the correction. */
interface Sender {
  tokenId: string | null;
  role: Role | null;
  now: Date;
}

/**
 * Recalculates the facts of a locked order without an undone milestone. Returns a refusal if the milestone cannot be undone, or not by this
 * token. Reads the timeline, because the workflow's memory may be outdated (rulings 46, 56 and 78).
 */
export async function decideCorrection(
  sql: Sql,
  orderId: string,
  { corrects }: Correction,
  { tokenId, role, now }: Sender,
): Promise<Change | { refused: string; code: ErrorCode }> {
  const type = await findAppliedType(sql, orderId, corrects);
  if (type === null || !isCorrectable(type)) return { refused: refusalReason(type, corrects), code: 'CORRECTION_REFUSED' };
  const uncorrected = await findUncorrectedMilestones(sql, orderId);
  if (role === null || !hasRole(role, 'office')) {
    const issue = floorUndoIssue(uncorrected, { milestoneId: corrects, tokenId, now });
    if (issue !== null) return { refused: issue, code: 'FORBIDDEN' };
  }
  const state = await loadOrderState(sql, orderId);
  if (state === null) throw new Error(`order ${orderId} does not exist although its row is locked`);
  const replayed = replay(
    state.facts,
    uncorrected.filter(({ milestoneId }) => milestoneId !== corrects),
  );
  if ('refused' in replayed) return { ...replayed, code: 'CORRECTION_REFUSED' };
  return { facts: replayed.facts, eventStatus: eventStatus(state.facts, replayed.facts) };
}

function refusalReason(type: OrderMessageType | null, corrects: string): string {
  switch (type) {
    case null:
      return `no milestone ${corrects} has been applied to this order`;
    case 'cancelled':
      return 'a cancellation cannot be undone, because it has voided the invoice; the client must place a new order';
    case 'corrected':
      return 'a correction cannot be undone; send the milestone again under a new milestoneId';
    default:
      return `${corrects} is of type ${type}, not a milestone: void the parcel or reverse the payment instead`;
  }
}
