import type { AuditEntry } from '../src/db/repositories/audit';
import type { LockedOrder } from '../src/db/repositories/orders';
import { messageKey } from '../src/domain/message-key';
import { effectiveStatus, paidCents, type OrderFacts } from '../src/domain/order-status';
import { isMilestoneType, type OrderMessage, type OrderMessageType } from '../src/domain/order-message-types';

const ACTIONS: Partial<Record<OrderMessageType, string>> = {
  parcel_added: 'parcel.add',
  parcel_voided: 'parcel.void',
  payment_recorded: 'payment.record',
  payment_reversed: 'payment.reverse',
  corrected: 'milestone.correct',
  credit_noted: 'credit-note.write',
  credit_note_reversed: 'credit-note.reverse',
};

/** Creates the audit entry of a message from the studio. */
export function createMessageAudit(orderId: string, message: OrderMessage, before: LockedOrder, facts: OrderFacts): AuditEntry {
  return {
    action: isMilestoneType(message.type) ? `milestone.${message.type}` : (ACTIONS[message.type] ?? message.type),
    subject: orderId,
    before: {
      status: before.status,
      baseStatus: before.base_status,
      facts: { printed: before.printed, liveParcels: before.live_parcels, paidCents: before.paid_cents },
    },
    after: {
      status: effectiveStatus(facts),
      baseStatus: facts.baseStatus,
      facts: { printed: facts.printed, liveParcels: facts.liveParcels.length, paidCents: paidCents(facts) },
      ...message,
      milestoneId: message.milestoneId ?? messageKey(message),
    },
  };
}
