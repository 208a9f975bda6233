import type { Sql } from '../../../db/database';
import { type AuditEntry, writeAudit } from '../../../db/repositories/audit';
import type { StudioRequest } from './types';

/** A write and its row in the audit log, in one transaction: `record` says what was done. */
export function audited<T>(
  request: StudioRequest,
  work: (sql: Sql, record: (entry: AuditEntry) => Promise<void>) => Promise<T>,
): Promise<T> {
  return request.deps.database.transaction((sql) => work(sql, (entry) => writeAudit(sql, auditActor(request), entry)));
}

/** Who, when and in which request. */
export function auditActor({ deps, caller, requestId }: StudioRequest) {
  return { at: deps.clock.now(), tokenId: caller.tokenId, name: caller.name, requestId };
}
