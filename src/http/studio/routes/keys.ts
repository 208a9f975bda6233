import { insertKey, listKeys, lockKey, revokeKey, type NewKey } from '../../../db/repositories/keys';
import { auditedKey, presentKey } from '../../../presenters/keys';
import { hashKey, newApiKey, apiKeyPrefix } from '../../../security/api-keys';
import { newId } from '../../../security/ids';
import type { KeyRequest } from '../schemas/keys';
import type { Answer } from '../../types';
import { audited } from '../audited';
import { futureTime } from '../future-time';
import { answerPage, markByAge } from '../paging';
import type { StudioRequest } from '../types';
import { existingAccountId } from './accounts';
import { found, pathId } from '../../path-id';

/**
 * `POST /accounts/{id}/keys`: only a hash is stored, so this answer is the one place with the key's text (specification "Authentication"
 * 4).
 */
export async function createKey(request: StudioRequest<KeyRequest>): Promise<Answer> {
  const accountId = await existingAccountId(request);
  const key = newApiKey(request.body.environment);
  const row = newKeyRow(request, accountId, key);
  const stored = await audited(request, async (sql, record) => {
    const inserted = await insertKey(sql, row);
    await record({ action: 'key.create', subject: inserted.id, before: null, after: auditedKey(inserted) });
    return inserted;
  });
  return { data: { ...presentKey(stored), key } };
}

function newKeyRow(request: StudioRequest<KeyRequest>, accountId: string, key: string): NewKey {
  const { body, deps } = request;
  return {
    id: newId('key'),
    account_id: accountId,
    environment: body.environment,
    scopes: body.scopes,
    name: body.name ?? null,
    hash: hashKey(key),
    prefix: apiKeyPrefix(body.environment),
    last_four: key.slice(-4),
    expires_at: futureTime(request, body.expiresAt),
    created_at: deps.clock.now(),
  };
}

export async function getKeys(request: StudioRequest): Promise<Answer> {
  const accountId = await existingAccountId(request);
  const find = (limit: number, after: Parameters<typeof listKeys>[3]) => listKeys(request.deps.database, accountId, limit, after);
  return answerPage(request, { name: `keys/${accountId}`, find, mark: markByAge, present: presentKey });
}

/** `DELETE /accounts/{id}/keys/{keyId}`: revokes it at once; repeating it changes nothing. */
export async function deleteKey(request: StudioRequest): Promise<Answer> {
  const accountId = await existingAccountId(request);
  const keyId = pathId(request, 'key', 'keyId');
  const revoked = await audited(request, async (sql, record) => {
    const before = found(request, 'key', await lockKey(sql, accountId, keyId));
    const after = await revokeKey(sql, keyId, request.deps.clock.now());
    if (before.revoked_at === null)
      await record({ action: 'key.revoke', subject: keyId, before: auditedKey(before), after: auditedKey(after) });
    return after;
  });
  return { data: presentKey(revoked) };
}
