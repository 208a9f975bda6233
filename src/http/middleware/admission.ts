import type { IncomingMessage } from 'node:http';
import { admit } from '../../db/repositories/admission';
import type { HttpDeps } from '../deps';
import { ApiError, noRoute } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { apiKeyPrefix, bearerCredential, hashKey } from '../../security/api-keys';
import { perMinute } from '../budgets';
import { identify } from '../caller-identity';
import { sourceAddress } from '../source-address';
import type { Admitted, Endpoint, RequestHead, TradeCaller } from '../types';
import { recordFailedAuthentication, recordRefusedScope, recordThrottledAuthentication } from './failed-authentication';

/**
 * Lets a request in or throws: 401 → 404 or 405 where no endpoint serves → 403 → 429, so that who has no key learns nothing (ruling 2).
 * Judged in one round trip on the stored rows: a cache would let suspended accounts in for a while (ruling 13). The 401 is the same for
 * every cause.
 */
export async function admitTrade(
  deps: HttpDeps,
  request: IncomingMessage,
  matched: Endpoint | ApiError,
  head: RequestHead,
): Promise<Admitted<TradeCaller>> {
  const credential = bearerCredential(request.headers.authorization);
  const asked = isLiveAtTest(matched, request.url ?? '', credential) ? noRoute(request.method) : matched;
  const endpoint = asked instanceof ApiError ? null : widened(deps, asked);
  const attempt = {
    requestId: head.requestId,
    keyHash: hashKey(credential ?? ''),
    source: sourceAddress(request, deps.trustedProxies),
  };
  const admission = await admit(
    deps.database,
    {
      ...attempt,
      endpoint,
      failuresPerMinute: perMinute(deps, LIMITS.authenticationFailuresPerMinute),
    },
    endpoint?.prefetch?.(head) ?? null,
  );
  const { key_id: keyId, account_id: accountId } = admission;
  if (!['unauthorized', 'throttled'].includes(admission.verdict)) identify(request, { keyId, accountId });
  switch (admission.verdict) {
    case 'unauthorized':
      if (credential !== null) await recordFailedAuthentication(deps, attempt);
      throw new ApiError('UNAUTHORIZED', 'send a valid API key as "Authorization: Bearer lpk_…"');
    case 'throttled':
      if (credential !== null) await recordThrottledAuthentication(deps, attempt);
      throw new ApiError(
        'RATE_LIMITED',
        `too many failed authentications from this address; wait ${admission.retry_after} s`,
        undefined,
        admission.retry_after,
      );
    case 'unknown_route':
      throw asked;
    case 'forbidden':
      await recordRefusedScope(deps, {
        requestId: head.requestId,
        keyId,
        accountId,
        endpoint: endpoint?.name ?? '',
        needed: endpoint?.scope ?? '',
      });
      throw new ApiError(
        'FORBIDDEN',
        `this endpoint needs a key with the scope ${endpoint?.scope}; scopes are fixed when the studio issues a key`,
      );
    case 'limited':
      throw new ApiError(
        'RATE_LIMITED',
        `${endpoint?.perMinute} requests a minute are allowed here; wait ${admission.retry_after} s`,
        undefined,
        admission.retry_after,
      );
    case 'ok':
      return {
        caller: { keyId, accountId, environment: admission.environment },
        prefetched: admission.prefetched,
      };
  }
}

function widened(deps: HttpDeps, endpoint: Endpoint): Endpoint {
  return { ...endpoint, perMinute: perMinute(deps, endpoint.perMinute) };
}

/** As the router reads paths: in any case, and also where the whole address was sent. */
const AT_TEST = /^(https?:\/\/[^/]*)?\/v1\/test\//i;

/** Judged by the key's text, which names its environment, so that it is 404 before 405 and 403 and costs no budget (ruling 61). */
function isLiveAtTest(matched: Endpoint | ApiError, url: string, credential: string | null): boolean {
  const isAtTest = matched instanceof ApiError ? AT_TEST.test(url) : matched.testOnly === true;
  return isAtTest && credential?.startsWith(apiKeyPrefix('live')) === true;
}
