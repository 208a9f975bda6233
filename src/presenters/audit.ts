import type { AuditRow } from '../db/repositories/audit';

export function presentAuditEntry(entry: AuditRow) {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: { tokenId: entry.actor_id, name: entry.actor },
    action: entry.action,
    subject: entry.subject,
    requestId: entry.request_id,
    before: entry.before,
    after: entry.after,
  };
}
