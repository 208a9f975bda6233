import { ERASED } from '../../domain/personal-data';
import type { SendState, SentDocument } from '../../domain/sends';
import type { Sql } from '../database';
import { findPage, type Page } from '../keyset';
import { insertRow } from '../insert-row';
import { SEND_COLUMNS, type SendRow } from '../rows';
import { BILLING_EMAIL } from './accounts';

/** A mail with the names of its account and document. */
export interface NamedSend extends SendRow {
  account_name: string;
  order_number: string | null;
  /** The number of the invoice or credit note; null for other documents. */
  document_number: string | null;
}

const NAMED_SEND = `${SEND_COLUMNS.of('s')}, a.name AS account_name, o.order_number,
  COALESCE(n.credit_note_number, i.invoice_number) AS document_number`;
const TABLES = `sends s JOIN accounts a ON a.id = s.account_id LEFT JOIN orders o ON o.id = s.order_id
  LEFT JOIN invoices i ON i.id = s.invoice_id LEFT JOIN credit_notes n ON n.id = s.credit_note_id`;

export function findSend(sql: Sql, id: string): Promise<NamedSend | null> {
  return sql.row(`SELECT ${NAMED_SEND} FROM ${TABLES} WHERE s.id = $1`, [id]);
}

export function findSendByKey(sql: Sql, accountId: string, key: string): Promise<NamedSend | null> {
  return sql.row(`SELECT ${NAMED_SEND} FROM ${TABLES} WHERE s.account_id = $1 AND s.key = $2`, [accountId, key]);
}

/** The mails about an order, oldest first. `condition` is SQL over the order, aliased `o`, with $1. */
export function findSendsOfOrder(sql: Sql, condition: string, value: string): Promise<NamedSend[]> {
  return sql.rows(`SELECT ${NAMED_SEND} FROM ${TABLES} WHERE ${condition} AND s.document <> 'reminder' ORDER BY s.created_at, s.id`, [
    value,
  ]);
}

export interface SendFilter {
  accountId: string | null;
  runId: string | null;
  document: SentDocument | null;
  state: SendState | null;
}

/** Lists the newest first. */
export function listSends(sql: Sql, { accountId, runId, document, state }: SendFilter, page: Page): Promise<NamedSend[]> {
  const text = `SELECT ${NAMED_SEND} FROM ${TABLES} WHERE ($1::text IS NULL OR s.account_id = $1)
     AND ($2::text IS NULL OR s.document = $2) AND ($3::text IS NULL OR s.state = $3) AND ($4::text IS NULL OR s.run_id = $4)`;
  return findPage(sql, { text, parameters: [accountId, document, state, runId], sortBy: ['s.created_at', 's.id'] }, page);
}

/** The columns that not every mail has. */
export const NO_SEND_REFERENCES = {
  order_id: null,
  invoice_id: null,
  credit_note_id: null,
  run_id: null,
  period_from: null,
  period_to: null,
  step: null,
};

/** Waits for transactions that insert the same key. @returns false if the account has a mail with this key; nothing is written then */
export async function insertSend(sql: Sql, send: SendRow): Promise<boolean> {
  return (await insertRow(sql, 'sends', SEND_COLUMNS.names, send, 'ON CONFLICT (account_id, key) DO NOTHING RETURNING id')) !== null;
}

/** The creation times of the token's last `limit` requests since a time, oldest first. Locks the token, so that no two requests count at once. */
export async function lockRecentSends(sql: Sql, tokenId: string, since: Date, limit: number): Promise<Date[]> {
  await sql.run('SELECT id FROM studio_tokens WHERE id = $1 FOR NO KEY UPDATE', [tokenId]);
  const times = await sql.column<Date>(
    'SELECT created_at FROM sends WHERE token_id = $1 AND created_at > $2 ORDER BY created_at DESC LIMIT $3',
    [tokenId, since, limit],
  );
  return times.toReversed();
}

export interface Claim {
  claimed_until: Date;
  recipient: string;
}

/**
 * Claims a pending mail of no paused run, so that two workflows or a late attempt do not send it at the same time. The claim of a process that died ends after
 * four minutes. Reminders and the mails of a run go to the account's present billing address.
 * @returns null if another attempt has it
 */
export function claimSend(sql: Sql, id: string): Promise<Claim | null> {
  return sql.row(
    `
    UPDATE sends s SET claimed_until = clock_timestamp() + interval '4 minutes',
      recipient = CASE WHEN s.run_id IS NULL AND s.document <> 'reminder' THEN s.recipient
                       ELSE (SELECT ${BILLING_EMAIL} FROM accounts a WHERE a.id = s.account_id) END
     WHERE id = $1 AND state = 'pending' AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
       AND NOT EXISTS (SELECT 1 FROM statement_runs r WHERE r.id = s.run_id AND r.state = 'paused') RETURNING claimed_until, recipient`,
    [id],
  );
}

/** Whether the mail is still to be sent. */
export const isPending = (sql: Sql, id: string): Promise<boolean> =>
  sql.exists(`SELECT 1 FROM sends WHERE id = $1 AND state = 'pending'`, [id]);

/** Ends this claim, and not that of another attempt. */
export async function releaseSend(sql: Sql, id: string, { claimed_until: until }: Claim): Promise<void> {
  await sql.run('UPDATE sends SET claimed_until = NULL WHERE id = $1 AND claimed_until = $2', [id, until]);
}

/** Records the end of a pending mail. @returns false if it has ended before */
export function endSend(sql: Sql, id: string, state: SendState, failure: string | null, now: Date): Promise<boolean> {
  return sql.exists(`UPDATE sends SET state = $2, failure = $3, ended_at = $4 WHERE id = $1 AND state = 'pending' RETURNING id`, [
    id,
    state,
    failure,
    now,
  ]);
}

/** The order of the account's newest live invoice; null without one. */
export function findNewestOrder(sql: Sql, accountId: string): Promise<string | null> {
  return sql.value(
    `SELECT (SELECT order_id FROM invoices WHERE account_id = $1 AND environment = 'live' ORDER BY issued_at DESC, id DESC LIMIT 1)`,
    [accountId],
  );
}

/** Pending mails from before `before`, oldest first. Their workflow may be lost. A run sends its own within a day. */
export function findPendingSends(sql: Sql, before: Date, limit: number): Promise<string[]> {
  return sql.column(
    `
    SELECT id FROM sends s WHERE state = 'pending' AND created_at < $1
       AND NOT EXISTS (SELECT 1 FROM statement_runs r WHERE r.id = s.run_id AND (r.state = 'paused' OR s.created_at > $1::timestamptz - interval '1 day'))
     ORDER BY created_at LIMIT $2`,
    [before, limit],
  );
}

/** Erases recipients and texts of the account's mails from before `before`. A pending one is not sent. @returns the ids of some erased mails */
export function eraseSends(sql: Sql, accountId: string, before: Date, now: Date, limit: number): Promise<string[]> {
  return sql.column(
    `
    UPDATE sends SET recipient = '${ERASED}', subject = '${ERASED}', message = '${ERASED}',
      failure = CASE WHEN failure IS NOT NULL THEN '${ERASED}' END,
      state = CASE state WHEN 'pending' THEN 'skipped' ELSE state END, ended_at = COALESCE(ended_at, $3), erased_at = $3
     WHERE id IN (SELECT id FROM sends WHERE account_id = $1 AND created_at < $2 AND erased_at IS NULL ORDER BY id LIMIT $4 FOR UPDATE)
    RETURNING id`,
    [accountId, before, now, limit],
  );
}

/** Erases the mail server's replies from the attention about these mails. They can name the recipient. */
export async function eraseRefusals(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.run(`UPDATE order_attention SET message = '${ERASED}' WHERE code = 'MAIL_REFUSED' AND subject = ANY ($1)`, [ids]);
}
