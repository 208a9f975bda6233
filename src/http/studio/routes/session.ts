import type { Sql } from '../../../db/database';
import { writeAudit } from '../../../db/repositories/audit';
import { endSessions, insertSession, readSignedIn, type SignedInRow } from '../../../db/repositories/sessions';
import { findToken, type PresentedToken } from '../../../db/repositories/tokens';
import { ApiError } from '../../../domain/errors';
import { presentSignedIn } from '../../../presenters/sessions';
import { hashKey } from '../../../security/api-keys';
import { newSecret } from '../../../security/ids';
import type { Answer } from '../../types';
import { auditActor, audited } from '../audited';
import { asCredential, countFailure } from '../failed-sign-in';
import type { SignInRequest } from '../schemas/session';
import { planted, signedIn, signedOut } from '../session-cookie';
import type { StudioRequest } from '../types';

/** `POST /session`: the token once, for a cookie; the session that the browser had before ends (ruling 66). */
export async function signIn(request: StudioRequest<SignInRequest>): Promise<Answer> {
  const { arrival } = request.caller;
  const token = await workingToken(request);
  const id = newSecret();
  const idHash = hashKey(id);
  const caller = { ...request.caller, tokenId: token.id, name: token.name };
  const row = await audited({ ...request, caller }, async (sql, record) => {
    await endThose(sql, request);
    await insertSession(sql, idHash, token.id);
    const stored = await readSignedIn(sql, token.id, idHash);
    const after = { source: arrival.source, expiresAt: stored.expires_at };
    await record({ action: 'sign-in', subject: token.id, before: null, after });
    return stored;
  });
  const stale = arrival.cookies.length > 0 ? planted(arrival.isSecure) : [];
  return { data: await presented(request, row), headers: { 'Set-Cookie': [signedIn(id, arrival.isSecure), ...stale] } };
}

/** @throws ApiError UNAUTHORIZED, the same for every cause; RATE_LIMITED */
async function workingToken({ deps, caller, body, requestId }: StudioRequest<SignInRequest>): Promise<PresentedToken> {
  const token = await findToken(deps.database, hashKey(body.token));
  if (token?.works === true) return token;
  await countFailure({ deps, arrival: caller.arrival, requestId }, token, asCredential(token));
  throw new ApiError(
    'UNAUTHORIZED',
    'this token does not let anybody in: it is unknown, revoked or expired; an admin can make another one',
  );
}

/** `GET /session`: who is signed in, by cookie or by token. */
export async function getSession(request: StudioRequest): Promise<Answer> {
  const { credential, tokenId } = request.caller;
  const idHash = credential.kind === 'session' ? credential.idHash : null;
  return { data: await presented(request, await readSignedIn(request.deps.database, tokenId, idHash)) };
}

async function presented({ deps }: StudioRequest, row: SignedInRow) {
  return presentSignedIn(row, await deps.pricingTerms.timeZone(deps.database, deps.clock.now()));
}

/** `DELETE /session`: also where there is none any more, so that signing out never fails. */
export async function signOut(request: StudioRequest): Promise<Answer> {
  await audited(request, (sql) => endThose(sql, request));
  return { data: { signedIn: false }, headers: { 'Set-Cookie': signedOut(request.caller.arrival.isSecure) } };
}

/** Ends the sessions of the cookies that came; each that stood is in the audit log as its own token's deed. */
async function endThose(sql: Sql, request: StudioRequest): Promise<void> {
  const { cookies, source } = request.caller.arrival;
  if (cookies.length === 0) return;
  for (const { token_id: tokenId, name, stood } of await endSessions(sql, cookies.map(hashKey))) {
    const entry = { action: 'sign-out', subject: tokenId, before: null, after: { source } };
    if (stood) await writeAudit(sql, { ...auditActor(request), tokenId, name }, entry);
  }
}
