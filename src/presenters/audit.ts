import type { AuditRow } from '../db/repositories/audit';
import { fieldsOf } from './fields';

export function presentAuditEntry(entry: AuditRow) {
  return {
    ...fieldsOf(entry, 'id', 'at'),
    actor: { tokenId: entry.actor_id, name: entry.actor, badgeId: entry.badge_id },
    ...fieldsOf(entry, 'action', 'subject', 'subject_name', 'request_id', 'before', 'after'),
  };
}
