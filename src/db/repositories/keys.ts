import type { Environment, Scope } from '../../domain/limits';
import type { Sql } from '../database';
import { insertRow } from '../insert-row';
import { findPage, type Page } from '../keyset';
import { apiKeyPrefix, hashKey } from '../../security/api-keys';
import { columns, nullable, text, time, typed, type RowOf } from '../columns';

export const KEY_COLUMNS = columns('api_keys', {
  id: text,
  account_id: text,
  environment: typed<Environment>(),
  scopes: typed<Scope[]>(),
  name: nullable(text),
  prefix: text,
  last_four: text,
  expires_at: nullable(time),
  revoked_at: nullable(time),
  last_used_at: nullable(time),
  created_at: time,
});
export type KeyRow = RowOf<typeof KEY_COLUMNS>;

type NewKey = Omit<KeyRow, 'prefix' | 'last_four' | 'revoked_at' | 'last_used_at'>;

export async function insertKey(sql: Sql, key: string, row: NewKey): Promise<KeyRow> {
  const names = [...KEY_COLUMNS.without('revoked_at', 'last_used_at').names, 'key_hash'] as const;
  const values = { ...row, prefix: apiKeyPrefix(row.environment), last_four: key.slice(-4), key_hash: hashKey(key) };
  const stored: KeyRow | null = await insertRow(sql, 'api_keys', names, values, `RETURNING ${KEY_COLUMNS.list}`);
  if (stored === null) throw new Error('the key was not stored');
  return stored;
}

/** Newest first by (created_at, id), including revoked keys. */
export function listKeys(sql: Sql, accountId: string, page: Page): Promise<KeyRow[]> {
  const keys = `SELECT ${KEY_COLUMNS.list} FROM api_keys WHERE account_id = $1`;
  return findPage(sql, { text: keys, parameters: [accountId], sortBy: ['created_at', 'id'] }, page);
}

/** This account's key, locked until the transaction ends, or null. */
export function lockKey(sql: Sql, accountId: string, id: string): Promise<KeyRow | null> {
  return sql.row(`SELECT ${KEY_COLUMNS.list} FROM api_keys WHERE id = $1 AND account_id = $2 FOR UPDATE`, [id, accountId]);
}

export function revokeKey(sql: Sql, id: string, now: Date): Promise<KeyRow> {
  return sql.one(`UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING ${KEY_COLUMNS.list}`, [id, now]);
}

/** A key from a request, with the reason why it is refused, or null. */
export interface PresentedKey {
  id: string;
  account_id: string;
  obstacle: 'revoked' | 'expired' | 'account suspended' | 'account without API access' | null;
}

/** The key with this hash, or null. */
export function findPresentedKey(sql: Sql, hash: Buffer): Promise<PresentedKey | null> {
  return sql.row(
    `SELECT k.id, k.account_id, CASE
              WHEN k.revoked_at IS NOT NULL THEN 'revoked'
              WHEN k.expires_at <= clock_timestamp() THEN 'expired'
              WHEN a.status <> 'active' THEN 'account suspended'
              WHEN NOT a.api_access THEN 'account without API access' END AS obstacle
       FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.key_hash = $1`,
    [hash],
  );
}
