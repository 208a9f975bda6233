import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';

export interface Admission {
  verdict: 'ok' | 'unauthorized' | 'throttled' | 'unknown_route' | 'forbidden' | 'limited';
  retry_after: number;
  /** The caller's key; null, like account and environment, if the key is invalid. */
  key_id: string;
  account_id: string;
  environment: Environment;
  /** No key has this hash. */
  is_unknown_key: boolean;
}

export interface AdmissionRequest {
  keyHash: Buffer;
  source: string;
  /** Null if no route matches. Then only the key is checked. */
  endpoint: { name: string; scope: string; perMinute: number } | null;
  /** Failed authentications per minute that one source may have; a whole number. */
  failuresPerMinute: number;
}

/**
 * Checks key, account, scope and rate limit in one statement (specification "Authentication"). The statement commits at once, because an
 * open transaction would lock the rate limit's row for other requests.
 */
export function admit(sql: Sql, { keyHash, source, endpoint, failuresPerMinute }: AdmissionRequest): Promise<Admission> {
  return sql.one(
    `SELECT verdict, retry_after, key_id, account_id, environment, is_unknown_key FROM admit_request($1, $2, $3, $4, $5, $6)`,
    [keyHash, source, endpoint?.name ?? null, endpoint?.scope ?? null, endpoint?.perMinute ?? null, Math.trunc(failuresPerMinute)],
  );
}

/** Counts the failed authentication of a source. Returns the seconds to wait, or 0. */
export const countFailedAuthentication = (sql: Sql, source: string, failuresPerMinute: number): Promise<number> =>
  consumeRateLimit(sql, `source:${source}`, 'authentication', Math.trunc(failuresPerMinute));

/** Removes the latest request from the count, because a request that is refused for overload does not count. */
export function removeLatestHit(sql: Sql, subject: string, endpoint: string): Promise<void> {
  return sql.run('UPDATE rate_windows SET hits = trim_array(hits, 1) WHERE subject = $1 AND endpoint = $2 AND cardinality(hits) > 0', [
    subject,
    endpoint,
  ]);
}

/** Counts requests against a rate limit. Returns 0 if all are within the limit, otherwise the seconds to wait; then none is counted. */
export function consumeRateLimit(sql: Sql, subject: string, endpoint: string, limit: number, requests = 1): Promise<number> {
  return sql.value('SELECT admit_hit($1, $2, $3, $4)', [subject, endpoint, limit, requests]);
}
