import type { Sql } from '../../../db/database';
import { listAudit } from '../../../db/repositories/audit';
import { orderIdOfEitherNumber } from '../../../db/repositories/studio-orders';
import { INVOICE_NUMBER, WHOLE_ORDER_NUMBER } from '../../../domain/order-number';
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
    find: async ({ from, to, subject, ...same }, page) => {
      const { database } = request.deps;
      const times = await timesOf(request, { from, to });
      return listAudit(database, { ...same, subject: subject && (await subjectOf(database, subject)), ...times }, page);
    },
    mark: (entry) => ({ createdAt: entry.at, id: String(entry.id) }),
    present: presentAuditEntry,
  });
}

/** Entries are about ids; whoever asks may have the number of an order, or of an invoice, whose changes are its order's. */
async function subjectOf(sql: Sql, named: string): Promise<string> {
  const isNumber = WHOLE_ORDER_NUMBER.test(named) || INVOICE_NUMBER.test(named);
  return (isNumber ? await orderIdOfEitherNumber(sql, named) : null) ?? named;
}
