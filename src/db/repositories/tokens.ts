import { row, rows, type Sql } from '../data-source';
import type { PageMark } from './orders';

export interface TokenRow {
  id: string;
  name: string;
  role: 'floor' | 'office' | 'admin';
  last_used_at: Date | null;
  revoked_at: Date | null;
  created_at: Date;
}

const COLUMNS = 'id, name, role, last_used_at, revoked_at, created_at';

/** The token with this hash that is not revoked, or null. Notes its use at most once a minute. */
export function findWorkingToken(sql: Sql, hash: Buffer): Promise<Pick<TokenRow, 'id' | 'name' | 'role'> | null> {
  return row(sql, `
    WITH found AS (SELECT id, name, role, last_used_at FROM studio_tokens WHERE token_hash = $1 AND revoked_at IS NULL),
         used AS (UPDATE studio_tokens t SET last_used_at = now() FROM found
                   WHERE t.id = found.id AND (found.last_used_at IS NULL OR found.last_used_at < now() - interval '1 minute'))
    SELECT id, name, role FROM found`, [hash]);
}

export async function insertToken(sql: Sql, token: Pick<TokenRow, 'id' | 'name' | 'role'> & { hash: Buffer; now: Date }): Promise<TokenRow> {
  const stored = await row<TokenRow>(sql,
    `INSERT INTO studio_tokens (id, name, role, token_hash, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
    [token.id, token.name, token.role, token.hash, token.now]);
  if (stored === null) throw new Error('the token was not stored');
  return stored;
}

export function listTokens(sql: Sql, limit: number, after: PageMark | null): Promise<TokenRow[]> {
  return rows(sql, `SELECT ${COLUMNS} FROM studio_tokens
     WHERE $2::timestamptz IS NULL OR (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $1`,
    [limit, after?.createdAt ?? null, after?.id ?? null]);
}

/** The token, locked until the transaction ends, or null. */
export function lockToken(sql: Sql, id: string): Promise<TokenRow | null> {
  return row(sql, `SELECT ${COLUMNS} FROM studio_tokens WHERE id = $1 FOR UPDATE`, [id]);
}

/** Ids of the admin tokens that work, locked: two admins cannot revoke each other at once. */
export async function lockWorkingAdmins(sql: Sql): Promise<string[]> {
  const found = await rows<{ id: string }>(sql, `SELECT id FROM studio_tokens WHERE role = 'admin' AND revoked_at IS NULL ORDER BY id FOR UPDATE`);
  return found.map(({ id }) => id);
}

export async function revokeToken(sql: Sql, id: string, now: Date): Promise<TokenRow> {
  const revoked = await row<TokenRow>(sql,
    `UPDATE studio_tokens SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING ${COLUMNS}`, [id, now]);
  if (revoked === null) throw new Error(`token ${id} is gone`);
  return revoked;
}
