import type { Sql } from '../../../db/database';
import { lockAccount } from '../../../db/repositories/accounts';
import { type AuditEntry, writeAudit } from '../../../db/repositories/audit';
import { ApiError, validationError } from '../../../domain/errors';
import { found, pathId } from '../../path-id';
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

/** When a key or token ends; null: never. @throws ApiError VALIDATION_ERROR for a time that has passed */
export function futureTime({ deps }: StudioRequest, expiresAt: string | null | undefined): Date | null {
  if (expiresAt === undefined || expiresAt === null) return null;
  const time = new Date(expiresAt);
  if (time <= deps.clock.now()) throw validationError([{ path: 'expiresAt', message: 'must be in the future' }]);
  return time;
}

/** @throws ApiError PAYMENT_ID_REUSED, always */
export function idReused(what: 'payment' | 'refund', id: string): never {
  throw new ApiError('PAYMENT_ID_REUSED', `the id ${id} was used for another ${what} of this account; a new ${what} takes a new id`);
}
