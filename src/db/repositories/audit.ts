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
  /** The badge of the person at a station. */
  badgeId?: string | null;
  requestId: string;
}

export const AUDIT_COLUMNS = columns('audit_log', {
  id: integer,
  at: time,
  actor_id: text,
  actor: text,
  badge_id: nullable(text),
  action: text,
  subject: text,
  request_id: text,
  before: nullable(typed<Record<string, unknown>>()),
  after: nullable(typed<Record<string, unknown>>()),
});
/** The name of the subject now: an order number, an account, key or token name, the URL of an endpoint, the event of a webhook. */
export type AuditRow = RowOf<typeof AUDIT_COLUMNS> & { subject_name: string | null };

const SUBJECT_NAME = `
  CASE left(subject, 4)
    WHEN 'ord_' THEN (SELECT order_number FROM orders WHERE id = subject)
    WHEN 'acc_' THEN (SELECT name FROM accounts WHERE id = subject)
    WHEN 'key_' THEN (SELECT name FROM api_keys WHERE id = subject)
    WHEN 'tok_' THEN (SELECT name FROM studio_tokens WHERE id = subject)
    WHEN 'bdg_' THEN (SELECT name FROM badges WHERE id = subject)
    WHEN 'whe_' THEN (SELECT url FROM webhook_endpoints WHERE id = subject)
    WHEN 'dlv_' THEN (SELECT e.type || ' of ' || o.order_number FROM webhook_deliveries d
      JOIN order_events e ON e.id = d.event_id JOIN orders o ON o.id = e.order_id WHERE d.id = subject)
    ELSE (SELECT COALESCE(content->>'name', content->>'label') FROM catalogue_rows
      WHERE section = split_part(subject, '/', 1) AND id = split_part(subject, '/', 2))
  END`;

export async function writeAudit(sql: Sql, by: AuditActor, entry: AuditEntry): Promise<void> {
  await sql.run(
    `
    INSERT INTO audit_log (at, actor_id, actor, badge_id, action, subject, request_id, before, after)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [by.at, by.tokenId, by.name, by.badgeId ?? null, entry.action, entry.subject, by.requestId, entry.before, entry.after],
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
      text: `SELECT ${AUDIT_COLUMNS.list}, (${SUBJECT_NAME}) AS subject_name FROM audit_log WHERE ${conditions.join(' AND ')}`,
      parameters,
      sortBy: ['at', 'id'],
      oldestFirst,
    },
    page,
  );
}
