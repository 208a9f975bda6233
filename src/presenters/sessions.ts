import type { OwnSessionRow, SignedInRow } from '../db/repositories/sessions';

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
