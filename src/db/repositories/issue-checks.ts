import type { Sql } from '../database';
import type { OrderWithRelations } from '../rows';
import { ORDER_WITH_RELATIONS } from './orders';

/** An order whose issues may have changed. */
export interface OrderToReport extends OrderWithRelations {
  /** The issues that clients were notified of, as `CODE` or `CODE/line`. */
  reported_issues: string[];
  /** The number of events about issues with the order's current sequence. */
  parts: number;
}

/**
 * Takes orders whose issues may have changed, and locks them. Orders that another transaction has locked stay for the next call. Clients
 * see remakes only in their original, and erased orders send nothing.
 */
export async function takeOrdersToReport(sql: Sql, limit: number): Promise<OrderToReport[]> {
  const ids = await sql.column<string>(
    `
    WITH locked AS MATERIALIZED (
      SELECT o.id FROM orders o WHERE o.id IN (SELECT order_id FROM issue_checks ORDER BY id LIMIT $1) ORDER BY o.id FOR NO KEY UPDATE SKIP LOCKED)
    DELETE FROM issue_checks c USING locked l WHERE c.order_id = l.id RETURNING c.order_id`,
    [limit],
  );
  if (ids.length === 0) return [];
  return sql.rows(
    `
    SELECT ${ORDER_WITH_RELATIONS}, o.reported_issues,
           (SELECT COALESCE(max(e.part), 0) FROM order_events e WHERE e.order_id = o.id AND e.sequence = o.event_sequence) AS parts
      FROM orders o WHERE o.id = ANY ($1) AND o.quote_id IS NOT NULL AND o.erased_at IS NULL ORDER BY o.id`,
    [ids],
  );
}

export async function updateReportedIssues(sql: Sql, orderId: string, issues: readonly string[]): Promise<void> {
  await sql.run('UPDATE orders SET reported_issues = $2 WHERE id = $1', [orderId, issues]);
}
