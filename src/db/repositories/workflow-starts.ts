import type { Sql } from '../database';

/**
 * How long a process may take to start the workflows of the rows that it claimed, by the database's clock. Then another process claims
 * them.
 */
const CLAIM = `clock_timestamp() + interval '15 seconds'`;

/** Claims up to `limit` orders without a known workflow, the longest waiting first. */
export function claimOrdersToStart(sql: Sql, limit: number): Promise<{ id: string }[]> {
  return sql.rows(
    `
    UPDATE orders SET workflow_claimed_until = ${CLAIM} WHERE id IN (
      SELECT id FROM orders WHERE workflow_checked_at IS NULL AND workflow_claimed_until < clock_timestamp()
       ORDER BY workflow_claimed_until LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`,
    [limit],
  );
}

/** Claims up to `limit` open quotes whose price hold has no known workflow. */
export function claimHoldsToStart(sql: Sql, limit: number): Promise<{ id: string; expires_at: Date }[]> {
  return sql.rows(
    `
    UPDATE quotes SET hold_claimed_until = ${CLAIM} WHERE id IN (
      SELECT id FROM quotes WHERE hold_started_at IS NULL AND consumed_at IS NULL AND expired_at IS NULL AND hold_claimed_until < clock_timestamp()
       ORDER BY hold_claimed_until LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, expires_at`,
    [limit],
  );
}

/** Records that the orders' workflows were started. Skips locked orders: they are claimed again, and a second start changes nothing. */
export async function markOrdersStarted(sql: Sql, ids: string[], now: Date): Promise<void> {
  await sql.run(
    `
    UPDATE orders SET workflow_checked_at = $2 WHERE id IN (
      SELECT id FROM orders WHERE id = ANY ($1) AND workflow_checked_at IS NULL ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
    [ids, now],
  );
}

export async function markHoldsStarted(sql: Sql, ids: string[], now: Date): Promise<void> {
  await sql.run(
    `
    UPDATE quotes SET hold_started_at = $2 WHERE id IN (
      SELECT id FROM quotes WHERE id = ANY ($1) AND hold_started_at IS NULL ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
    [ids, now],
  );
}
