import { FAILING_AFTER_ATTEMPTS, FAILING_AFTER_MS } from '../../domain/webhook-rules';
import type { Sql } from '../database';

export interface EndpointFailures {
  consecutive_failures: number;
  /** When the endpoint was marked as failing; else null. A success clears it. */
  failing_since: Date | null;
  failing_mailed_at: Date | null;
  last_status: number | null;
  last_error: string | null;
}

export function findEndpointFailures(sql: Sql, endpointId: string): Promise<EndpointFailures | null> {
  return sql.row(
    `
    SELECT h.consecutive_failures, h.failing_since, h.failing_mailed_at, a.status AS last_status, a.error_code AS last_error
      FROM webhook_endpoint_health h
      LEFT JOIN LATERAL (
        SELECT status, error_code FROM webhook_attempts t WHERE t.endpoint_id = h.endpoint_id AND t.trigger <> 'ping' ORDER BY t.id DESC LIMIT 1) a ON true
     WHERE h.endpoint_id = $1`,
    [endpointId],
  );
}

/** Live, enabled endpoints. Only these cause mails. */
const ALERTED_ENDPOINTS = `w.environment = 'live' AND w.state = 'enabled' AND w.deleted_at IS NULL`;

/**
 * Marks endpoints as failing if at least five attempts in an hour have all failed (ruling 65). Attempts at an older URL or before the
 * endpoint was enabled do not count.
 * @returns their ids
 */
export function markFailingEndpoints(sql: Sql, now: Date): Promise<string[]> {
  return sql.column(
    `
    WITH endpoints_with_failure AS MATERIALIZED (
      SELECT w.id, w.updated_at FROM webhook_endpoints w JOIN webhook_endpoint_health h ON h.endpoint_id = w.id
       WHERE ${ALERTED_ENDPOINTS} AND h.failing_since IS NULL
         AND NOT (SELECT a.ok FROM webhook_attempts a WHERE a.endpoint_id = w.id AND a.trigger <> 'ping' ORDER BY a.id DESC LIMIT 1))
    UPDATE webhook_endpoint_health h SET failing_since = $1 FROM endpoints_with_failure f
     CROSS JOIN LATERAL (
       SELECT count(*) AS attempts, min(a.at) AS since FROM webhook_attempts a
        WHERE a.endpoint_id = f.id AND a.trigger <> 'ping' AND a.at >= f.updated_at
          AND a.id > COALESCE((SELECT g.id FROM webhook_attempts g WHERE g.endpoint_id = f.id AND g.ok AND g.trigger <> 'ping' ORDER BY g.id DESC LIMIT 1), 0)) t
     WHERE h.endpoint_id = f.id AND h.failing_since IS NULL AND t.attempts >= $2 AND t.since <= $3 RETURNING h.endpoint_id`,
    [now, FAILING_AFTER_ATTEMPTS, new Date(now.getTime() - FAILING_AFTER_MS)],
  );
}

/** Endpoints marked as failing before `foundBefore` whose alert has not been sent. */
export function findEndpointsToAlert(sql: Sql, foundBefore: Date): Promise<string[]> {
  return sql.column(
    `
    SELECT w.id FROM webhook_endpoint_health h JOIN webhook_endpoints w ON w.id = h.endpoint_id
     WHERE h.failing_since < $1 AND h.failing_mailed_at IS NULL AND ${ALERTED_ENDPOINTS} ORDER BY h.failing_since, w.id`,
    [foundBefore],
  );
}

/** Marks the alert as sent if the endpoint has been failing since that time. */
export async function markAlerted(sql: Sql, endpointId: string, failingSince: Date, now: Date): Promise<void> {
  await sql.run('UPDATE webhook_endpoint_health SET failing_mailed_at = $3 WHERE endpoint_id = $1 AND failing_since = $2', [
    endpointId,
    failingSince,
    now,
  ]);
}
