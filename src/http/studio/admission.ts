import type { IncomingMessage } from 'node:http';
import { admitHit } from '../../db/repositories/admission';
import { findWorkingToken } from '../../db/repositories/tokens';
import type { Dependencies } from '../../dependencies';
import { ApiError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { bearerCredential, hashKey } from '../../security/api-keys';
import { unknownRoute } from '../middleware/admission';
import { sourceAddress } from '../source-address';
import { mayActAs } from './roles';
import type { StudioCaller, StudioEndpoint } from './types';

/**
 * Lets a request in or throws: 401 → 404 for an unknown route → 403 (studio API "Who may do what", ruling 2). The 401 is the
 * same for every cause; nothing is cached.
 */
export async function admitStudio(deps: Dependencies, request: IncomingMessage, endpoint: StudioEndpoint | null): Promise<StudioCaller> {
  const credential = bearerCredential(request.headers.authorization);
  const token = await findWorkingToken(deps.dataSource.manager, hashKey(credential ?? ''));
  if (token === null) throw await failedAuthentication(deps, request);
  if (endpoint === null) throw unknownRoute(request);
  if (!mayActAs(token.role, endpoint.role)) {
    throw new ApiError('FORBIDDEN', `this endpoint needs a token with the role ${endpoint.role}; this one has ${token.role}`);
  }
  return { tokenId: token.id, name: token.name, role: token.role };
}

/** Counted by source address, apart from the trade API's failures (ruling 14). */
async function failedAuthentication(deps: Dependencies, request: IncomingMessage): Promise<ApiError> {
  const subject = `studio-source:${sourceAddress(request, deps.trustedProxies)}`;
  const wait = await admitHit(deps.dataSource.manager, subject, 'authentication', LIMITS.authenticationFailuresPerMinute);
  return wait === 0
    ? new ApiError('UNAUTHORIZED', 'send a valid studio token as "Authorization: Bearer lps_…"')
    : new ApiError('RATE_LIMITED', `too many failed authentications from this address; wait ${wait} s`, undefined, wait);
}
