import type { IncomingMessage } from 'node:http';
import { admitHit } from '../../../db/repositories/admission';
import { findSession, type StudioCredential } from '../../../db/repositories/sessions';
import { findToken, type PresentedToken } from '../../../db/repositories/tokens';
import { MINUTE_MS } from '../../../domain/duration';
import { ApiError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import { mayActAs } from '../../../domain/roles';
import { bearerCredential, hashKey } from '../../../security/api-keys';
import { isSecret } from '../../../security/ids';
import { perMinute } from '../../budgets';
import { setIdentity } from '../../caller-identity';
import type { HttpDeps } from '../../deps';
import { arrivalOf, isOwnOrigin, refuseAnother, refuseForeignOrigin } from './arrival';
import { asCredential, type Asking, countFailure, note } from './failed-sign-in';
import type { StudioCaller, StudioEndpoint } from './types';

/** What admission needs of an endpoint. */
type Admitted = Pick<StudioEndpoint, 'method' | 'path' | 'name' | 'role' | 'open' | 'asksWho' | 'unattended' | 'createsCredential'>;

/** Whom a credential shows. */
interface Shown {
  token: Pick<PresentedToken, 'id' | 'name' | 'role'>;
  credential: StudioCredential;
  /** The request has the token itself, or its session is fresh. */
  isFresh: boolean;
}

/**
 * Lets a request in or throws: 401 → 404 or 405 where no endpoint serves → 403 → 429. The 401 is the same for every cause, one for tokens
 * and one for sessions; nothing is cached. Failed sign-ins and refused roles go into the audit log (studio API "Who may do what", ruling
 * 2). A cookie counts where no Authorization header came (ruling 81).
 */
export async function admitStudio(
  deps: HttpDeps,
  request: IncomingMessage,
  endpoint: Admitted | ApiError,
  requestId: string,
): Promise<StudioCaller> {
  const arrival = arrivalOf(request, deps.trustedProxies);
  const asking = { deps, arrival, requestId };
  if (!(endpoint instanceof ApiError) && endpoint.open !== undefined) return admitAnybody(asking, endpoint);
  const { authorization } = request.headers;
  const isByCookie = authorization === undefined && arrival.cookies.length > 0;
  if (!(endpoint instanceof ApiError) && endpoint.asksWho && !isByCookie && authorization === undefined) {
    await withinBudgetOfSource(asking, endpoint);
    throw new ApiError('UNAUTHORIZED', NOBODY);
  }
  const isWrite = !['GET', 'HEAD'].includes(request.method ?? '');
  const { token, credential, isFresh } = isByCookie
    ? await bySession(asking, keepsAwake(asking, endpoint, isWrite))
    : await byToken(asking, bearerCredential(authorization));
  setIdentity(request, { tokenId: token.id, name: token.name });
  if (endpoint instanceof ApiError) throw endpoint;
  if (isByCookie && isWrite) refuseForeignOrigin(arrival, true);
  if (!mayActAs(token.role, endpoint.role)) throw await refusedRole(asking, endpoint, token);
  if (endpoint.createsCredential === true && !isFresh) throw reauthenticationRequired();
  await withinBudget(deps, endpoint, token);
  return { tokenId: token.id, name: token.name, role: token.role, credential, arrival };
}

async function byToken(asking: Asking, sent: string | null): Promise<Shown> {
  const token = await findToken(asking.deps.database, hashKey(sent ?? ''));
  if (token?.works === true) return { token, credential: { kind: 'token', tokenId: token.id }, isFresh: true };
  // Without a credential nobody tried to sign in: it is a health check, or a browser that looks around.
  await countFailure(asking, token, sent === null ? null : asCredential(token));
  throw new ApiError('UNAUTHORIZED', NOBODY);
}

const NOBODY = 'send a valid studio token as "Authorization: Bearer lps_…"';

async function bySession(asking: Asking, isAwake: boolean): Promise<Shown> {
  const [id = '', ...planted] = asking.arrival.cookies;
  const idHash = hashKey(id);
  // Of two cookies one was planted, and nothing tells which.
  const found = planted.length === 0 && isSecret(id) ? await findSession(asking.deps.database, idHash, isAwake) : null;
  if (found?.token_works === true && found.is_open) {
    refuseAnother(asking.arrival, found);
    return { token: found, credential: { kind: 'session', idHash }, isFresh: found.is_fresh };
  }
  const isTimeUp = found?.token_works === true; // nobody's deed: of all pages of an office it may be noticed at once
  if (!isTimeUp) await countFailure(asking, found, found === null ? 'unknown session' : 'session of a token that is revoked or expired');
  throw new ApiError('SESSION_ENDED', 'this session is over; sign in again with POST /studio/v1/session');
}

/** An open page or a stolen cookie must not yield a new credential. */
function reauthenticationRequired(): ApiError {
  const minutes = LIMITS.studioReauthenticationMs / MINUTE_MS;
  return new ApiError(
    'REAUTHENTICATION_REQUIRED',
    `the session sent its token more than ${minutes} minutes ago: send the token to POST /studio/v1/session/reauthenticate, then repeat this request`,
  );
}

/** What a person asks. A write that will be refused for its origin may be anybody's. */
function keepsAwake({ arrival }: Asking, endpoint: Admitted | ApiError, isWrite: boolean): boolean {
  if (endpoint instanceof ApiError || endpoint.unattended === true || arrival.isUnattended) return false;
  return !isWrite || isOwnOrigin(arrival);
}

/** To sign in or out. Counted by source address; no page of elsewhere signs a browser in as somebody else, or out. */
async function admitAnybody(asking: Asking, endpoint: Admitted): Promise<StudioCaller> {
  const { arrival } = asking;
  refuseForeignOrigin(arrival, endpoint.open === 'sign-out' && arrival.cookies.length > 0);
  await withinBudgetOfSource(asking, endpoint);
  return { tokenId: 'unknown', name: 'unknown', role: 'floor', credential: { kind: 'none' }, arrival };
}

/** Of what is asked without a credential. */
async function withinBudgetOfSource({ deps, arrival }: Asking, endpoint: Admitted): Promise<void> {
  const limit = perMinute(deps, LIMITS.studioRequestsPerMinute);
  const wait = await admitHit(deps.database, `studio-source:${arrival.source}`, endpoint.name, limit);
  if (wait > 0)
    throw new ApiError('RATE_LIMITED', `${limit} requests a minute are allowed here for each address; wait ${wait} s`, undefined, wait);
}

/** Noted only so often a minute, so that a token that keeps asking for what it may not have cannot fill the log. */
async function refusedRole(asking: Asking, endpoint: Admitted, token: Shown['token']): Promise<ApiError> {
  const wait = await admitHit(asking.deps.database, `token:${token.id}`, 'refused role', LIMITS.authenticationFailuresPerMinute);
  if (wait === 0)
    await note(asking, token, 'role.refused', `${endpoint.method} ${endpoint.path}`, { role: token.role, needed: endpoint.role });
  return new ApiError('FORBIDDEN', `this endpoint needs a token with the role ${endpoint.role}; this one has ${token.role}`);
}

/** A budget for each token, so that a floor system that has gone wild slows down nobody but itself. */
async function withinBudget(deps: HttpDeps, endpoint: Admitted, token: Shown['token']): Promise<void> {
  const limit = perMinute(deps, LIMITS.studioRequestsPerMinute);
  const wait = await admitHit(deps.database, `token:${token.id}`, endpoint.name, limit);
  if (wait > 0)
    throw new ApiError('RATE_LIMITED', `${limit} requests a minute are allowed here for each token; wait ${wait} s`, undefined, wait);
}
