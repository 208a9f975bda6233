import type { KeyRow } from '../db/repositories/keys';

/** An API key as the studio lists it: never its text (specification "Authentication" 4). */
export function presentKey(key: KeyRow) {
  return {
    id: key.id,
    accountId: key.account_id,
    environment: key.environment,
    scopes: key.scopes,
    name: key.name,
    prefix: key.prefix,
    lastFour: key.last_four,
    expiresAt: key.expires_at?.toISOString() ?? null,
    revokedAt: key.revoked_at?.toISOString() ?? null,
    lastUsedAt: key.last_used_at?.toISOString() ?? null,
    createdAt: key.created_at.toISOString(),
  };
}

/** What the audit log keeps of a key. */
export function auditedKey(key: KeyRow) {
  const { accountId, environment, scopes, name, expiresAt, revokedAt } = presentKey(key);
  return { accountId, environment, scopes, name, expiresAt, revokedAt };
}
