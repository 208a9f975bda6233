import type { Environment } from '../../domain/limits';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/order-status';
import type { DeliveryState } from '../../domain/webhook-rules';
import type { Sql } from '../database';
import { STUDIO_STATUS, TO_BE_SHIPPED } from './order-list';

/** Whole days in the studio's time zone, both inclusive. */
export interface StatsPeriod {
  environment: Environment;
  /** `YYYY-MM-DD`. */
  from: string;
  to: string;
  timeZone: string;
}

/** Orders placed on a day, by current status. Remakes do not count. */
export interface DayCount {
  day: string;
  status: OrderStatus;
  orders: number;
  /** Excludes cancelled orders, even those with a shipped parcel. */
  revenue_cents: number;
}

/** Maximum of counted deliveries. */
export const MAX_COUNTED_DELIVERIES = 20_000;

/** SQL: the start of day $2, or of the day after $3, in the time zone $4. */
const PERIOD_START = `($2::date::timestamp AT TIME ZONE $4)`;
const PERIOD_END = `(($3::date + 1)::timestamp AT TIME ZONE $4)`;

/** One query per day and status, from the index alone. */
export function countByDay(sql: Sql, { environment, from, to, timeZone }: StatsPeriod): Promise<DayCount[]> {
  return sql.rows(
    `
    SELECT d.day, s.status, c.orders, c.revenue_cents
      FROM (SELECT to_char(day, 'YYYY-MM-DD') AS day, day::timestamp AT TIME ZONE $4 AS begins, (day::timestamp + interval '1 day') AT TIME ZONE $4 AS ends
              FROM generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') day) d
     CROSS JOIN unnest($5::text[]) s (status)
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS orders, COALESCE(SUM(o.total_cents) FILTER (WHERE o.base_status <> 'cancelled'), 0)::bigint AS revenue_cents FROM orders o
        WHERE o.environment = $1 AND ${STUDIO_STATUS} = s.status AND o.quote_id IS NOT NULL AND o.created_at >= d.begins AND o.created_at < d.ends) c
     ORDER BY d.day`,
    [environment, from, to, timeZone, ORDER_STATUSES],
  );
}

/** Orders to be shipped that were due before `today`. */
export function countLate(sql: Sql, environment: Environment, today: string): Promise<number> {
  return sql.value(`SELECT count(*)::int AS late FROM orders o WHERE o.environment = $1 AND ${TO_BE_SHIPPED} AND o.due_date < $2`, [
    environment,
    today,
  ]);
}

/** Counts the newest deliveries of the period and environment. */
export function countDeliveries(
  sql: Sql,
  { environment, from, to, timeZone }: StatsPeriod,
): Promise<{ state: DeliveryState; deliveries: number }[]> {
  return sql.rows(
    `
    SELECT d.state, count(*)::int AS deliveries
      FROM (SELECT d.state FROM webhook_deliveries d WHERE d.environment = $1 AND d.created_at >= ${PERIOD_START} AND d.created_at < ${PERIOD_END}
             ORDER BY d.created_at DESC, d.id DESC LIMIT ${MAX_COUNTED_DELIVERIES}) d
     GROUP BY d.state`,
    [environment, from, to, timeZone],
  );
}
