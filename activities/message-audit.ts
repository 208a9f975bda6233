import type { AuditActor, AuditEntry } from '../src/db/repositories/audit';
import type { LockedOrder } from '../src/db/repositories/orders';
import { messageKey } from '../src/domain/message-key';
import { effectiveStatus, paidCents, type OrderFacts } from '../src/domain/order-status';
import { isMilestoneType, type MilestoneType, type OrderMessage, type OrderMessageType } from '../src/domain/order-message-types';

const ACTIONS: Readonly<Record<Exclude<OrderMessageType, MilestoneType | 'changed'>, string>> = {
  parcel_added: 'parcel.add',
  parcel_voided: 'parcel.void',
  payment_recorded: 'payment.record',
  payment_reversed: 'payment.reverse',
  corrected: 'milestone.correct',
  credit_noted: 'credit-note.write',
  credit_note_reversed: 'credit-note.reverse',
  artwork_replaced: 'artwork.replace',
};

/**
 * Creates the audit entry of a studio message and names its sender. A message arrives through the studio API, as a signal from a system on
 * the production floor, or as a direct Temporal update.
 * @returns null for the account's own cancellations and changes, which only the timeline records
 */
export function createMessageAudit(
  orderId: string,
  message: OrderMessage,
  before: LockedOrder,
  facts: OrderFacts,
): { by: Pick<AuditActor, 'tokenId' | 'requestId'>; entry: AuditEntry } | null {
  if (message.actor === 'account' || message.type === 'changed') return null;
  const channel = message.actor?.startsWith('signal') === true ? 'signal' : 'temporal';
  // The seal only proves the sender's token, so the audit log omits it.
  const { actor: _actor, tokenId = channel, requestId = channel, traceparent: _trace, seal: _seal, ...content } = message;
  return {
    by: { tokenId, requestId },
    entry: {
      action: isMilestoneType(message.type) ? `milestone.${message.type}` : ACTIONS[message.type],
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
        ...content,
        milestoneId: message.milestoneId ?? messageKey(message),
      },
    },
  };
}
