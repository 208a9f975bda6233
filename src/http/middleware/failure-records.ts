import { findPresentedKey } from '../../db/repositories/keys';
import type { ServerDeps } from '../deps';
import { UNKNOWN_ACTOR } from '../failure-audit';

interface AuthenticationAttempt {
  requestId: string;
  keyHash: Buffer;
  source: string;
}

/** Records a request with an invalid key. Never rejects, because the response must be 401 in any case. */
export async function recordFailedAuthentication(deps: ServerDeps, { requestId, keyHash, source }: AuthenticationAttempt): Promise<void> {
  const key = await findPresentedKey(deps.database, keyHash).catch((error: unknown) => {
    deps.logger.warn({ err: error, requestId }, 'could not look up the account of a failed key');
    return null;
  });
  await deps.failureAudit.record({
    action: 'authentication.failed',
    subject: source,
    actor: key === null ? UNKNOWN_ACTOR : { id: key.id, name: key.account_id },
    after: { credential: key === null ? 'unknown' : (key.obstacle ?? 'works again') },
    requestId,
  });
}

/** Records a key that was not checked, because its source had failed too often. */
export function recordThrottledAuthentication(deps: ServerDeps, { requestId, source }: AuthenticationAttempt): Promise<void> {
  const after = { credential: 'not checked: too many failures' };
  return deps.failureAudit.record({ action: 'authentication.failed', subject: source, actor: UNKNOWN_ACTOR, after, requestId });
}

/** Records a valid key without the endpoint's scope. */
export function recordRefusedScope(
  deps: ServerDeps,
  refusal: { requestId: string; keyId: string; accountId: string; endpoint: string; needed: string },
): Promise<void> {
  const { requestId, keyId, accountId, endpoint, needed } = refusal;
  const actor = { id: keyId, name: accountId };
  return deps.failureAudit.record({ action: 'scope.refused', subject: endpoint, actor, after: { needed }, requestId });
}
