import type { AttentionCode } from '../../domain/attention';
import type { Environment } from '../../domain/limits';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/order-status';
import type { Sql } from '../database';
import { STUDIO_STATUS, TO_BE_SHIPPED } from './order-list';

/** Counts stop at this number, because the board refreshes every second and the number of completed orders only grows. */
export const MAX_COUNTED = 10_000;

interface StatusCount {
  status: OrderStatus;
  orders: number;
}

export interface OrderCounts {
  byStatus: StatusCount[];
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

/** Counts the orders by status, the late ones and those with attention. Each count uses an index. */
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
  return { byStatus: await countByStatus(sql, environment, ORDER_STATUSES), late: row?.late ?? 0, attention: row?.attention ?? 0 };
}

/** A condition on a constant status, so that the planner knows a rare one and reads it by the index. */
export function countByStatus(sql: Sql, environment: Environment, statuses: readonly OrderStatus[]): Promise<StatusCount[]> {
  const counts = statuses.map(
    (status) => `
    SELECT '${status}' AS status, count(*)::int AS orders FROM (
      SELECT FROM orders o WHERE o.environment = $1 AND ${STUDIO_STATUS} = '${status}' LIMIT ${MAX_COUNTED}) n`,
  );
  return sql.rows(counts.join(' UNION ALL '), [environment]);
}

export interface DueCount {
  /** `YYYY-MM-DD`. */
  day: string;
  orders: number;
}

/** Counts the orders to be shipped that are due on each day from `from` to `to`, both inclusive, with the index `orders_due`. */
export function countDueByDay(sql: Sql, environment: Environment, from: string, to: string): Promise<DueCount[]> {
  return sql.rows(
    `
    SELECT d.day, c.orders
      FROM (SELECT to_char(day, 'YYYY-MM-DD') AS day FROM generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') day) d
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS orders FROM (
         SELECT FROM orders o WHERE o.environment = $1 AND ${TO_BE_SHIPPED} AND o.due_date = d.day LIMIT ${MAX_COUNTED}) n) c
     ORDER BY d.day`,
    [environment, from, to],
  );
}
