import type { IncomingMessage } from 'node:http';
import { admit, countFailedAuthentication, type Admission, type AdmissionRequest } from '../../db/repositories/admission';
import type { TradeAdmissionDeps } from '../deps';
import { ApiError, routeNotFoundError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { apiKeyPrefix, bearerCredential, hashKey } from '../../security/api-keys';
import { scaleRateLimit } from '../rate-limits';
import { setIdentity } from '../caller-identity';
import { sourceAddress } from '../source-address';
import type { Endpoint, RequestHead, TradeCaller } from '../types';
import { recordFailedAuthentication, recordRefusedScope, recordThrottledAuthentication } from './failure-records';

/**
 * Admits a request or throws, in this order: 401, 404 or 405, 403, 429. Callers without a key therefore learn nothing (ruling 2), and every
 * 401 is the same. One round trip reads the stored rows, because a cache would admit suspended accounts for a while.
 */
export async function admitTrade(
  deps: TradeAdmissionDeps,
  request: IncomingMessage,
  matched: Endpoint | ApiError,
  { requestId }: Pick<RequestHead, 'requestId'>,
): Promise<TradeCaller> {
  const credential = bearerCredential(request.headers.authorization);
  const requested = isLiveKeyOnTestPath(matched, request.url ?? '', credential) ? routeNotFoundError(request.method) : matched;
  const endpoint = requested instanceof ApiError ? null : withScaledRateLimit(deps, requested);
  const attempt = { requestId, keyHash: hashKey(credential ?? ''), source: sourceAddress(request, deps.trustedProxies) };
  const admission = await decideAdmission(deps, {
    ...attempt,
    endpoint,
    failuresPerMinute: scaleRateLimit(deps, LIMITS.authenticationFailuresPerMinute),
  });
  const { key_id: keyId, account_id: accountId } = admission;
  if (!['unauthorized', 'throttled'].includes(admission.verdict)) setIdentity(request, { keyId, accountId });
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
      throw requested;
    case 'forbidden':
      await recordRefusedScope(deps, {
        requestId,
        keyId,
        accountId,
        endpoint: endpoint?.name ?? '',
        needed: endpoint?.scope ?? '',
      });
      throw new ApiError('FORBIDDEN', `this endpoint needs a key with the scope ${endpoint?.scope}; ask the studio for a key with it`);
    case 'limited':
      throw new ApiError(
        'RATE_LIMITED',
        `this endpoint allows ${endpoint?.perMinute} requests a minute; wait ${admission.retry_after} s`,
        undefined,
        admission.retry_after,
      );
    case 'ok':
      return { keyId, accountId, environment: admission.environment };
  }
}

function withScaledRateLimit(deps: TradeAdmissionDeps, endpoint: Endpoint): Endpoint {
  return { ...endpoint, perMinute: scaleRateLimit(deps, endpoint.perMinute) };
}

type AdmissionVerdict = Omit<Admission, 'is_unknown_key'>;

/** Looks the key up in the database unless the cache knows that it does not exist. */
async function decideAdmission(deps: TradeAdmissionDeps, request: AdmissionRequest): Promise<AdmissionVerdict> {
  const { authenticationCache: cache } = deps;
  if (cache.isUnknown(request.keyHash)) return refuseUnknownKey(deps, request);
  const admission = await cache.lookUp(request.source, request.keyHash, () => admit(deps.database, request));
  if (admission.verdict === 'throttled') cache.throttle(request.source, admission.retry_after);
  if (admission.is_unknown_key) cache.rememberUnknown(request.keyHash);
  if (admission.verdict === 'ok') cache.rememberKnown(request.keyHash);
  return admission;
}

/** Refuses a key that does not exist. A throttled source is refused without a query, because its further failures need not be counted. */
async function refuseUnknownKey(deps: TradeAdmissionDeps, { source, failuresPerMinute }: AdmissionRequest): Promise<AdmissionVerdict> {
  const { authenticationCache: cache, database } = deps;
  let wait = cache.secondsThrottled(source);
  if (wait === 0) {
    wait = await countFailedAuthentication(database, source, failuresPerMinute);
    if (wait > 0) cache.throttle(source, wait);
  }
  return { verdict: wait > 0 ? 'throttled' : 'unauthorized', retry_after: wait, key_id: '', account_id: '', environment: 'test' };
}

/** Matches like the router: ignores case and accepts absolute URLs. */
const TEST_PATH = /^(https?:\/\/[^/]*)?\/v1\/test\//i;

/** Reads the environment from the key's prefix, so the 404 precedes 405 and 403 and does not count towards the rate limit. */
function isLiveKeyOnTestPath(matched: Endpoint | ApiError, url: string, credential: string | null): boolean {
  const isTestPath = matched instanceof ApiError ? TEST_PATH.test(url) : matched.testOnly === true;
  return isTestPath && credential?.startsWith(apiKeyPrefix('live')) === true;
}
