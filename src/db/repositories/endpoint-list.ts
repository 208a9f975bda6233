import type { Environment } from '../../domain/limits';
import type { EndpointState } from '../../domain/webhook-rules';
import type { Sql } from '../database';
import { findPage, type Page } from '../keyset';
import { LISTED_VIEW, MAX_COUNTED, type EndpointView } from './webhook-endpoints';

export interface EndpointHealth {
  account_name: string;
  /** Null if none of the stored attempts, at most the last thousand, succeeded. */
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_error: string | null;
  /** Deliveries with attempts left; counts at most `MAX_COUNTED`. */
  pending: number;
}

const MAX_CHECKED_ATTEMPTS = 1_000;
const ATTEMPTS = `FROM webhook_attempts t WHERE t.endpoint_id = w.id`;
const PENDING = `SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.state = 'pending'`;

const LAST_SUCCESS = `(SELECT max(t.at) FROM (SELECT t.at, t.ok ${ATTEMPTS} ORDER BY t.id DESC LIMIT ${MAX_CHECKED_ATTEMPTS}) t WHERE t.ok)`;

/** The columns of `EndpointHealth`. `pending` is counted by two indexes: one for first attempts, one for retries. */
const HEALTH = `(SELECT c.name FROM accounts c WHERE c.id = w.account_id) AS account_name, ${LAST_SUCCESS} AS last_success_at,
  (SELECT t.at ${ATTEMPTS} AND NOT t.ok ORDER BY t.id DESC LIMIT 1) AS last_failure_at,
  (SELECT t.error_code ${ATTEMPTS} AND NOT t.ok ORDER BY t.id DESC LIMIT 1) AS last_error,
  (SELECT count(*)::int FROM (
     SELECT 1 FROM (${PENDING} AND d.attempts = 0) f UNION ALL (${PENDING} AND d.attempts > 0) LIMIT ${MAX_COUNTED}) c) AS pending`;

const hasDelivery = (state: string): string =>
  `EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.state = '${state}')`;

/**
 * SQL over `webhook_endpoints w`: the endpoint is disabled, its last chain of attempts failed, or deliveries are waiting or failed and none
 * has succeeded since.
 */
const FAILING = `(w.state = 'disabled' OR EXISTS (SELECT FROM webhook_endpoint_health h WHERE h.endpoint_id = w.id AND h.consecutive_failures > 0)
  OR ${hasDelivery('held')} OR (EXISTS (SELECT ${ATTEMPTS} AND NOT t.ok) AND ${hasDelivery('pending')})
  OR (NOT (SELECT t.ok ${ATTEMPTS} ORDER BY t.id DESC LIMIT 1) AND (${hasDelivery('failed')} OR ${LAST_SUCCESS} IS NULL)))`;

export interface EndpointFilter {
  /** Default: both. */
  environment?: Environment | undefined;
  accountId?: string | undefined;
  state?: EndpointState | undefined;
  /** Only endpoints that do not receive their events. */
  failing?: boolean;
}

/** Undeleted endpoints of one account or all, newest first by (created_at, id). */
export function listAllEndpoints(
  sql: Sql,
  { environment, accountId, state, failing = false }: EndpointFilter,
  page: Page,
): Promise<(EndpointView & EndpointHealth)[]> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = [
    'w.deleted_at IS NULL',
    environment !== undefined && `w.environment = ${bind(environment)}`,
    accountId !== undefined && `w.account_id = ${bind(accountId)}`,
    state !== undefined && `w.state = ${bind(state)}`,
    failing && FAILING,
  ].filter((condition) => typeof condition === 'string');
  const text = `SELECT ${LISTED_VIEW}, ${HEALTH} FROM webhook_endpoints w WHERE ${conditions.join(' AND ')}`;
  return findPage(sql, { text, parameters, sortBy: ['w.created_at', 'w.id'] }, page);
}
