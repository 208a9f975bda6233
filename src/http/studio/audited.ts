import type { Sql } from '../../db/data-source';
import { writeAudit, type Deed } from '../../db/repositories/audit';
import type { StudioRequest } from './types';

/** A write and its row in the audit log, in one transaction: `record` says what was done. */
export function audited<T>(request: StudioRequest, work: (sql: Sql, record: (deed: Deed) => Promise<void>) => Promise<T>): Promise<T> {
  return request.deps.dataSource.transaction('READ COMMITTED', (sql) => work(sql, (deed) => writeAudit(sql, witnessed(request), deed)));
}

/** Who, when and in which request. */
export function witnessed({ deps, caller, requestId }: StudioRequest) {
  return { at: deps.clock.now(), tokenId: caller.tokenId, name: caller.name, requestId };
}
