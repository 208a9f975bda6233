import type { IncomingMessage } from 'node:http';
import { admitHit } from '../../db/repositories/admission';
import { writeAudit } from '../../db/repositories/audit';
import { findToken, type PresentedToken } from '../../db/repositories/tokens';
import type { Dependencies } from '../../dependencies';
import { ApiError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { bearerCredential, hashKey } from '../../security/api-keys';
import { perMinute } from '../budgets';
import { sourceAddress } from '../source-address';
import { mayActAs } from '../../domain/roles';
import type { StudioCaller, StudioEndpoint } from './types';

/** What admission needs of an endpoint. */
type Admitted = Pick<StudioEndpoint, 'method' | 'path' | 'name' | 'role'>;

/** A request that has not been let in yet. */
interface Caller {
  deps: Dependencies;
  request: IncomingMessage;
  requestId: string;
}

/**
 * Lets a request in or throws: 401 → 404 or 405 where no endpoint serves → 403 → 429. The 401 is the same for every cause; nothing is
 * cached. Failed sign-ins and refused roles go into the audit log (studio API "Who may do what", ruling 2).
 */
export async function admitStudio(
  deps: Dependencies,
  request: IncomingMessage,
  endpoint: Admitted | ApiError,
  requestId: string,
): Promise<StudioCaller> {
  const caller = { deps, request, requestId };
  const credential = bearerCredential(request.headers.authorization);
  const token = await findToken(deps.database, hashKey(credential ?? ''));
  if (token === null || !token.works) throw await failedSignIn(caller, credential, token);
  if (endpoint instanceof ApiError) throw endpoint;
  if (!mayActAs(token.role, endpoint.role)) throw await refusedRole(caller, endpoint, token);
  await withinBudget(deps, endpoint, token);
  return { tokenId: token.id, name: token.name, role: token.role, credential: { kind: 'token', tokenId: token.id } };
}

/** Counted by source address, apart from the trade API's failures. Those beyond the count are not in the audit log either (ruling 14). */
async function failedSignIn(caller: Caller, credential: string | null, token: PresentedToken | null): Promise<ApiError> {
  const { deps, request } = caller;
  const source = sourceAddress(request, deps.trustedProxies);
  const wait = await admitHit(
    deps.database,
    `studio-source:${source}`,
    'authentication',
    perMinute(deps, LIMITS.authenticationFailuresPerMinute),
  );
  if (wait > 0) return new ApiError('RATE_LIMITED', `too many failed authentications from this address; wait ${wait} s`, undefined, wait);
  // Without a credential nobody tried to sign in: it is a health check, or a browser that looks around.
  if (credential !== null)
    await note(caller, token, 'sign-in.failed', source, { credential: token === null ? 'unknown' : 'revoked or expired' });
  return new ApiError('UNAUTHORIZED', 'send a valid studio token as "Authorization: Bearer lps_…"');
}

/** Noted only so often a minute, so that a token that keeps asking for what it may not have cannot fill the log. */
async function refusedRole(caller: Caller, endpoint: Admitted, token: PresentedToken): Promise<ApiError> {
  const wait = await admitHit(caller.deps.database, `token:${token.id}`, 'refused role', LIMITS.authenticationFailuresPerMinute);
  if (wait === 0)
    await note(caller, token, 'role.refused', `${endpoint.method} ${endpoint.path}`, { role: token.role, needed: endpoint.role });
  return new ApiError('FORBIDDEN', `this endpoint needs a token with the role ${endpoint.role}; this one has ${token.role}`);
}

function note(
  { deps, requestId }: Caller,
  token: PresentedToken | null,
  action: string,
  subject: string,
  after: Record<string, unknown>,
): Promise<void> {
  const by = { at: deps.clock.now(), tokenId: token?.id ?? 'unknown', name: token?.name ?? 'unknown', requestId };
  return writeAudit(deps.database, by, { action, subject, before: null, after });
}

/** A budget for each token, so that a floor system that has gone wild slows down nobody but itself. */
async function withinBudget(deps: Dependencies, endpoint: Admitted, token: PresentedToken): Promise<void> {
  const limit = perMinute(deps, LIMITS.studioRequestsPerMinute);
  const wait = await admitHit(deps.database, `token:${token.id}`, endpoint.name, limit);
  if (wait > 0)
    throw new ApiError('RATE_LIMITED', `${limit} requests a minute are allowed here for each token; wait ${wait} s`, undefined, wait);
}
