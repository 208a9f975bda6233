import { row, type Sql } from '../data-source';
import type { IdempotencyRow } from '../rows';

/** An Idempotency-Key and whose it is: keys are per account, over both environments (ruling 33). */
export interface KeyOfAccount {
  accountId: string;
  idempotencyKey: string;
}

/** Select-list part over `idempotency_records r`. */
export const RECORD_COLUMNS = 'r.fingerprint, r.expires_at, r.order_id, r.response_body';

/** The record of an order placed under this key, or null; one past its lifetime counts for nothing. */
export async function findRecord(sql: Sql, { accountId, idempotencyKey }: KeyOfAccount, now: Date): Promise<IdempotencyRow | null> {
  const found = await row<IdempotencyRow>(sql,
    `SELECT ${RECORD_COLUMNS} FROM idempotency_records r WHERE r.account_id = $1 AND r.idempotency_key = $2`, [accountId, idempotencyKey]);
  return found === null || found.expires_at <= now ? null : found;
}
