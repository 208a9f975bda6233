import { admitHit } from '../../../db/repositories/admission';
import { writeAudit } from '../../../db/repositories/audit';
import { ApiError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import { scaleRateLimit } from '../../rate-limits';
import type { HttpDeps } from '../../deps';
import type { RequestContext } from './request-context';

/** A request that has not been let in yet. */
export interface AdmissionContext {
  deps: HttpDeps;
  requestContext: RequestContext;
  requestId: string;
}

/** Whose credential it was, where that is known. */
type TokenIdentity = { id: string; name: string } | null;

/**
 * Counted by source address, apart from the trade API's failures. Those beyond the count are not in the audit log either (ruling 14).
 * @param credential what it was, for the audit log; null: nobody tried to sign in
 * @throws ApiError RATE_LIMITED
 */
export async function countAuthenticationFailure(
  context: AdmissionContext,
  token: TokenIdentity,
  credential: string | null,
): Promise<void> {
  const { deps, requestContext } = context;
  const limit = scaleRateLimit(deps, LIMITS.authenticationFailuresPerMinute);
  const wait = await admitHit(deps.database, `studio-source:${requestContext.source}`, 'authentication', limit);
  if (wait > 0) throw new ApiError('RATE_LIMITED', `too many failed authentications from this address; wait ${wait} s`, undefined, wait);
  if (credential !== null) await auditFailure(context, token, 'sign-in.failed', requestContext.source, { credential });
}

/** What a token was that did not work. */
export const describeCredential = (token: TokenIdentity): string => (token === null ? 'unknown' : 'revoked or expired');

/** In the audit log, though nothing was written. */
export function auditFailure(
  { deps, requestId }: AdmissionContext,
  token: TokenIdentity,
  action: string,
  subject: string,
  after: Record<string, unknown>,
): Promise<void> {
  const by = { at: deps.clock.now(), tokenId: token?.id ?? 'unknown', name: token?.name ?? 'unknown', requestId };
  return writeAudit(deps.database, by, { action, subject, before: null, after });
}
