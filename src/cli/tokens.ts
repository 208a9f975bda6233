import type { Database } from '../db/database';
import { writeAudit } from '../db/repositories/audit';
import { insertToken, lockNonExpiringAdmins } from '../db/repositories/tokens';
import { tokenRequest } from '../http/studio/tokens';
import { auditedToken } from '../presenters/tokens';
import { hashKey, newStudioToken } from '../security/api-keys';
import { newId } from '../security/ids';

export class TokenError extends Error {}

/**
 * The first admin token, made in the database itself: from then on admins make tokens through the studio API.
 * @param force also where an admin token works
 * @returns the token's text, which is kept nowhere
 * @throws TokenProblem when an admin token works already, or the name is none
 */
export async function createAdminToken(
  database: Database,
  { name, force, now }: { name: string; force: boolean; now: Date },
): Promise<string> {
  const { error } = tokenRequest.validate({ name, role: 'admin' });
  if (error !== undefined) throw new TokenError(`--name does not work: ${error.message}`);
  const token = newStudioToken();
  await database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock(7311204)'); // of two first ones, one is the first
    const admins = await lockNonExpiringAdmins(sql);
    if (admins.length > 0 && !force)
      throw new TokenError(
        `an admin token works already (${admins.join(', ')}); its holder makes others: POST /studio/v1/tokens. If nobody has it any more: --force`,
      );
    const stored = await insertToken(sql, { id: newId('tok'), name, role: 'admin', hash: hashKey(token), expires_at: null, now });
    const by = { at: now, tokenId: 'command-line', name: 'command line', requestId: newId('req') };
    await writeAudit(sql, by, { action: 'token.create', subject: stored.id, before: null, after: auditedToken(stored) });
  });
  return token;
}
