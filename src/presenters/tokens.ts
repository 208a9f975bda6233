import type { OwnSessionRow, SignedInRow } from '../db/repositories/sessions';
import type { TokenRow } from '../db/repositories/tokens';
import { fieldsOf } from './fields';

/** A studio token without its secret. */
export const presentToken = (token: TokenRow) =>
  fieldsOf(token, 'id', 'name', 'role', 'kind', 'last_used_at', 'expires_at', 'revoked_at', 'created_at');

export const auditedToken = (token: TokenRow) => fieldsOf(token, 'name', 'role', 'kind', 'expires_at', 'revoked_at');

/** The current session with its times of expiry, and the time zone of the studio. */
export function presentSignedIn(row: SignedInRow, timeZone: string) {
  return { ...fieldsOf(row, 'token_id', 'name', 'role', 'kind', 'expires_at', 'idle_until'), timeZone };
}

/** An open session. */
export function presentOwnSession(row: OwnSessionRow) {
  return {
    ...fieldsOf(row, 'id', 'is_current', 'source', 'user_agent', 'created_at'),
    lastSeenAt: row.seen_at.toISOString(),
    ...fieldsOf(row, 'expires_at'),
  };
}
