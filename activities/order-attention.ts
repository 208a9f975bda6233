import type { Sql } from '../src/db/database';
import { clearAttention, clearAllAttention, clearRejection, raiseAttention, rejectionSubject } from '../src/db/repositories/attention';
import { assertNever } from '../src/domain/errors';
import { formatLine } from '../src/domain/line-quantities';
import { isMilestone, type MilestoneType, type OrderMessage } from '../src/domain/order-message-types';
import { paidCents, type OrderFacts } from '../src/domain/order-status';
import { paidButVoidMessage, updatePaidButVoid } from '../src/orders/money-attention';

type Milestone = Extract<OrderMessage, { type: MilestoneType }>;

/**
 * Raises attention for parcels and payments of a cancelled order, whichever came first, and clears it when they are reversed. A
 * cancellation also clears attention about an earlier cancellation request, rejected artwork and a withheld confirmation.
 */
export async function updateAttention(sql: Sql, orderId: string, message: OrderMessage, facts: OrderFacts, now: Date): Promise<void> {
  if (message.type === 'artwork_rejected') return raiseArtworkRejected(sql, orderId, message, now);
  if (message.type === 'corrected') return clearRejection(sql, orderId, message.corrects, now);
  if (facts.baseStatus !== 'cancelled') return;
  if (message.type === 'cancelled') {
    await clearAllAttention(sql, orderId, 'CANCELLATION_REQUESTED', now);
    await clearAllAttention(sql, orderId, 'CONFIRMATION_WITHHELD', now);
    await clearAllAttention(sql, orderId, 'ARTWORK_REJECTED', now);
    for (const parcelId of facts.liveParcels) await raiseShippedAfterCancel(sql, orderId, parcelId, now);
    if (paidCents(facts) > 0)
      await raiseAttention(sql, { orderId, code: 'PAID_BUT_VOID', subject: 'invoice' }, paidButVoidMessage(paidCents(facts)), now);
    return;
  }
  if (isMilestone(message)) return; // cancelled orders refuse it
  switch (message.type) {
    case 'parcel_added':
      return raiseShippedAfterCancel(sql, orderId, message.parcelId, now);
    case 'parcel_voided':
      return clearAttention(sql, { orderId, code: 'SHIPPED_AFTER_CANCEL', subject: message.parcelId }, now);
    case 'payment_reversed':
      return updatePaidButVoid(sql, [orderId], now);
    case 'payment_recorded':
    case 'artwork_replaced':
    case 'credit_noted':
    case 'credit_note_reversed':
    case 'changed':
      return; // cancelled orders refuse it
    default:
      return assertNever(message);
  }
}

function raiseArtworkRejected(sql: Sql, orderId: string, { milestoneId, line: sentLine, reason }: Milestone, now: Date): Promise<void> {
  const line = sentLine ?? 0;
  const occurrence = { orderId, code: 'ARTWORK_REJECTED', subject: rejectionSubject(milestoneId, line) } as const;
  return raiseAttention(sql, occurrence, `${formatLine(line)}: the artwork was rejected: ${reason}`, now);
}

function raiseShippedAfterCancel(sql: Sql, orderId: string, parcelId: string, now: Date): Promise<void> {
  const occurrence = { orderId, code: 'SHIPPED_AFTER_CANCEL', subject: parcelId } as const;
  return raiseAttention(sql, occurrence, `parcel ${parcelId} was shipped although the order is cancelled`, now);
}
