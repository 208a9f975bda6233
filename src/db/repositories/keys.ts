import type { Environment, Scope } from '../../domain/limits';
import { columns } from '../columns';
import type { Sql } from '../database';
import { pageOfList, type PageMark } from '../keyset';

/** An API key as it is kept: everything but its text. */
export interface KeyRow {
  id: string;
  account_id: string;
  environment: Environment;
  scopes: Scope[];
  name: string | null;
  prefix: string;
  last_four: string;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
}

export const KEY_COLUMNS = columns<KeyRow>('api_keys')(
  'id',
  'account_id',
  'environment',
  'scopes',
  'name',
  'prefix',
  'last_four',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'created_at',
);

export type NewKey = Omit<KeyRow, 'revoked_at' | 'last_used_at'> & { hash: Buffer };

export async function insertKey(sql: Sql, key: NewKey): Promise<KeyRow> {
  const stored = await sql.row<KeyRow>(
    `INSERT INTO api_keys (id, account_id, environment, scopes, name, key_hash, prefix, last_four, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${KEY_COLUMNS.list}`,
    [key.id, key.account_id, key.environment, key.scopes, key.name, key.hash, key.prefix, key.last_four, key.expires_at, key.created_at],
  );
  if (stored === null) throw new Error('the key was not stored');
  return stored;
}

/** Newest first by (created_at, id), revoked ones too. */
export function listKeys(sql: Sql, accountId: string, limit: number, after: PageMark | null): Promise<KeyRow[]> {
  const text = `SELECT ${KEY_COLUMNS.list} FROM api_keys WHERE account_id = $1`;
  return pageOfList(sql, { text, parameters: [accountId], by: ['created_at', 'id'] }, { limit, after });
}

/** This account's key, locked until the transaction ends, or null. */
export function lockKey(sql: Sql, accountId: string, id: string): Promise<KeyRow | null> {
  return sql.row(`SELECT ${KEY_COLUMNS.list} FROM api_keys WHERE id = $1 AND account_id = $2 FOR UPDATE`, [id, accountId]);
}

export async function revokeKey(sql: Sql, id: string, now: Date): Promise<KeyRow> {
  const revoked = await sql.row<KeyRow>(
    `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING ${KEY_COLUMNS.list}`,
    [id, now],
  );
  if (revoked === null) throw new Error(`key ${id} is gone`);
  return revoked;
}

/** A key that was sent, with the reason why it does not let its caller in; null: it does. */
export interface SentKey {
  id: string;
  account_id: string;
  obstacle: 'revoked' | 'expired' | 'account suspended' | 'account without API access' | null;
}

/** The key with this hash, or null where there is none. */
export function findSentKey(sql: Sql, hash: Buffer): Promise<SentKey | null> {
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
