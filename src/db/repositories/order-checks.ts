import type { Sql } from '../database';

export interface OrderToCheck {
  id: string;
  version: number;
  settled_at: Date | null;
  /** When the order's workflow was last known to run. */
  workflow_checked_at: Date;
}

/**
 * Finds up to `limit` orders that are open or settled since their last check, and whose workflow was last checked before `before`, the oldest
 * check first.
 */
export function findOrdersToCheck(sql: Sql, before: Date, limit: number): Promise<OrderToCheck[]> {
  return sql.rows(
    `SELECT id, version, settled_at, workflow_checked_at FROM orders
      WHERE (settled_at IS NULL OR settled_at >= workflow_checked_at) AND workflow_checked_at < $1 ORDER BY workflow_checked_at LIMIT $2`,
    [before, limit],
  );
}

/** Moves the orders to the end of the queue. Skips a locked order, because its workflow is working on it. */
export async function markChecked(sql: Sql, ids: string[], now: Date): Promise<void> {
  await sql.run(
    `
    UPDATE orders SET workflow_checked_at = $2 WHERE id IN (
      SELECT id FROM orders WHERE id = ANY ($1) AND workflow_checked_at < $2 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
    [ids, now],
  );
}
