import type { Sql } from '../../../db/database';
import { listAudit, type AuditRow } from '../../../db/repositories/audit';
import { orderIdOfEitherNumber } from '../../../db/repositories/studio-orders';
import { INVOICE_NUMBER, WHOLE_ORDER_NUMBER } from '../../../domain/order-number';
import { presentAuditEntry } from '../../../presenters/audit';
import { AUDIT_CSV } from '../../../presenters/csv-columns';
import type { Answer } from '../../types';
import { answerCsv } from '../csv';
import { answerFiltered, type FilteredList } from '../filters';
import { timesOf } from '../period';
import { AUDIT_FILTERS } from '../schemas/filters';
import type { StudioRequest } from '../types';

/** `GET /audit`: every write of the studio API. */
export async function getAudit(request: StudioRequest): Promise<Answer> {
  return answerFiltered(request, auditList(request));
}

/** `GET /audit.csv` (ruling 64). */
export async function exportAudit(request: StudioRequest): Promise<Answer> {
  return answerCsv(request, auditList(request), AUDIT_CSV);
}

function auditList(request: StudioRequest): FilteredList<AuditRow, typeof AUDIT_FILTERS, ReturnType<typeof presentAuditEntry>> {
  return {
    name: 'audit',
    schemas: AUDIT_FILTERS,
    find: async ({ from, to, subject, sort, ...same }, page) => {
      const { database } = request.deps;
      const times = await timesOf(request, { from, to });
      const named = subject && (await subjectOf(database, subject));
      return listAudit(database, { ...same, subject: named, ...times, oldestFirst: sort === 'oldest' }, page);
    },
    mark: (entry) => ({ createdAt: entry.at, id: String(entry.id) }),
    present: presentAuditEntry,
  };
}

/** Entries are about ids; whoever asks may have the number of an order, or of an invoice, whose changes are its order's. */
async function subjectOf(sql: Sql, named: string): Promise<string> {
  const isNumber = WHOLE_ORDER_NUMBER.test(named) || INVOICE_NUMBER.test(named);
  return (isNumber ? await orderIdOfEitherNumber(sql, named) : null) ?? named;
}
