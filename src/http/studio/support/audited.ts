import type { Transaction } from '../../../db/database';
import { lockAccount } from '../../../db/repositories/accounts';
import { type AuditEntry, writeAudit } from '../../../db/repositories/audit';
import { requireFound, pathId } from '../../path-id';
import type { StudioRequest } from './types';

/** Runs a write in one transaction; `record` adds its row to the audit log. */
export function audited<T>(
  request: StudioRequest,
  work: (sql: Transaction, record: (entry: AuditEntry) => Promise<void>) => Promise<T>,
): Promise<T> {
  return request.deps.database.transaction((sql) => work(sql, (entry) => writeAudit(sql, auditActor(request), entry)));
}

export function auditActor({ deps, caller, requestId }: StudioRequest) {
  return { at: deps.clock.now(), tokenId: caller.tokenId, name: caller.name, badgeId: caller.badgeId, requestId };
}

/**
 * Runs a change of the account's money like `audited`. The transaction locks the account before its orders. The queue holds no connection.
 * @throws ApiError NOT_FOUND
 */
export function auditedOnAccount<T>(
  request: StudioRequest,
  work: (sql: Transaction, record: (entry: AuditEntry) => Promise<void>, accountId: string) => Promise<T>,
): Promise<T> {
  const accountId = pathId(request, 'acc');
  return request.deps.accountWriteQueue.run(accountId, () =>
    audited(request, async (sql, record) => {
      requireFound(request, 'acc', await lockAccount(sql, accountId));
      return work(sql, record, accountId);
    }),
  );
}
