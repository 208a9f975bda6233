import type { Sql } from '../database';
import { isIdentifier } from '../../domain/identifiers';
import { findPage, type Page } from '../keyset';
import { columns, integer, nullable, text, time, typed, type RowOf } from '../columns';

/** An action and its object. Contains no API key, token or address. */
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

export const AUDIT_COLUMNS = columns('audit_log', {
  id: integer,
  at: time,
  actor_id: text,
  actor: text,
  action: text,
  subject: text,
  request_id: text,
  before: nullable(typed<Record<string, unknown>>()),
  after: nullable(typed<Record<string, unknown>>()),
});
export type AuditRow = RowOf<typeof AUDIT_COLUMNS>;

export async function writeAudit(sql: Sql, by: AuditActor, entry: AuditEntry): Promise<void> {
  await sql.run(
    `
    INSERT INTO audit_log (at, actor_id, actor, action, subject, request_id, before, after)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [by.at, by.tokenId, by.name, entry.action, entry.subject, by.requestId, entry.before, entry.after],
  );
}

export interface AuditFilter {
  /** A token's id, or the actor's name. */
  actor?: string | undefined;
  subject?: string | undefined;
  action?: string | undefined;
  /** The period: `from` inclusive, `to` exclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** Default: newest first. */
  oldestFirst?: boolean;
}

/** Lists entries by (at, id). */
export function listAudit(sql: Sql, filter: AuditFilter, page: Page): Promise<AuditRow[]> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const { actor, subject, action, from, to, oldestFirst = false } = filter;
  const conditions = [
    'true',
    actor !== undefined && (isIdentifier('tok', actor) ? `actor_id = ${bind(actor)}` : `search_form(actor) = search_form(${bind(actor)})`),
    subject !== undefined && `subject = ${bind(subject)}`,
    action !== undefined && `action = ${bind(action)}`,
    from !== undefined && `at >= ${bind(from)}`,
    to !== undefined && `at < ${bind(to)}`,
  ].filter((condition) => typeof condition === 'string');
  return findPage(
    sql,
    {
      text: `SELECT ${AUDIT_COLUMNS.list} FROM audit_log WHERE ${conditions.join(' AND ')}`,
      parameters,
      sortBy: ['at', 'id'],
      oldestFirst,
    },
    page,
  );
}
