import type { Sql } from '../../../db/database';
import { lockAccount } from '../../../db/repositories/accounts';
import type { AuditEntry } from '../../../db/repositories/audit';
import { found, pathId } from '../../path-id';
import { audited } from './audited';
import type { StudioRequest } from './types';

/**
 * A change of the money of the account in the path and its row in the audit log, in one transaction that holds the account's lock before
 * any other (ruling 54). It waits for its turn where it holds no connection. @throws ApiError NOT_FOUND
 */
export function auditedOnAccount<T>(
  request: StudioRequest,
  work: (sql: Sql, record: (entry: AuditEntry) => Promise<void>, accountId: string) => Promise<T>,
): Promise<T> {
  const accountId = pathId(request, 'acc');
  return request.deps.accountWrites.run(accountId, () =>
    audited(request, async (sql, record) => {
      found(request, 'acc', await lockAccount(sql, accountId));
      return work(sql, record, accountId);
    }),
  );
}
