import type { Transaction } from '../../../db/database';
import { lockAccount } from '../../../db/repositories/accounts';
import { type AuditEntry, writeAudit } from '../../../db/repositories/audit';
import { lockSetting, readSetting, type Settings, writeSetting } from '../../../db/repositories/settings';
import { requireFound, pathId } from '../../path-id';
import type { HandlerResponse } from '../../types';
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
 * Runs a change of the account's money like `audited`. The transaction locks the account before its orders. A waiting request holds no connection.
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

/** Replaces a setting. The response and the audit entry contain it as `present` returns it. */
export async function replaceSetting<N extends keyof Settings>(
  request: StudioRequest,
  name: N,
  value: Settings[N],
  { action, present }: { action: string; present: (value: Settings[N]) => object },
): Promise<HandlerResponse> {
  await audited(request, async (sql, record) => {
    await lockSetting(sql, name);
    const before = await readSetting(sql, name);
    await writeSetting(sql, name, value, request.deps.clock.now());
    await record({ action, subject: 'settings', before: { ...present(before) }, after: { ...present(value) } });
  });
  return { data: present(value) };
}
