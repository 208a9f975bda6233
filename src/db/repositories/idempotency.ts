import { LIMITS } from '../../domain/limits';
import { row, type Sql } from '../data-source';
import type { IdempotencyRow } from '../rows';

export interface Claim {
  id: string;
  accountId: string;
  key: string;
  fingerprint: string;
  specialInstructions: string | null;
}

const COLUMNS = 'id, account_id, idempotency_key, fingerprint, special_instructions, state, claimed_until, order_id, response_status, response_body';

/** A claim left by a dead process, or a finished record past its lifetime, at the moment of this parameter. */
const lapsed = (at: string): string => `((r.state = 'claimed' AND r.claimed_until <= ${at}) OR (r.state = 'finished' AND r.expires_at <= ${at}))`;

/**
 * Claims an idempotency key, or answers the record that holds it. A finished record older than its lifetime and a claim
 * left by a dead process are taken over; a takeover for the same body keeps the record's id, so that the submission it
 * may have started is joined, not repeated (rulings 33, 34).
 */
export async function claimKey(sql: Sql, claim: Claim, now: Date): Promise<{ claimed: boolean; record: IdempotencyRow }> {
  const at = now.getTime();
  const parameters = [
    claim.id, claim.accountId, claim.key, claim.fingerprint, claim.specialInstructions, now,
    new Date(at + LIMITS.idempotencyClaimMs), new Date(at + LIMITS.idempotencyLifetimeMs),
  ];
  for (;;) {
    // A live record is seen before the upsert: that would wait for the row's lock while the first submission commits, and a
    // repeat must not block. Nothing found: the key was taken meanwhile, look again.
    const found = await row<IdempotencyRow & { claimed: boolean }>(sql, `
      WITH held AS (SELECT ${COLUMNS}, ${lapsed('$6')} AS lapsed FROM idempotency_records r WHERE account_id = $2 AND idempotency_key = $3),
      claimed AS (
        INSERT INTO idempotency_records AS r
          (id, account_id, idempotency_key, fingerprint, special_instructions, state, created_at, claimed_until, expires_at)
        SELECT $1, $2, $3, $4, $5, 'claimed', $6, $7, $8 WHERE NOT EXISTS (SELECT 1 FROM held WHERE NOT lapsed)
        ON CONFLICT (account_id, idempotency_key) DO UPDATE SET
          id = CASE WHEN r.state = 'claimed' AND r.fingerprint = $4 THEN r.id ELSE $1 END,
          fingerprint = $4, special_instructions = $5, state = 'claimed', created_at = $6, claimed_until = $7, expires_at = $8,
          order_id = NULL, response_status = NULL, response_body = NULL
        WHERE ${lapsed('$6')}
        RETURNING ${COLUMNS})
      SELECT ${COLUMNS}, true AS claimed FROM claimed UNION ALL SELECT ${COLUMNS}, false FROM held WHERE NOT lapsed`, parameters);
    if (found !== null) return { claimed: found.claimed, record: found };
  }
}

/** The record by its id, or null. */
export function findRecord(sql: Sql, id: string): Promise<IdempotencyRow | null> {
  return row(sql, `SELECT ${COLUMNS} FROM idempotency_records WHERE id = $1`, [id]);
}

/** Lets the key go after any outcome but 201. False when the order was placed meanwhile: then the record is finished. */
export async function releaseKey(sql: Sql, id: string): Promise<boolean> {
  const released = await row(sql, `DELETE FROM idempotency_records WHERE id = $1 AND state = 'claimed' RETURNING id`, [id]);
  return released !== null;
}
