import type { Sql } from '../../db/database';
import { listAudit } from '../../db/repositories/audit';
import { orderIdOfEitherNumber } from '../../db/repositories/studio-orders';
import { INVOICE_NUMBER, WHOLE_ORDER_NUMBER } from '../../domain/order-number';
import { presentAuditEntry } from '../../presenters/audit';
import { AUDIT_CSV } from '../../presenters/csv-columns';
import * as json from '../openapi/json';
import { oneOfField, textField } from '../schemas/text';
import { endpointsOfList } from './support/lists';
import { ACCOUNT_ID, AT, TOKEN_ID } from './support/examples';
import { AGE_SORTS, FROM_TO, timesOf } from './support/query-filters';
import type { StudioEndpointRow } from './support/types';

const AUDIT_FILTERS = {
  actor: textField(1, 200).description('name or id of the token, or who else it was, as the entry says'),
  subject: textField(1, 200).description("what it was done to, as the entry says; an order's number, or its invoice's, is the order"),
  action: textField(1, 100).description('such as `account.change`'),
  ...FROM_TO,
  sort: oneOfField(AGE_SORTS).description('`newest` first unless said otherwise'),
} as const;

type AuditEntry = ReturnType<typeof presentAuditEntry>;

const AUDIT_ENTRY = json.resource<AuditEntry>('AuditEntry', {
  id: [json.integer(), 41],
  at: [json.time(), AT],
  actor: json.object<AuditEntry['actor']>({ tokenId: [json.string(), TOKEN_ID], name: [json.string(), 'ops'] }),
  action: [json.string('such as `account.change`'), 'account.change'],
  subject: [json.string('what it was done to'), ACCOUNT_ID],
  requestId: [json.string(), 'req_4f1c9a'],
  before: [json.nullable(json.mapOf(json.any('what it was'))), { creditLimitCents: null }],
  after: [json.nullable(json.mapOf(json.any('what it became'))), { creditLimitCents: 500_000 }],
});

export const AUDIT_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...endpointsOfList({
    path: '/audit',
    role: 'admin',
    filters: AUDIT_FILTERS,
    id: 'listAudit',
    summary: 'Every write, failed sign-in, refused role and counted failure, newest first',
    entry: AUDIT_ENTRY,
    list: (request) => ({
      name: 'audit',
      find: async ({ from, to, subject, sort, ...same }, page) => {
        const { database } = request.deps;
        const times = await timesOf(request, { from, to });
        const named = subject && (await subjectOf(database, subject));
        return listAudit(database, { ...same, subject: named, ...times, oldestFirst: sort === 'oldest' }, page);
      },
      mark: (entry) => ({ createdAt: entry.at, id: String(entry.id) }),
      present: presentAuditEntry,
    }),
    csv: { id: 'exportAudit', summary: 'The audit log, as CSV', columns: AUDIT_CSV },
  }),
];

/** Entries are about ids; whoever asks may have the number of an order, or of an invoice, whose changes are its order's. */
async function subjectOf(sql: Sql, named: string): Promise<string> {
  const isNumber = WHOLE_ORDER_NUMBER.test(named) || INVOICE_NUMBER.test(named);
  return (isNumber ? await orderIdOfEitherNumber(sql, named) : null) ?? named;
}
