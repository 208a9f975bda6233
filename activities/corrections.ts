import type { Sql } from '../src/db/database';
import { loadOrderState } from '../src/db/repositories/orders';
import { findAppliedType, findUncorrectedMilestones } from '../src/db/repositories/timeline';
import { isCorrectable, replay, type AppliedMilestone } from '../src/domain/correction';
import { eventStatus } from '../src/domain/order-decisions';
import type { OrderMessage, OrderMessageType } from '../src/domain/order-message-types';
import type { Change } from './contract';

type Correction = Extract<OrderMessage, { type: 'corrected' }>;

/**
 * Decides the facts of a locked order after a milestone is undone, or why it cannot be undone. Only the timeline counts, not the workflow's
 * memory (rulings 46 and 56).
 */
export async function decideCorrection(sql: Sql, orderId: string, { corrects }: Correction): Promise<Change | { refused: string }> {
  const type = await findAppliedType(sql, orderId, corrects);
  if (type === null || !isCorrectable(type)) return { refused: refusalReason(type, corrects) };
  const state = await loadOrderState(sql, orderId);
  if (state === null) throw new Error(`order ${orderId} does not exist although its row is locked`);
  const validMilestones = (await findUncorrectedMilestones(sql, orderId)).map(
    ({ key, type: milestoneType }) => ({ milestoneId: key, type: milestoneType }) as AppliedMilestone,
  );
  const replayed = replay(
    state.facts,
    validMilestones.filter(({ milestoneId }) => milestoneId !== corrects),
  );
  return 'refused' in replayed ? replayed : { facts: replayed.facts, eventStatus: eventStatus(state.facts, replayed.facts) };
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
