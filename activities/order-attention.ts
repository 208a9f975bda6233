import type { Sql } from '../src/db/database';
import { clearAttention, clearEvery, raiseAttention } from '../src/db/repositories/attention';
import { paidCents, type OrderFacts, type OrderMessage } from '../src/domain/order-status';

/**
 * Raises attention for a parcel or payment that a cancelled order has after all, and clears it once that is taken back (ruling 47). Where
 * somebody had asked Temporal to cancel, the order is cancelled now.
 */
export async function attendTo(sql: Sql, orderId: string, message: OrderMessage, facts: OrderFacts, now: Date): Promise<void> {
  if (facts.baseStatus !== 'cancelled') return;
  const paid = { orderId, code: 'PAID_BUT_VOID', subject: 'invoice' } as const;
  switch (message.type) {
    case 'parcel_added':
      return raiseAttention(
        sql,
        { orderId, code: 'SHIPPED_AFTER_CANCEL', subject: message.parcelId },
        `parcel ${message.parcelId} has left, and the order is cancelled`,
        now,
      );
    case 'parcel_voided':
      return clearAttention(sql, { orderId, code: 'SHIPPED_AFTER_CANCEL', subject: message.parcelId }, now);
    case 'cancelled':
      await clearEvery(sql, orderId, 'CANCELLATION_REQUESTED', now);
      if (paidCents(facts) > 0)
        await raiseAttention(sql, paid, `the invoice is void, and ${paidCents(facts)} cents have been paid on it`, now);
      return;
    case 'payment_reversed':
      if (paidCents(facts) === 0) await clearAttention(sql, paid, now);
      return;
    default:
      return; // nothing else happens to a cancelled order
  }
}
