import type { AttentionCode } from '../../domain/attention';
import type { Environment } from '../../domain/limits';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/order-status';
import type { Sql } from '../database';
import { TO_BE_SHIPPED } from './order-list';

/** Larger counts are cut off: the board refreshes every second, and completed orders only increase. */
export const MAX_COUNTED = 10_000;

export interface OrderCounts {
  byStatus: { status: OrderStatus; orders: number }[];
  late: number;
  attention: number;
}

interface OrderCountScope {
  environment: Environment;
  /** Attention codes that count; null means all. */
  codes: readonly AttentionCode[] | null;
  /** The studio's date, `YYYY-MM-DD`. */
  today: string;
}

/** Counts all present orders, each kind by an index. */
export async function countOrders(sql: Sql, { environment, codes, today }: OrderCountScope): Promise<OrderCounts> {
  const row = await sql.row<Omit<OrderCounts, 'byStatus'>>(
    `
    SELECT (SELECT count(*)::int FROM (
              SELECT FROM orders o WHERE o.environment = $1 AND ${TO_BE_SHIPPED} AND o.due_date < $2 LIMIT ${MAX_COUNTED}) l) AS late,
           (SELECT count(*)::int FROM (
              SELECT DISTINCT a.order_id FROM order_attention a WHERE a.environment = $1 AND a.cleared_at IS NULL
                  AND ($3::text[] IS NULL OR a.code = ANY ($3)) LIMIT ${MAX_COUNTED}) a) AS attention`,
    [environment, today, codes],
  );
  return { byStatus: await countByStatus(sql, environment), late: row?.late ?? 0, attention: row?.attention ?? 0 };
}

function countByStatus(sql: Sql, environment: Environment): Promise<OrderCounts['byStatus']> {
  return sql.rows(
    `
    SELECT s.status, c.orders FROM unnest($2::text[]) s (status)
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS orders FROM (
         SELECT FROM orders o WHERE o.environment = $1 AND o.status = s.status LIMIT ${MAX_COUNTED}) n) c`,
    [environment, ORDER_STATUSES],
  );
}
