import { rows, type Sql } from '../data-source';

export interface TimelineRow {
  milestone_id: string;
  type: string;
  outcome: 'applied' | 'refused';
  reason: string | null;
  /** JSON text of the message; a refused one may be cut short. */
  content: string;
  actor: string;
  occurred_at: Date;
  created_at: Date;
}

/** What happened to an order and what was refused, oldest first. */
export function orderTimeline(sql: Sql, orderId: string): Promise<TimelineRow[]> {
  return rows(sql, `SELECT milestone_id, type, outcome, reason, content, actor, occurred_at, created_at
     FROM order_timeline WHERE order_id = $1 ORDER BY id`, [orderId]);
}
