import type { Sql } from '../src/db/database';
import { clearAttention, clearEvery, clearRejection, raiseAttention, rejectionOf } from '../src/db/repositories/attention';
import { assertNever } from '../src/domain/errors';
import { lineInWords } from '../src/domain/line-pieces';
import { isMilestone, paidCents, type MilestoneType, type OrderFacts, type OrderMessage } from '../src/domain/order-status';
import { paidButVoid, restatePaidButVoid } from '../src/orders/money-attention';

type Milestone = Extract<OrderMessage, { type: MilestoneType }>;

/**
 * Raises attention for parcels and payments of a cancelled order, whichever came first, and clears it once that is taken back (ruling 47).
 * A cancel settles an earlier request to cancel that came through Temporal, and rejected artwork. A cancelled order needs no confirmation.
 */
export async function attendTo(sql: Sql, orderId: string, message: OrderMessage, facts: OrderFacts, now: Date): Promise<void> {
  if (message.type === 'artwork_rejected') return rejected(sql, orderId, message, now);
  if (message.type === 'corrected') return clearRejection(sql, orderId, message.corrects, now);
  if (facts.baseStatus !== 'cancelled') return;
  if (message.type === 'cancelled') {
    await clearEvery(sql, orderId, 'CANCELLATION_REQUESTED', now);
    await clearEvery(sql, orderId, 'CONFIRMATION_WITHHELD', now);
    await clearEvery(sql, orderId, 'ARTWORK_REJECTED', now);
    for (const parcelId of facts.liveParcels) await shippedAfterAll(sql, orderId, parcelId, now);
    if (paidCents(facts) > 0)
      await raiseAttention(sql, { orderId, code: 'PAID_BUT_VOID', subject: 'invoice' }, paidButVoid(paidCents(facts)), now);
    return;
  }
  if (isMilestone(message)) return; // a cancelled order refuses it
  switch (message.type) {
    case 'parcel_added':
      return shippedAfterAll(sql, orderId, message.parcelId, now);
    case 'parcel_voided':
      return clearAttention(sql, { orderId, code: 'SHIPPED_AFTER_CANCEL', subject: message.parcelId }, now);
    case 'payment_reversed':
      return restatePaidButVoid(sql, [orderId], now);
    case 'payment_recorded':
    case 'artwork_replaced':
    case 'credit_noted':
    case 'credit_note_reversed':
    case 'changed':
      return; // a cancelled order refuses it
    default:
      return assertNever(message);
  }
}

function rejected(sql: Sql, orderId: string, { milestoneId, line: sent, reason }: Milestone, now: Date): Promise<void> {
  const line = sent ?? 0;
  const occurrence = { orderId, code: 'ARTWORK_REJECTED', subject: rejectionOf(milestoneId, line) } as const;
  return raiseAttention(sql, occurrence, `${lineInWords(line)}: its artwork is rejected: ${reason}`, now);
}

function shippedAfterAll(sql: Sql, orderId: string, parcelId: string, now: Date): Promise<void> {
  const occurrence = { orderId, code: 'SHIPPED_AFTER_CANCEL', subject: parcelId } as const;
  return raiseAttention(sql, occurrence, `parcel ${parcelId} has left, and the order is cancelled`, now);
}
