import { insertToken, listTokens, lockToken, lockLastingAdmins, revokeToken } from '../../../db/repositories/tokens';
import { type ApiError, validationError } from '../../../domain/errors';
import { auditedToken, presentToken } from '../../../presenters/tokens';
import { hashKey, newStudioToken } from '../../../security/api-keys';
import { newId } from '../../../security/ids';
import type { TokenRequest } from '../schemas/tokens';
import type { Answer } from '../../types';
import { audited } from '../audited';
import { futureTime } from '../future-time';
import { answerPage, markByAge } from '../paging';
import type { StudioRequest } from '../types';
import { found, pathId } from '../../path-id';

/** `POST /tokens`: the token's text is in this answer and nowhere else. */
export async function createToken(request: StudioRequest<TokenRequest>): Promise<Answer> {
  const { body, deps } = request;
  const token = newStudioToken();
  const expiresAt = futureTime(request, body.expiresAt);
  const stored = await audited(request, async (sql, record) => {
    const row = await insertToken(sql, {
      id: newId('tok'),
      name: body.name,
      role: body.role,
      hash: hashKey(token),
      expires_at: expiresAt,
      now: deps.clock.now(),
    });
    await record({ action: 'token.create', subject: row.id, before: null, after: auditedToken(row) });
    return row;
  });
  return { data: { ...presentToken(stored), token } };
}

export async function getTokens(request: StudioRequest): Promise<Answer> {
  const find = (limit: number, after: Parameters<typeof listTokens>[2]) => listTokens(request.deps.database, limit, after);
  return answerPage(request, { name: 'tokens', find, mark: markByAge, present: presentToken });
}

/** `DELETE /tokens/{id}`: revokes it; repeating it changes nothing. The last admin token that works and does not expire is refused. */
export async function deleteToken(request: StudioRequest): Promise<Answer> {
  const id = pathId(request, 'tok');
  const revoked = await audited(request, async (sql, record) => {
    // Admins first, then the token: two deletions lock in the same order.
    const admins = await lockLastingAdmins(sql);
    const before = found(request, 'tok', await lockToken(sql, id));
    if (admins.length === 1 && admins[0] === id) throw lastAdmin();
    const after = await revokeToken(sql, id, request.deps.clock.now());
    if (before.revoked_at === null)
      await record({ action: 'token.revoke', subject: id, before: auditedToken(before), after: auditedToken(after) });
    return after;
  });
  return { data: presentToken(revoked) };
}

function lastAdmin(): ApiError {
  return validationError([{ path: 'id', message: 'is the last admin token that works and does not expire; make another one first' }]);
}
