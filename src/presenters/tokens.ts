import type { OwnSessionRow, SignedInRow } from '../db/repositories/sessions';
import type { TokenRow } from '../db/repositories/tokens';

/** A studio token as admins list it: never its text. */
export function presentToken(token: TokenRow) {
  return {
    id: token.id,
    name: token.name,
    role: token.role,
    lastUsedAt: token.last_used_at?.toISOString() ?? null,
    expiresAt: token.expires_at?.toISOString() ?? null,
    revokedAt: token.revoked_at?.toISOString() ?? null,
    createdAt: token.created_at.toISOString(),
  };
}

export function auditedToken(token: TokenRow) {
  const { name, role, expiresAt, revokedAt } = presentToken(token);
  return { name, role, expiresAt, revokedAt };
}

/** Who is signed in to the studio API, until when, and where the studio's clock is. */
export function presentSignedIn(row: SignedInRow, timeZone: string) {
  return {
    tokenId: row.token_id,
    name: row.name,
    role: row.role,
    expiresAt: row.expires_at?.toISOString() ?? null,
    idleUntil: row.idle_until?.toISOString() ?? null,
    timeZone,
  };
}

/** One of a person's open sessions. */
export function presentOwnSession(row: OwnSessionRow) {
  return {
    id: row.id,
    isCurrent: row.is_current,
    source: row.source,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}
