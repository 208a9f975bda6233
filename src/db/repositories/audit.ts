import { columns } from '../columns';
import type { Sql } from '../database';
import { pageOfList, type PageMark } from '../keyset';

/** What was done to what. Never the text of a key or token, never an address. */
export interface AuditEntry {
  action: string;
  subject: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface AuditActor {
  at: Date;
  tokenId: string;
  name: string;
  requestId: string;
}

export interface AuditRow {
  id: number;
  at: Date;
  actor_id: string;
  actor: string;
  action: string;
  subject: string;
  request_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export const AUDIT_COLUMNS = columns<AuditRow>('audit_log')(
  'id',
  'at',
  'actor_id',
  'actor',
  'action',
  'subject',
  'request_id',
  'before',
  'after',
);

export const AUDIT_INSERT = 'INSERT INTO audit_log (at, actor_id, actor, action, subject, request_id, before, after)';

/** One row of the audit log. */
export async function writeAudit(sql: Sql, by: AuditActor, entry: AuditEntry): Promise<void> {
  await sql.run(`${AUDIT_INSERT} VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, [
    by.at,
    by.tokenId,
    by.name,
    entry.action,
    entry.subject,
    by.requestId,
    json(entry.before),
    json(entry.after),
  ]);
}

const json = (value: Record<string, unknown> | null): string | null => (value === null ? null : JSON.stringify(value));

/** Newest first. */
export function listAudit(sql: Sql, limit: number, after: PageMark | null): Promise<AuditRow[]> {
  return pageOfList(sql, { text: `SELECT ${AUDIT_COLUMNS.list} FROM audit_log WHERE true`, by: ['id'] }, { limit, after });
}
