import type { AuditEntry } from '../../src/db/repositories/audit';
import { messageKey, type OrderMessage } from '../../src/domain/order-messages';
import { effectiveStatus, paidCents } from '../../src/domain/order-status';
import { databaseStepsOf } from '.';
import type { MessageContext } from './kind';

/** The audit entry of a message from the studio. */
export function createAuditEntry({ orderId, before, facts }: MessageContext, message: OrderMessage): AuditEntry {
  return {
    action: databaseStepsOf(message).action ?? `milestone.${message.type}`,
    subject: orderId,
    before: {
      status: before.status,
      baseStatus: before.base_status,
      facts: {
        printed: before.printed,
        printedLines: before.printed_lines,
        liveParcels: before.live_parcels,
        paidCents: before.paid_cents,
      },
    },
    after: {
      status: effectiveStatus(facts),
      baseStatus: facts.baseStatus,
      facts: {
        printed: facts.printed,
        printedLines: facts.printedLines,
        liveParcels: facts.liveParcels.length,
        paidCents: paidCents(facts),
      },
      ...message,
      milestoneId: message.milestoneId ?? messageKey(message),
    },
  };
}
