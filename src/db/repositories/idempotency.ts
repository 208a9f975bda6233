import type { Sql } from '../database';
import { IDEMPOTENCY_COLUMNS, type IdempotencyRow } from '../rows';

/** An Idempotency-Key and its account. Not per API key or environment: changing the key during a retry must not order twice (ruling 33). */
export interface KeyOfAccount {
  accountId: string;
  idempotencyKey: string;
}

/** Select-list part over `idempotency_records r`. */
export const RECORD = IDEMPOTENCY_COLUMNS.of('r');

/** The record of an order placed under this key, or null; past its lifetime it counts for nothing. */
export function findRecord(sql: Sql, { accountId, idempotencyKey }: KeyOfAccount): Promise<IdempotencyRow | null> {
  return sql.row(`SELECT ${RECORD} FROM idempotency_records r WHERE r.account_id = $1 AND r.idempotency_key = $2`, [
    accountId,
    idempotencyKey,
  ]);
}
