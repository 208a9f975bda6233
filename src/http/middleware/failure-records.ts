import { findSentKey } from '../../db/repositories/keys';
import type { HttpDeps } from '../deps';
import { UNKNOWN } from '../failure-audit';

interface Attempt {
  requestId: string;
  keyHash: Buffer;
  source: string;
}

/** A key that let nobody in. A request without one is no attempt. Never rejects: the answer is the 401 in any case. */
export async function recordFailedAuthentication(deps: HttpDeps, { requestId, keyHash, source }: Attempt): Promise<void> {
  const key = await findSentKey(deps.database, keyHash).catch((error: unknown) => {
    deps.logger.warn({ err: error, requestId }, 'whose key failed is not known');
    return null;
  });
  await deps.failureAudit.record({
    action: 'authentication.failed',
    subject: source,
    actor: key === null ? UNKNOWN : { id: key.id, name: key.account_id },
    after: { credential: key === null ? 'unknown' : (key.obstacle ?? 'works again') },
    requestId,
  });
}

/** A key that was not looked at, because its source had failed too often. */
export function recordThrottledAuthentication(deps: HttpDeps, { requestId, source }: Attempt): Promise<void> {
  const after = { credential: 'not checked: too many failures' };
  return deps.failureAudit.record({ action: 'authentication.failed', subject: source, actor: UNKNOWN, after, requestId });
}

/** A working key that lacks the endpoint's scope. */
export function recordRefusedScope(
  deps: HttpDeps,
  refused: { requestId: string; keyId: string; accountId: string; endpoint: string; needed: string },
): Promise<void> {
  const { requestId, keyId, accountId, endpoint, needed } = refused;
  const actor = { id: keyId, name: accountId };
  return deps.failureAudit.record({ action: 'scope.refused', subject: endpoint, actor, after: { needed }, requestId });
}
