import { consumeRateLimit } from '../../../db/repositories/admission';
import { writeAudit } from '../../../db/repositories/audit';
import { ApiError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import { scaleRateLimit } from '../../rate-limits';
import type { ServerDeps } from '../../deps';
import type { RequestContext } from './request-context';

/** A request before its authentication and authorization have succeeded. */
export interface AuthenticationContext {
  deps: Pick<ServerDeps, 'config' | 'clock' | 'database'>;
  requestContext: RequestContext;
  requestId: string;
}

/** The stored studio token that matches the request's credential; null if no token matches. */
type TokenIdentity = { id: string; name: string } | null;

/**
 * Counts a failed authentication of the request's source address, separately from the trade API. Failures beyond the limit are not audited.
 * @param credential the credential's description for the audit log; null if the request had no credential
 * @throws ApiError RATE_LIMITED
 */
export async function countAuthenticationFailure(
  context: AuthenticationContext,
  token: TokenIdentity,
  credential: string | null,
): Promise<void> {
  const { deps, requestContext } = context;
  const limit = scaleRateLimit(deps, LIMITS.authenticationFailuresPerMinute);
  const wait = await consumeRateLimit(deps.database, `studio-source:${requestContext.source}`, 'authentication', limit);
  if (wait > 0) throw new ApiError('RATE_LIMITED', `too many failed authentications from this address; wait ${wait} s`, undefined, wait);
  if (credential !== null) await auditFailure(context, token, 'sign-in.failed', requestContext.source, { credential });
}

/** Describes a refused token for the audit log. */
export const describeCredential = (token: TokenIdentity): string => (token === null ? 'unknown' : 'revoked or expired');

/** Audits a failed request, which changed nothing. */
export function auditFailure(
  { deps, requestId }: AuthenticationContext,
  token: TokenIdentity,
  action: string,
  subject: string,
  after: Record<string, unknown>,
): Promise<void> {
  const by = { at: deps.clock.now(), tokenId: token?.id ?? 'unknown', name: token?.name ?? 'unknown', requestId };
  return writeAudit(deps.database, by, { action, subject, before: null, after });
}
