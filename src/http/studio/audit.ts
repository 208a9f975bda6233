import type { Sql } from '../../db/database';
import { listAudit } from '../../db/repositories/audit';
import { findOrderIdByOrderOrInvoiceNumber } from '../../db/repositories/studio-orders';
import { readNumber } from '../../domain/order-number';
import { presentAuditEntry } from '../../presenters/audit';
import { AUDIT_CSV } from '../../presenters/csv-columns';
import * as json from '../openapi/json';
import { oneOfField, textField } from '../schemas/text';
import { defineList } from './support/lists';
import { ACCOUNT_ID, EXAMPLE_TIME, TOKEN_ID } from './support/examples';
import { AGE_SORTS, TIME_RANGE_FILTERS, resolveTimeRange } from './support/query-filters';
import type { StudioEndpointRow } from './support/types';

const AUDIT_FILTERS = {
  actor: textField(1, 200).description('the name or id of the token, or another actor as the entry shows it'),
  subject: textField(1, 200).description('the id of the changed object, or the number of an order or invoice'),
  action: textField(1, 100).description('the action, such as `account.change`'),
  ...TIME_RANGE_FILTERS,
  sort: oneOfField(AGE_SORTS).description('the default is `newest`'),
} as const;

type AuditEntry = ReturnType<typeof presentAuditEntry>;

const AUDIT_ENTRY = json.resource<AuditEntry>('AuditEntry', {
  id: [json.integer(), 41],
  at: [json.time(), EXAMPLE_TIME],
  actor: json.object<AuditEntry['actor']>({
    badgeId: json.nullable(json.id('bdg', 'the badge of the person at a station')),
    tokenId: [json.string('the id of the token or API key; `signal` or `command-line` without one'), TOKEN_ID],
    name: [json.string('the name of the token or person'), 'ops'],
  }),
  action: [json.string('the action, such as `account.change`'), 'account.change'],
  subject: [json.string('the id of the changed object'), ACCOUNT_ID],
  subjectName: [
    json.nullable(json.string('its name now, such as an order number, the name of an account or the URL of an endpoint; null without one')),
    'Gallery North',
  ],
  requestId: [json.string('the id of the request; `signal` without one'), 'req_4f1c9a'],
  before: [
    json.nullable(json.mapOf(json.any('the old value'), 'the object before the change; null for a new one')),
    { creditLimitCents: null },
  ],
  after: [
    json.nullable(json.mapOf(json.any('the new value'), 'the object after the change; null if it was removed')),
    { creditLimitCents: 500_000 },
  ],
});

export const AUDIT_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...defineList({
    path: '/audit',
    role: 'admin',
    filters: AUDIT_FILTERS,
    id: 'listAudit',
    summary: 'List the audit log',
    description: 'Lists the newest first, each entry with the values before and after.',
    entry: AUDIT_ENTRY,
    list: (request) => ({
      find: async ({ from, to, subject, sort, ...rest }, page) => {
        const { database } = request.deps;
        const times = await resolveTimeRange(request, { from, to });
        const resolvedSubject = subject && (await resolveSubject(database, subject));
        return listAudit(database, { ...rest, subject: resolvedSubject, ...times, oldestFirst: sort === 'oldest' }, page);
      },
      cursorOf: (entry) => ({ createdAt: entry.at, id: String(entry.id) }),
      present: presentAuditEntry,
    }),
    csv: { id: 'exportAudit', summary: 'Export the audit log as CSV', columns: AUDIT_CSV },
  }),
];

/** Entries hold ids, so a number of an order or invoice becomes the id of the order. */
async function resolveSubject(sql: Sql, text: string): Promise<string> {
  const number = readNumber('order', text, 'live') ?? readNumber('invoice', text, null);
  return (number === null ? null : await findOrderIdByOrderOrInvoiceNumber(sql, number)) ?? text;
}
