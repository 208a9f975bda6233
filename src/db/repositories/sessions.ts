import type { Sql } from '../database';
import { findPage, type Page } from '../keyset';
import { assertNever } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import type { Role, TokenKind } from '../../domain/roles';
import { admissionColumns, admissionParameters, tokenWorks, type StudioAdmission, type StudioAdmissionRequest } from './tokens';

/** The credential of a request to the studio API; `none` for endpoints without authentication. */
export type StudioCredential = { kind: 'token'; tokenId: string } | { kind: 'session'; idHash: Buffer } | { kind: 'none' };

const IDLE_TIMEOUT = `interval '${LIMITS.studioSessionIdleMs} milliseconds'`;
const REAUTHENTICATION_PERIOD = `interval '${LIMITS.studioReauthenticationMs} milliseconds'`;
const LIFETIME = `interval '${LIMITS.studioSessionMs} milliseconds'`;

/** SQL: session `s` is neither expired nor idle for too long, by the database's clock. That of a station is neither. */
const IS_OPEN = `(s.expires_at IS NULL OR (s.expires_at > clock_timestamp() AND s.seen_at > clock_timestamp() - ${IDLE_TIMEOUT}))`;
const SESSION_TABLES = 'studio_sessions s JOIN studio_tokens t ON t.id = s.token_id';

/** A session from a cookie, with the present state of its token. */
export interface PresentedSession extends StudioAdmission {
  id: string;
  name: string;
  role: Role;
  kind: TokenKind;
  token_works: boolean;
  is_open: boolean;
  /** The token was sent within `LIMITS.studioReauthenticationMs`. */
  is_fresh: boolean;
}

export interface SessionRequest extends StudioAdmissionRequest {
  isUserActive: boolean;
  /** The request needs a session that has just sent its token. */
  needsFreshToken: boolean;
  /** The id of the token that the request names; null without one. */
  signedInAs: string | null;
}

/**
 * Finds the session with this hash, or null, and counts the request. Marks an open session as seen if `isUserActive`, and its token as used,
 * each at most once a minute.
 */
export function admitSession(sql: Sql, idHash: Buffer, request: SessionRequest): Promise<PresentedSession | null> {
  return sql.row(
    `
    WITH session AS (SELECT t.id, t.name, t.role, t.kind, t.last_used_at, s.id_hash, s.seen_at, ${tokenWorks('t')} AS token_works, ${IS_OPEN} AS is_open,
                          s.authenticated_at > clock_timestamp() - ${REAUTHENTICATION_PERIOD} AS is_fresh
                     FROM ${SESSION_TABLES} WHERE s.id_hash = $1),
         marked_seen AS (UPDATE studio_sessions s SET seen_at = clock_timestamp() FROM session
                   WHERE s.id_hash = session.id_hash AND $2 AND session.token_works AND session.is_open AND session.seen_at < clock_timestamp() - interval '1 minute'),
         marked_used AS (UPDATE studio_tokens t SET last_used_at = now() FROM session
                   WHERE t.id = session.id AND session.token_works AND session.is_open
                     AND (session.last_used_at IS NULL OR session.last_used_at < now() - interval '1 minute'))
    SELECT id, name, role, kind, token_works, is_open, is_fresh,
           ${admissionColumns('token_works AND is_open AND (is_fresh OR NOT $3) AND ($4::text IS NULL OR id = $4)', 5)} FROM session`,
    [idHash, request.isUserActive, request.needsFreshToken, request.signedInAs, ...admissionParameters(request)],
  );
}

export interface SignedInRow {
  token_id: string;
  name: string;
  role: Role;
  kind: TokenKind;
  /** The end of the session or its token, the earlier one; null without an end. */
  expires_at: Date | null;
  /** Null for a token, which has no idle limit. */
  idle_until: Date | null;
}

const SIGNED_IN_COLUMNS = `t.id AS token_id, t.name, t.role, t.kind, LEAST(s.expires_at, t.expires_at) AS expires_at,
  CASE WHEN s.expires_at IS NOT NULL THEN LEAST(s.seen_at + ${IDLE_TIMEOUT}, s.expires_at, t.expires_at) END AS idle_until`;

/** Returns the signed-in user of this token and session. The session is null if the caller sent the token itself. */
export function findSignedInUser(sql: Sql, tokenId: string, idHash: Buffer | null): Promise<SignedInRow> {
  return sql.one(
    `SELECT ${SIGNED_IN_COLUMNS} FROM studio_tokens t LEFT JOIN studio_sessions s ON s.id_hash = $2 AND s.token_id = t.id WHERE t.id = $1`,
    [tokenId, idHash],
  );
}

export interface NewSession {
  id: string;
  idHash: Buffer;
  tokenId: string;
  source: string;
  userAgent: string | null;
}

/** Starts a session with this token, for at most twelve hours. That of a station has no end. */
export async function insertSession(sql: Sql, { id, idHash, tokenId, source, userAgent }: NewSession): Promise<void> {
  await sql.run(
    `INSERT INTO studio_sessions (id_hash, id, token_id, source, user_agent, created_at, authenticated_at, seen_at, expires_at)
     SELECT $1, $2, t.id, $4, $5, at, at, at, CASE WHEN t.kind = 'person' THEN at + ${LIFETIME} END
       FROM clock_timestamp() at, studio_tokens t WHERE t.id = $3`,
    [idHash, id, tokenId, source, userAgent],
  );
}

/** Records that the session's token was sent again. */
export async function refreshSession(sql: Sql, idHash: Buffer): Promise<void> {
  await sql.run('UPDATE studio_sessions SET authenticated_at = clock_timestamp() WHERE id_hash = $1', [idHash]);
}

/** An open session as its owner sees it. */
export interface OwnSessionRow {
  id: string;
  source: string;
  user_agent: string | null;
  created_at: Date;
  seen_at: Date;
  expires_at: Date | null;
  is_current: boolean;
}

/** `$2` is the hash of the caller's session. */
const OWN_SESSION_COLUMNS = `s.id, s.source, s.user_agent, s.created_at, s.seen_at, s.expires_at,
  s.id_hash IS NOT DISTINCT FROM $2::bytea AS is_current`;

/** The owner of the sessions and the caller's session; null if the caller sent the token itself. */
export interface SessionOwner {
  tokenId: string;
  idHash: Buffer | null;
}

/** The token's open sessions, newest first by (created_at, id). */
export function listOwnSessions(sql: Sql, { tokenId, idHash }: SessionOwner, page: Page): Promise<OwnSessionRow[]> {
  const text = `SELECT ${OWN_SESSION_COLUMNS} FROM studio_sessions s WHERE s.token_id = $1 AND ${IS_OPEN}`;
  return findPage(sql, { text, parameters: [tokenId, idHash], sortBy: ['s.created_at', 's.id'] }, page);
}

/** Ends one of the token's open sessions. @returns null if the token has no such session */
export function endOwnSession(sql: Sql, { tokenId, idHash }: SessionOwner, id: string): Promise<OwnSessionRow | null> {
  return sql.row(`DELETE FROM studio_sessions s WHERE s.token_id = $1 AND s.id = $3 AND ${IS_OPEN} RETURNING ${OWN_SESSION_COLUMNS}`, [
    tokenId,
    idHash,
    id,
  ]);
}

/** Whether a browser is signed in with this token. */
export const hasSession = (sql: Sql, tokenId: string): Promise<boolean> =>
  sql.exists('SELECT 1 FROM studio_sessions WHERE token_id = $1', [tokenId]);

export interface EndedSession {
  token_id: string;
  name: string;
  /** False if the session had already ended, by its own time limits or with its token. */
  was_open: boolean;
}

/** Ends the sessions. Sessions that no longer have a row are not returned. */
export function endSessions(sql: Sql, idHashes: readonly Buffer[]): Promise<EndedSession[]> {
  return sql.rows(
    `DELETE FROM studio_sessions s USING studio_tokens t WHERE t.id = s.token_id AND s.id_hash = ANY($1::bytea[])
     RETURNING t.id AS token_id, t.name, (${IS_OPEN} AND ${tokenWorks('t')}) AS was_open`,
    [idHashes],
  );
}

/** Deletes expired sessions. Idle sessions stay until they expire, so the service can tell their cookies from unknown cookies. */
export async function deleteExpiredSessions(sql: Sql): Promise<void> {
  await sql.run('DELETE FROM studio_sessions WHERE expires_at < clock_timestamp()');
}

/**
 * Checks whether a credential is still valid: its token is neither revoked nor expired, and its session is neither ended, expired nor idle
 * for too long. The check does not extend the session, so a response that takes hours does not keep it open (ruling 81).
 */
export async function isCredentialValid(sql: Sql, credential: StudioCredential): Promise<boolean> {
  switch (credential.kind) {
    case 'token':
      return sql.exists(`SELECT t.id FROM studio_tokens t WHERE t.id = $1 AND ${tokenWorks('t')}`, [credential.tokenId]);
    case 'session':
      return sql.exists(`SELECT t.id FROM ${SESSION_TABLES} WHERE s.id_hash = $1 AND ${IS_OPEN} AND ${tokenWorks('t')}`, [
        credential.idHash,
      ]);
    case 'none':
      return false;
    default:
      return assertNever(credential);
  }
}
