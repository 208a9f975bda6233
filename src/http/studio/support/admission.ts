import type { IncomingMessage } from 'node:http';
import { consumeRateLimit } from '../../../db/repositories/admission';
import { admitSession, type SessionRequest, type StudioCredential } from '../../../db/repositories/sessions';
import { admitToken, type PresentedToken, type StudioAdmission, type StudioAdmissionRequest } from '../../../db/repositories/tokens';
import { findBadge, type BadgeRow } from '../../../db/repositories/badges';
import { actorName, readBadge } from '../../../domain/badges';
import { MINUTE_MS } from '../../../domain/duration';
import { ApiError, RoleRefused } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import { hasRole, ROLES } from '../../../domain/roles';
import { bearerCredential, hashKey } from '../../../security/api-keys';
import { isSecret } from '../../../security/ids';
import { scaleRateLimit } from '../../rate-limits';
import { setIdentity } from '../../caller-identity';
import type { ServerDeps } from '../../deps';
import { readRequestContext, isOwnOrigin, assertSignedInAs, assertOwnOrigin } from './request-context';
import { describeCredential, type AuthenticationContext, countAuthenticationFailure, auditFailure } from './authentication-failures';
import type { StudioCaller, StudioEndpoint } from './types';

type AdmissionEndpoint = Pick<
  StudioEndpoint,
  'method' | 'path' | 'name' | 'role' | 'open' | 'isSessionCheck' | 'unattended' | 'createsCredential'
>;

interface Authentication extends StudioAdmission {
  token: Pick<PresentedToken, 'id' | 'name' | 'role' | 'kind'>;
  credential: StudioCredential;
  /** True if the request contains the token, or if its session sent the token in the last minutes. */
  isRecentlyAuthenticated: boolean;
}

/**
 * Admits a request or throws, in the order 401, 404 or 405, 403, 429. The 401 hides its cause: its text is the same for all tokens and for
 * all sessions. Nothing is cached. Failed sign-ins and refused roles are audited (studio API "Who may do what"). An Authorization header
 * overrides the cookie.
 */
export async function admitStudio(
  deps: ServerDeps,
  request: IncomingMessage,
  endpoint: AdmissionEndpoint | ApiError,
  requestId: string,
): Promise<StudioCaller> {
  const requestContext = readRequestContext(request, deps.trustedProxies);
  const context = { deps, requestContext, requestId };
  if (!(endpoint instanceof ApiError) && endpoint.open !== undefined) return admitWithoutCredential(context, endpoint);
  const { authorization } = request.headers;
  const usesCookie = authorization === undefined && requestContext.cookies.length > 0;
  if (!(endpoint instanceof ApiError) && endpoint.isSessionCheck && !usesCookie && authorization === undefined) {
    await assertSourceRateLimit(context, endpoint);
    throw new ApiError('UNAUTHORIZED', TOKEN_REQUIRED_MESSAGE);
  }
  const isWrite = !['GET', 'HEAD'].includes(request.method ?? '');
  const isForeign = usesCookie && isWrite && !isOwnOrigin(requestContext);
  const admission = toAdmissionRequest(deps, isForeign ? null : endpoint);
  const { token, credential, isRecentlyAuthenticated, wait, book_version } = usesCookie
    ? await authenticateBySession(context, {
        ...admission,
        isUserActive: extendsSession(context, endpoint, isWrite),
        needsFreshToken: !(endpoint instanceof ApiError) && endpoint.createsCredential === true,
        signedInAs: requestContext.signedInAs ?? null,
      })
    : await authenticateByToken(context, bearerCredential(authorization), admission);
  setIdentity(request, { tokenId: token.id, name: token.name });
  if (endpoint instanceof ApiError) throw endpoint;
  if (isForeign) assertOwnOrigin(requestContext, true);
  if (!hasRole(token.role, endpoint.role)) throw await recordRefusedRole(context, endpoint, token);
  if (endpoint.createsCredential === true && !isRecentlyAuthenticated) throw reauthenticationRequired();
  if (wait === null) throw new Error('the request was not counted');
  if (wait > 0) throw rateLimited(admission.perMinute, wait);
  const badge = await readPresentedBadge(context, token);
  const name = actorName(token.name, badge?.name ?? null);
  setIdentity(request, { tokenId: token.id, name, badgeId: badge?.id ?? null });
  return { tokenId: token.id, name, badgeId: badge?.id ?? null, role: token.role, credential, requestContext, bookVersion: book_version };
}

/** The badge says who works at a station. It gives no rights. @throws ApiError BADGE_REFUSED */
async function readPresentedBadge(
  { deps, requestContext }: AuthenticationContext,
  token: Authentication['token'],
): Promise<BadgeRow | null> {
  if (requestContext.badge === undefined) return null;
  if (token.kind !== 'station') throw new ApiError('BADGE_REFUSED', 'only a station can name a badge; leave out the header Studio-Badge');
  const code = readBadge(requestContext.badge);
  const badge = code === null ? null : await findBadge(deps.database, code);
  if (badge === null) throw new ApiError('BADGE_REFUSED', 'this badge is unknown or revoked; scan another badge');
  return badge;
}

/** @param endpoint null or an error if the request is refused even with a valid credential; it is then not counted */
function toAdmissionRequest(
  deps: Pick<ServerDeps, 'config' | 'clock'>,
  endpoint: AdmissionEndpoint | ApiError | null,
): StudioAdmissionRequest {
  const perMinute = scaleRateLimit(deps, LIMITS.studioRequestsPerMinute);
  const now = deps.clock.now();
  if (endpoint === null || endpoint instanceof ApiError) return { endpoint: '', roles: [], perMinute, now };
  return { endpoint: endpoint.name, roles: ROLES.filter((role) => hasRole(role, endpoint.role)), perMinute, now };
}

async function authenticateByToken(
  context: AuthenticationContext,
  credential: string | null,
  request: StudioAdmissionRequest,
): Promise<Authentication> {
  const token = await admitToken(context.deps.database, hashKey(credential ?? ''), request);
  if (token?.works === true) {
    const { wait, book_version } = token;
    return { token, credential: { kind: 'token', tokenId: token.id }, isRecentlyAuthenticated: true, wait, book_version };
  }
  // A request without a credential is no sign-in attempt. Health checks and browsers send such requests.
  await countAuthenticationFailure(context, token, credential === null ? null : describeCredential(token));
  throw new ApiError('UNAUTHORIZED', TOKEN_REQUIRED_MESSAGE);
}

const TOKEN_REQUIRED_MESSAGE = 'send a valid studio token as "Authorization: Bearer lps_…"';

async function authenticateBySession(context: AuthenticationContext, request: SessionRequest): Promise<Authentication> {
  const [id = '', ...otherCookies] = context.requestContext.cookies;
  const idHash = hashKey(id);
  // If there are two session cookies, another site has planted one, and the service cannot know which one.
  const session = otherCookies.length === 0 && isSecret(id) ? await admitSession(context.deps.database, idHash, request) : null;
  if (session?.token_works === true && session.is_open) {
    assertSignedInAs(context.requestContext, session);
    const { is_fresh: isRecentlyAuthenticated, wait, book_version } = session;
    return { token: session, credential: { kind: 'session', idHash }, isRecentlyAuthenticated, wait, book_version };
  }
  const hasTimedOut = session?.token_works === true; // not audited: all open pages of an office may notice it at once
  if (!hasTimedOut)
    await countAuthenticationFailure(
      context,
      session,
      session === null ? 'unknown session' : 'session of a token that is revoked or expired',
    );
  throw new ApiError('SESSION_ENDED', 'the session has ended; sign in again with POST /studio/v1/session');
}

/** Keeps an unattended page or a stolen cookie from creating a credential. */
function reauthenticationRequired(): ApiError {
  const minutes = LIMITS.studioReauthenticationMs / MINUTE_MS;
  return new ApiError(
    'REAUTHENTICATION_REQUIRED',
    `the session sent its token more than ${minutes} minutes ago; send the token to POST /studio/v1/session/reauthenticate, then repeat this request`,
  );
}

/** Only the user's own requests extend a session. A write from another origin may not be the user's. */
function extendsSession({ requestContext }: AuthenticationContext, endpoint: AdmissionEndpoint | ApiError, isWrite: boolean): boolean {
  if (endpoint instanceof ApiError || endpoint.unattended === true || requestContext.isUnattended) return false;
  return !isWrite || isOwnOrigin(requestContext);
}

/** Admits sign-in and sign-out. The origin check refuses requests from other sites. */
async function admitWithoutCredential(context: AuthenticationContext, endpoint: AdmissionEndpoint): Promise<StudioCaller> {
  const { requestContext } = context;
  assertOwnOrigin(requestContext, endpoint.open === 'sign-out' && requestContext.cookies.length > 0);
  await assertSourceRateLimit(context, endpoint);
  return {
    tokenId: 'unknown',
    name: 'unknown',
    badgeId: null,
    role: 'floor',
    credential: { kind: 'none' },
    requestContext,
    bookVersion: null,
  };
}

async function assertSourceRateLimit({ deps, requestContext }: AuthenticationContext, endpoint: AdmissionEndpoint): Promise<void> {
  const limit = scaleRateLimit(deps, LIMITS.studioRequestsPerMinute);
  const wait = await consumeRateLimit(deps.database, `studio-source:${requestContext.source}`, endpoint.name, limit);
  if (wait > 0) throw rateLimited(limit, wait, 'source address');
}

/** Audits a refused role, with a limit per minute, so that one token cannot fill the audit log. */
async function recordRefusedRole(
  context: AuthenticationContext,
  endpoint: AdmissionEndpoint,
  token: Authentication['token'],
): Promise<ApiError> {
  const wait = await consumeRateLimit(context.deps.database, `token:${token.id}`, 'refused role', LIMITS.authenticationFailuresPerMinute);
  if (wait === 0)
    await auditFailure(context, token, 'role.refused', `${endpoint.method} ${endpoint.path}`, { role: token.role, needed: endpoint.role });
  return new RoleRefused(endpoint.role, token.role);
}

/**
 * Counts further requests of a token. Each token has a separate limit, so a faulty floor system slows down only itself.
 * @throws ApiError RATE_LIMITED
 */
export async function assertTokenRateLimit(
  deps: Pick<ServerDeps, 'config' | 'database'>,
  endpointName: string,
  tokenId: string,
  requests: number,
): Promise<void> {
  const limit = scaleRateLimit(deps, LIMITS.studioRequestsPerMinute);
  const wait = await consumeRateLimit(deps.database, `token:${tokenId}`, endpointName, limit, requests);
  if (wait > 0) throw rateLimited(limit, wait);
}

const rateLimited = (limit: number, wait: number, caller: 'token' | 'source address' = 'token'): ApiError =>
  new ApiError('RATE_LIMITED', `this endpoint allows ${limit} requests a minute for each ${caller}; wait ${wait} s`, undefined, wait);
