import { advisoryLockId } from '../../security/fingerprint';
import type { Sql, Transaction } from '../database';
import { IDEMPOTENCY_COLUMNS, type IdempotencyRow } from '../rows';

/**
 * An Idempotency-Key of an account. It is shared by the account's API keys and environments, because a client that changes its API key
 * during a retry must not order twice.
 */
export interface AccountIdempotencyKey {
  accountId: string;
  idempotencyKey: string;
}

/** The record of an order placed or changed with this key, or null. The caller checks its lifetime. */
export function findIdempotencyRecord(sql: Sql, { accountId, idempotencyKey }: AccountIdempotencyKey): Promise<IdempotencyRow | null> {
  return sql.row(`SELECT ${IDEMPOTENCY_COLUMNS.list} FROM idempotency_records WHERE account_id = $1 AND idempotency_key = $2`, [
    accountId,
    idempotencyKey,
  ]);
}

/**
 * SQL that tries to lock the key for placing or changing an order. Returns `taken`, true if it got the lock. The lock ends with the
 * transaction.
 */
export function keyLockSql({ accountId, idempotencyKey }: AccountIdempotencyKey): string {
  return `SELECT pg_try_advisory_xact_lock(${advisoryLockId(`${accountId}\n${idempotencyKey}`)}) AS taken`;
}

/** Locks the key. False if another request holds the lock. */
export function tryLockIdempotencyKey(sql: Sql, key: AccountIdempotencyKey): Promise<boolean> {
  return sql.value(keyLockSql(key));
}

/** Locks the key. False if another request holds the lock or has a stored response under the key. */
export async function claimIdempotencyKey(sql: Transaction, key: AccountIdempotencyKey, now: Date): Promise<boolean> {
  // The second statement sees what was committed before the lock.
  const [isFree, record] = await Promise.all([tryLockIdempotencyKey(sql, key), findIdempotencyRecord(sql, key)]);
  return isFree && (record === null || record.expires_at <= now);
}

export interface NewIdempotencyRecord extends AccountIdempotencyKey {
  id: string;
  fingerprint: string;
  orderId: string;
  status: 200 | 201;
  /** The exact text of the response, for every replay. */
  body: string;
  now: Date;
  expiresAt: Date;
}

/** Stores a response under its key and replaces an expired one. Requires the key's lock. */
export async function storeIdempotencyRecord(sql: Sql, record: NewIdempotencyRecord): Promise<void> {
  const { accountId, idempotencyKey, id, fingerprint, expiresAt, orderId, status, body, now } = record;
  await sql.run(
    `
    INSERT INTO idempotency_records (account_id, idempotency_key, id, fingerprint, expires_at, order_id, response_status, response_body, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (account_id, idempotency_key) DO UPDATE SET (id, fingerprint, expires_at, order_id, response_status, response_body, created_at) =
      (EXCLUDED.id, EXCLUDED.fingerprint, EXCLUDED.expires_at, EXCLUDED.order_id, EXCLUDED.response_status, EXCLUDED.response_body, EXCLUDED.created_at)`,
    [accountId, idempotencyKey, id, fingerprint, expiresAt, orderId, status, body, now],
  );
}
