import type { SignedInRow } from '../db/repositories/sessions';

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
