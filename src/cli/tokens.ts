import type { Database } from '../db/database';
import { writeAudit } from '../db/repositories/audit';
import { insertToken, lockNonExpiringAdminTokens } from '../db/repositories/tokens';
import { tokenRequest } from '../http/studio/tokens';
import { auditedToken } from '../presenters/tokens';
import { hashKey, newStudioToken } from '../security/api-keys';
import { newId } from '../security/ids';

export class TokenError extends Error {}

/**
 * Creates the first admin token in the database; admins create others through the studio API.
 * @param force creates it even if an admin token works
 * @returns the token, of which only a hash is stored
 * @throws TokenError if an admin token already works, or the name is invalid
 */
export async function createAdminToken(
  database: Database,
  { name, force, now }: { name: string; force: boolean; now: Date },
): Promise<string> {
  const { error } = tokenRequest.validate({ name, role: 'admin' });
  if (error !== undefined) throw new TokenError(`--name is invalid: ${error.message}`);
  const token = newStudioToken();
  await database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock(7311204)'); // only one of two concurrent calls creates the first token
    const admins = await lockNonExpiringAdminTokens(sql);
    if (admins.length > 0 && !force)
      throw new TokenError(
        `an admin token already works (${admins.join(', ')}); create others with trade-print tokens mint, or use --force if it is lost`,
      );
    const stored = await insertToken(sql, {
      id: newId('tok'),
      name,
      role: 'admin',
      kind: 'person',
      hash: hashKey(token),
      expires_at: null,
      now,
    });
    const by = { at: now, tokenId: 'command-line', name: 'command line', requestId: newId('req') };
    await writeAudit(sql, by, { action: 'token.create', subject: stored.id, before: null, after: auditedToken(stored) });
  });
  return token;
}
