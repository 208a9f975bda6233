import type { Sql } from '../database';

/** How long a process has, by the database's clock, to start the workflows of rows it claimed, before another may. */
const CLAIM = `clock_timestamp() + interval '15 seconds'`;

/** Takes up to `limit` orders whose workflow nobody is known to have started, the longest waiting first. */
export function claimOrdersToStart(sql: Sql, limit: number): Promise<{ id: string }[]> {
  return sql.rows(
    `
    UPDATE orders SET workflow_claimed_until = ${CLAIM} WHERE id IN (
      SELECT id FROM orders WHERE workflow_seen_at IS NULL AND workflow_claimed_until < clock_timestamp()
       ORDER BY workflow_claimed_until LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`,
    [limit],
  );
}

/** Takes up to `limit` open quotes whose hold nobody is known to have started. */
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

/** One that is locked just now is left to be found again: starting it twice changes nothing. */
export async function markOrdersStarted(sql: Sql, ids: string[], now: Date): Promise<void> {
  await sql.run(
    `
    UPDATE orders SET workflow_seen_at = $2 WHERE id IN (
      SELECT id FROM orders WHERE id = ANY ($1) AND workflow_seen_at IS NULL ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
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
