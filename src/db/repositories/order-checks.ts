import type { Sql } from '../database';

export interface OrderToCheck {
  id: string;
  /** When somebody last knew that its workflow runs. */
  workflow_seen_at: Date;
}

/** Up to `limit` open orders whose workflow nobody has seen since `before`, the longest unseen first. */
export function findOrdersToCheck(sql: Sql, before: Date, limit: number): Promise<OrderToCheck[]> {
  return sql.rows(
    `SELECT id, workflow_seen_at FROM orders
      WHERE settled_at IS NULL AND workflow_seen_at < $1 ORDER BY workflow_seen_at LIMIT $2`,
    [before, limit],
  );
}

/** They go to the end of the line. One that is locked just now is in the hands of its workflow, and is looked at once more. */
export async function markChecked(sql: Sql, ids: string[], now: Date): Promise<void> {
  await sql.run(
    `
    UPDATE orders SET workflow_seen_at = $2 WHERE id IN (
      SELECT id FROM orders WHERE id = ANY ($1) AND workflow_seen_at < $2 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
    [ids, now],
  );
}
