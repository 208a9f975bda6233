import type { Sql } from '../database';
import { insertRow } from '../insert-row';
import { findPage, type Page } from '../keyset';
import type { Role, TokenKind } from '../../domain/roles';
import { effectiveBookVersion } from './price-book-reader';
import { columns, nullable, text, time, typed, type RowOf } from '../columns';

export const TOKEN_COLUMNS = columns('studio_tokens', {
  id: text,
  name: text,
  role: typed<Role>(),
  kind: typed<TokenKind>(),
  last_used_at: nullable(time),
  expires_at: nullable(time),
  revoked_at: nullable(time),
  created_at: time,
});
export type TokenRow = RowOf<typeof TOKEN_COLUMNS>;

/** SQL: the token is neither revoked nor expired, by the database's clock. */
export const tokenWorks = (alias: string): string =>
  `${alias}.revoked_at IS NULL AND (${alias}.expires_at IS NULL OR ${alias}.expires_at > clock_timestamp())`;

export type PresentedToken = Pick<TokenRow, 'id' | 'name' | 'role' | 'kind'> & { works: boolean };

/** A request that needs a role and counts against the rate limit of its token. */
export interface StudioAdmissionRequest {
  endpoint: string;
  /** The roles that may use the endpoint; none if the request is refused in any case. */
  roles: readonly Role[];
  perMinute: number;
  now: Date;
}

export interface StudioAdmission {
  /** 0 if the request was counted, otherwise the seconds to wait. Null if its credential or role does not admit it. */
  wait: number | null;
  /** The version of the price book in force; null before the first. */
  book_version: number | null;
}

/**
 * SQL: the columns of `StudioAdmission`. Its parameters start with number `first`.
 * @param mayUse condition besides the role
 */
export const admissionColumns = (mayUse: string, first: number): string =>
  `CASE WHEN ${mayUse} AND role = ANY ($${first}::text[]) THEN admit_hit('token:' || id, $${first + 1}, $${first + 2}) END AS wait,
   ${effectiveBookVersion(`$${first + 3}`)} AS book_version`;

export const admissionParameters = ({ roles, endpoint, perMinute, now }: StudioAdmissionRequest): unknown[] => [
  roles,
  endpoint,
  perMinute,
  now,
];

/**
 * Finds the token with this hash, or null, and whether it is valid: neither revoked nor expired. Records the use of a valid token at most
 * once a minute.
 */
export function findToken(sql: Sql, hash: Buffer): Promise<PresentedToken | null> {
  return sql.row(selectToken('id, name, role, kind, works'), [hash]);
}

/** Finds the token like `findToken` and counts the request. The token of a station works only for signing in. */
export function admitToken(sql: Sql, hash: Buffer, request: StudioAdmissionRequest): Promise<(PresentedToken & StudioAdmission) | null> {
  return sql.row(
    selectToken(`id, name, role, kind, works AND kind = 'person' AS works, ${admissionColumns(`works AND kind = 'person'`, 2)}`),
    [hash, ...admissionParameters(request)],
  );
}

const selectToken = (selected: string): string => `
    WITH token AS (SELECT id, name, role, kind, last_used_at, ${tokenWorks('s')} AS works FROM studio_tokens s WHERE token_hash = $1),
         marked_used AS (UPDATE studio_tokens t SET last_used_at = now() FROM token
                   WHERE t.id = token.id AND token.works AND (token.last_used_at IS NULL OR token.last_used_at < now() - interval '1 minute'))
    SELECT ${selected} FROM token`;

export type NewToken = Pick<TokenRow, 'id' | 'name' | 'role' | 'kind' | 'expires_at'> & { hash: Buffer; now: Date };

const STORED_COLUMNS = ['id', 'name', 'role', 'kind', 'expires_at', 'token_hash', 'created_at'] as const;
const toTokenRow = ({ hash, now, ...token }: NewToken) => ({ ...token, token_hash: hash, created_at: now });

export async function insertToken(sql: Sql, token: NewToken): Promise<TokenRow> {
  const stored: TokenRow | null = await insertRow(
    sql,
    'studio_tokens',
    STORED_COLUMNS,
    toTokenRow(token),
    `RETURNING ${TOKEN_COLUMNS.list}`,
  );
  if (stored === null) throw new Error('the token was not stored');
  return stored;
}

/** Stores a token unless it is already stored. An existing token stays unchanged, even if it is revoked. */
export async function insertTokenOnce(sql: Sql, token: NewToken): Promise<void> {
  await insertRow(sql, 'studio_tokens', STORED_COLUMNS, toTokenRow(token), 'ON CONFLICT ON CONSTRAINT studio_tokens_hash DO NOTHING');
}

export function listTokens(sql: Sql, page: Page): Promise<TokenRow[]> {
  return findPage(sql, { text: `SELECT ${TOKEN_COLUMNS.list} FROM studio_tokens WHERE true`, sortBy: ['created_at', 'id'] }, page);
}

/** The token or null, locked until the transaction ends. */
export function lockToken(sql: Sql, id: string): Promise<TokenRow | null> {
  return sql.row(`SELECT ${TOKEN_COLUMNS.list} FROM studio_tokens WHERE id = $1 FOR UPDATE`, [id]);
}

/**
 * Locks the admin tokens that are not revoked and never expire, so that two requests cannot revoke the last two at once. Returns their ids.
 */
export function lockNonExpiringAdminTokens(sql: Sql): Promise<string[]> {
  return sql.column(
    `SELECT id FROM studio_tokens WHERE role = 'admin' AND revoked_at IS NULL AND expires_at IS NULL ORDER BY id FOR UPDATE`,
  );
}

export function revokeToken(sql: Sql, id: string, now: Date): Promise<TokenRow> {
  return sql.one(`UPDATE studio_tokens SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING ${TOKEN_COLUMNS.list}`, [id, now]);
}
