import { admitHit } from '../../../db/repositories/admission';
import { writeAudit } from '../../../db/repositories/audit';
import { ApiError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import { perMinute } from '../../budgets';
import type { HttpDeps } from '../../deps';
import type { Arrival } from './arrival';

/** A request that has not been let in yet. */
export interface Asking {
  deps: HttpDeps;
  arrival: Arrival;
  requestId: string;
}

/** Whose credential it was, where that is known. */
type Whose = { id: string; name: string } | null;

/**
 * Counted by source address, apart from the trade API's failures. Those beyond the count are not in the audit log either (ruling 14).
 * @param credential what it was, for the audit log; null: nobody tried to sign in
 * @throws ApiError RATE_LIMITED
 */
export async function countFailure(asking: Asking, whose: Whose, credential: string | null): Promise<void> {
  const { deps, arrival } = asking;
  const limit = perMinute(deps, LIMITS.authenticationFailuresPerMinute);
  const wait = await admitHit(deps.database, `studio-source:${arrival.source}`, 'authentication', limit);
  if (wait > 0) throw new ApiError('RATE_LIMITED', `too many failed authentications from this address; wait ${wait} s`, undefined, wait);
  if (credential !== null) await note(asking, whose, 'sign-in.failed', arrival.source, { credential });
}

/** What a token was that did not work. */
export const asCredential = (token: Whose): string => (token === null ? 'unknown' : 'revoked or expired');

/** In the audit log, though nothing was written. */
export function note(
  { deps, requestId }: Asking,
  whose: Whose,
  action: string,
  subject: string,
  after: Record<string, unknown>,
): Promise<void> {
  const by = { at: deps.clock.now(), tokenId: whose?.id ?? 'unknown', name: whose?.name ?? 'unknown', requestId };
  return writeAudit(deps.database, by, { action, subject, before: null, after });
}
