import type { SignedInRow } from '../db/repositories/sessions';

/** Who is signed in to the studio API, and until when. */
export function presentSignedIn(row: SignedInRow) {
  return {
    tokenId: row.token_id,
    name: row.name,
    role: row.role,
    expiresAt: row.expires_at?.toISOString() ?? null,
    idleUntil: row.idle_until?.toISOString() ?? null,
  };
}
