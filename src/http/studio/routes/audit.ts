import { listAudit } from '../../../db/repositories/audit';
import { presentAuditEntry } from '../../../presenters/audit';
import type { Answer } from '../../types';
import { answerPage } from '../paging';
import type { StudioRequest } from '../types';

/** `GET /audit`: every write of the studio API, newest first. */
export async function getAudit(request: StudioRequest): Promise<Answer> {
  return answerPage(request, {
    name: 'audit',
    find: (limit, after) => listAudit(request.deps.database, limit, after),
    mark: (entry) => ({ createdAt: entry.at, id: String(entry.id) }),
    present: presentAuditEntry,
  });
}
