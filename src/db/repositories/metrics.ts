import type { Sql } from '../database';
import { INSPECTION_DUE } from './inspections';
import { STUDIO_STATUS } from './order-list';

/** Counts and ages of stored work, for the metrics. Ages are in seconds; null if there is none. */
export interface StoredMetrics {
  orders: { environment: string; status: string; count: number }[];
  ordersWithoutWorkflow: { count: number; oldestSeconds: number | null };
  deliveries: { state: string; count: number }[];
  oldestPendingSeconds: number | null;
  /** Endpoints with a delivery that waits for another attempt. */
  retryingEndpoints: number;
  failingEndpoints: number;
  attention: { environment: string; code: string; count: number; oldestSeconds: number }[];
  inspections: { count: number; oldestSeconds: number | null };
  longestLockWaitSeconds: number | null;
  /** Age of the last recorded backup. */
  backupSeconds: number | null;
}

const ageOf = (time: string): string => `extract(epoch FROM clock_timestamp() - ${time})::float8`;
const rows = (query: string): string => `(SELECT COALESCE(jsonb_agg(to_jsonb(r)), '[]') FROM (${query}) r)`;

/** `pending` deliveries wait for their first attempt, `retrying` ones for another. Counts read partial indexes, except the count of orders. */
export function readStoredMetrics(sql: Sql): Promise<StoredMetrics> {
  return sql.one(`
    SELECT ${rows(`SELECT o.environment, ${STUDIO_STATUS} AS status, count(*)::int AS count FROM orders o GROUP BY 1, 2`)} AS orders,
      (SELECT jsonb_build_object('count', count(*), 'oldestSeconds', ${ageOf('min(created_at)')})
         FROM orders WHERE workflow_checked_at IS NULL) AS "ordersWithoutWorkflow",
      ${rows(`
        SELECT 'pending' AS state, count(*)::int AS count FROM webhook_deliveries WHERE state = 'pending' AND attempts = 0
        UNION ALL SELECT 'retrying', count(*)::int FROM webhook_deliveries WHERE state = 'pending' AND attempts > 0
        UNION ALL SELECT 'failed', count(*)::int FROM webhook_deliveries WHERE state = 'failed'
        UNION ALL SELECT 'held', count(*)::int FROM webhook_deliveries WHERE state = 'held'`)} AS deliveries,
      (SELECT ${ageOf('min(next_attempt_at)')} FROM webhook_deliveries WHERE state = 'pending' AND attempts = 0) AS "oldestPendingSeconds",
      (SELECT count(DISTINCT endpoint_id)::int FROM webhook_deliveries WHERE state = 'pending' AND attempts > 0) AS "retryingEndpoints",
      (SELECT count(*)::int FROM webhook_endpoint_health h JOIN webhook_endpoints w ON w.id = h.endpoint_id
        WHERE h.failing_since IS NOT NULL AND w.deleted_at IS NULL) AS "failingEndpoints",
      ${rows(`
        SELECT environment, code, count(*)::int AS count, ${ageOf('min(raised_at)')} AS "oldestSeconds"
          FROM order_attention WHERE cleared_at IS NULL GROUP BY 1, 2`)} AS attention,
      (SELECT jsonb_build_object('count', count(*), 'oldestSeconds', ${ageOf('min(inspect_at)')})
         FROM uploads WHERE ${INSPECTION_DUE}) AS inspections,
      (SELECT ${ageOf('min(state_change)')} FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock') AS "longestLockWaitSeconds",
      (SELECT ${ageOf('max(finished_at)')} FROM backups) AS "backupSeconds"`);
}
