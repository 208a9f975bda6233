import { listAudit } from '../../../db/repositories/audit';
import { presentAuditEntry } from '../../../presenters/audit';
import type { Answer } from '../../types';
import { answerFiltered } from '../filters';
import { timesOf } from '../period';
import { AUDIT_FILTERS } from '../schemas/filters';
import type { StudioRequest } from '../types';

/** `GET /audit`: every write of the studio API, newest first. */
export async function getAudit(request: StudioRequest): Promise<Answer> {
  return answerFiltered(request, {
    name: 'audit',
    schemas: AUDIT_FILTERS,
    find: async ({ from, to, ...same }, page) =>
      listAudit(request.deps.database, { ...same, ...(await timesOf(request, { from, to })) }, page),
    mark: (entry) => ({ createdAt: entry.at, id: String(entry.id) }),
    present: presentAuditEntry,
  });
}
