import type { IncomingMessage } from 'node:http';
import { admit, countFailedAuthentication, type Admission, type AdmissionRequest } from '../../db/repositories/admission';
import type { HttpDeps } from '../deps';
import { ApiError, noRoute } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { apiKeyPrefix, bearerCredential, hashKey } from '../../security/api-keys';
import { perMinute } from '../budgets';
import { identify } from '../caller-identity';
import { sourceAddress } from '../source-address';
import type { Endpoint, RequestHead, TradeCaller } from '../types';
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
  { requestId }: Pick<RequestHead, 'requestId'>,
): Promise<TradeCaller> {
  const credential = bearerCredential(request.headers.authorization);
  const asked = isLiveAtTest(matched, request.url ?? '', credential) ? noRoute(request.method) : matched;
  const endpoint = asked instanceof ApiError ? null : widened(deps, asked);
  const attempt = { requestId, keyHash: hashKey(credential ?? ''), source: sourceAddress(request, deps.trustedProxies) };
  const admission = await admissionOf(deps, {
    ...attempt,
    endpoint,
    failuresPerMinute: perMinute(deps, LIMITS.authenticationFailuresPerMinute),
  });
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
        requestId,
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
      return { keyId, accountId, environment: admission.environment };
  }
}

function widened(deps: HttpDeps, endpoint: Endpoint): Endpoint {
  return { ...endpoint, perMinute: perMinute(deps, endpoint.perMinute) };
}

type Verdict = Omit<Admission, 'is_unknown_key'>;

/** Looks the key up, unless it was unknown within the last second. */
async function admissionOf(deps: HttpDeps, asked: AdmissionRequest): Promise<Verdict> {
  const { failedAuthentications: failed } = deps;
  if (failed.isUnknown(asked.keyHash)) return refusalOfUnknownKey(deps, asked);
  const admission = await failed.lookUp(asked.source, asked.keyHash, () => admit(deps.database, asked));
  if (admission.verdict === 'throttled') failed.throttle(asked.source, admission.retry_after);
  if (admission.is_unknown_key) failed.rememberUnknown(asked.keyHash);
  if (admission.verdict === 'ok') failed.rememberKnown(asked.keyHash);
  return admission;
}

/** A throttled source is refused without the database, which counts no failures beyond the limit either. */
async function refusalOfUnknownKey(deps: HttpDeps, { source, failuresPerMinute }: AdmissionRequest): Promise<Verdict> {
  const { failedAuthentications: failed, database } = deps;
  const throttledSeconds = failed.secondsThrottled(source);
  const wait = throttledSeconds > 0 ? throttledSeconds : await countFailedAuthentication(database, source, failuresPerMinute);
  if (wait > 0) failed.throttle(source, wait);
  return { verdict: wait > 0 ? 'throttled' : 'unauthorized', retry_after: wait, key_id: '', account_id: '', environment: 'test' };
}

/** As the router reads paths: in any case, and also where the whole address was sent. */
const AT_TEST = /^(https?:\/\/[^/]*)?\/v1\/test\//i;

/** Judged by the key's text, which names its environment, so that it is 404 before 405 and 403 and costs no budget (ruling 61). */
function isLiveAtTest(matched: Endpoint | ApiError, url: string, credential: string | null): boolean {
  const isAtTest = matched instanceof ApiError ? AT_TEST.test(url) : matched.testOnly === true;
  return isAtTest && credential?.startsWith(apiKeyPrefix('live')) === true;
}
