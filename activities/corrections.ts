import type { Sql } from '../src/db/database';
import { loadOrderState } from '../src/db/repositories/orders';
import { findAppliedType, findUncorrectedMilestones } from '../src/db/repositories/timeline';
import { isCorrectable, replay, type AppliedMilestone } from '../src/domain/correction';
import { eventStatus } from '../src/domain/order-decisions';
import type { OrderMessage, OrderMessageType } from '../src/domain/order-message-types';
import type { Change } from './contract';

type Correction = Extract<OrderMessage, { type: 'corrected' }>;

/**
 * What an order that is locked becomes once a milestone is taken back, or why it cannot be. Judged by the timeline, never by what a
 * workflow remembers (rulings 46 and 56).
 */
export async function decideCorrection(sql: Sql, orderId: string, { corrects }: Correction): Promise<Change | { refused: string }> {
  const type = await findAppliedType(sql, orderId, corrects);
  if (type === null || !isCorrectable(type)) return { refused: refusalReason(type, corrects) };
  const state = await loadOrderState(sql, orderId);
  if (state === null) throw new Error(`order ${orderId} is gone while it is locked`);
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
      return 'a cancel is not taken back: it has voided the invoice; the client orders again';
    case 'corrected':
      return 'a correction is not taken back; send the milestone again under a new milestoneId';
    default:
      return `${corrects} is ${type}, no milestone: a parcel is voided, a payment reversed`;
  }
}
