import type { Sql } from '../database';

/**
 * How long a process may take to start the workflows of the rows that it claimed, by the database's clock. Then another process claims
 * them.
 */
const CLAIM = `clock_timestamp() + interval '15 seconds'`;

/** Claims up to `limit` orders without a known workflow, the longest waiting first. */
export function claimOrdersToStart(sql: Sql, limit: number): Promise<string[]> {
  return sql.column(
    `
    UPDATE orders SET workflow_claimed_until = ${CLAIM} WHERE id IN (
      SELECT id FROM orders WHERE workflow_checked_at IS NULL AND workflow_claimed_until < clock_timestamp()
       ORDER BY workflow_claimed_until LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`,
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
