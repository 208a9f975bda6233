import type { SendState, StatementRunState } from '../../domain/sends';
import type { Sql } from '../database';
import { insertRow } from '../insert-row';
import { findPage, type Page } from '../keyset';
import { BILLING_EMAIL } from './accounts';
import { SEND_COLUMNS, STATEMENT_RUN_COLUMNS, type SendRow, type StatementRunRow } from '../rows';

/** A run with the number of its mails in each state. */
export type CountedRun = StatementRunRow & Record<SendState, number>;

const COUNTED_RUN = `${STATEMENT_RUN_COLUMNS.of('r')}, c.* FROM statement_runs r CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE s.state = 'pending')::int AS pending, count(*) FILTER (WHERE s.state = 'sent')::int AS sent,
         count(*) FILTER (WHERE s.state = 'refused')::int AS refused, count(*) FILTER (WHERE s.state = 'skipped')::int AS skipped
    FROM sends s WHERE s.run_id = r.id) c`;

export function findRun(sql: Sql, id: string): Promise<CountedRun | null> {
  return sql.row(`SELECT ${COUNTED_RUN} WHERE r.id = $1`, [id]);
}

export function findRunBySenderId(sql: Sql, senderId: string): Promise<CountedRun | null> {
  return sql.row(`SELECT ${COUNTED_RUN} WHERE r.sender_id = $1`, [senderId]);
}

/** Lists the newest first. */
export function listRuns(sql: Sql, page: Page): Promise<CountedRun[]> {
  return findPage(sql, { text: `SELECT ${COUNTED_RUN} WHERE true`, sortBy: ['r.created_at', 'r.id'] }, page);
}

/** Waits for transactions that insert the same sender's id. @returns false if it is taken; nothing is written then */
export async function insertRun(sql: Sql, run: StatementRunRow): Promise<boolean> {
  const suffix = 'ON CONFLICT (sender_id) DO NOTHING RETURNING id';
  return (await insertRow(sql, 'statement_runs', STATEMENT_RUN_COLUMNS.names, run, suffix)) !== null;
}

/** The accounts whose live orders have an outstanding amount or credit. */
export function findAccountsWithBalance(sql: Sql): Promise<{ account_id: string; account_name: string; recipient: string }[]> {
  return sql.rows(`
    SELECT a.id AS account_id, a.name AS account_name, ${BILLING_EMAIL} AS recipient
      FROM account_balances b JOIN accounts a ON a.id = b.account_id
     WHERE b.environment = 'live' AND (b.outstanding_cents <> 0 OR b.credit_cents <> 0) ORDER BY a.id`);
}

/** Inserts the mails of a run in one statement. */
export async function insertSends(sql: Sql, sends: readonly SendRow[]): Promise<void> {
  await sql.run(
    `INSERT INTO sends (${SEND_COLUMNS.list}) SELECT ${SEND_COLUMNS.list} FROM jsonb_populate_recordset(NULL::sends, $1::jsonb)`,
    [JSON.stringify(sends)],
  );
}

/** Changes the state of a run. @returns false if it does not have the state `from` */
export function changeRunState(sql: Sql, id: string, from: StatementRunState, to: StatementRunState, now: Date): Promise<boolean> {
  return sql.exists(
    `UPDATE statement_runs SET state = $3, ended_at = CASE WHEN $3 = 'completed' THEN $4::timestamptz END WHERE id = $1 AND state = $2 RETURNING id`,
    [id, from, to, now],
  );
}

/** Completes a running run without pending mails. @returns false if it is paused, or mails are pending */
export const completeRun = (sql: Sql, id: string, now: Date): Promise<boolean> =>
  sql.exists(
    `UPDATE statement_runs r SET state = 'completed', ended_at = $2
      WHERE id = $1 AND state = 'running' AND NOT EXISTS (SELECT 1 FROM sends s WHERE s.run_id = r.id AND s.state = 'pending') RETURNING id`,
    [id, now],
  );

/** The ids of the run's pending mails after an id. */
export function findPendingOfRun(sql: Sql, runId: string, after: string, limit: number): Promise<string[]> {
  return sql.column(`SELECT id FROM sends WHERE run_id = $1 AND id > $2 AND state = 'pending' ORDER BY id LIMIT $3`, [runId, after, limit]);
}

/** Running runs from before a time. Their workflow may be lost. */
export function findRunningRuns(sql: Sql, before: Date): Promise<string[]> {
  return sql.column(`SELECT id FROM statement_runs WHERE state = 'running' AND created_at < $1`, [before]);
}
