import type { Sql } from '../../db/database';
import { writeAudit } from '../../db/repositories/audit';
import {
  endOwnSession,
  endSessions,
  hasSession,
  insertSession,
  listOwnSessions,
  findSignedInUser,
  refreshSession,
  type SessionOwner,
} from '../../db/repositories/sessions';
import { findToken, type PresentedToken } from '../../db/repositories/tokens';
import { ApiError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { ROLES, TOKEN_KINDS } from '../../domain/roles';
import { presentOwnSession, presentSignedIn } from '../../presenters/tokens';
import { hashKey } from '../../security/api-keys';
import { advisoryLockId } from '../../security/fingerprint';
import { newId, newSecret } from '../../security/ids';
import * as json from '../openapi/json';
import { cursorByAge } from '../paging';
import { requireFound, pathId } from '../path-id';
import { type BodyOf, bodySchema, textField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { auditActor, audited } from './support/audited';
import { studioTimeZone } from './support/book-in-force';
import { EXAMPLE_TIME, TOKEN_ID } from './support/examples';
import { describeCredential, countAuthenticationFailure } from './support/authentication-failures';
import { defineList } from './support/lists';
import { clearPlantedCookies, createSessionCookie, clearSessionCookie } from './support/session-cookie';
import type { StudioCaller, StudioEndpointRow, StudioRequest } from './support/types';

/** The body of a sign-in (studio API "Signing in"). */
const signInRequest = bodySchema({ token: textField(1, 200).description('a studio token, `lps_…`') });

const SIGNED_IN = json.resource<ReturnType<typeof presentSignedIn>>('SignedIn', {
  tokenId: [json.id('tok', 'the token of the session'), TOKEN_ID],
  name: [json.string('the name of the token in the audit log and timelines'), 'press-7'],
  role: [json.openEnum(ROLES), 'floor'],
  kind: [json.openEnum(TOKEN_KINDS, '`station` for a browser that stays signed in'), 'person'],
  expiresAt: [
    json.nullable(json.time('the latest end; null for a station and for a token that does not expire')),
    '2026-03-02T13:05:00.000Z',
  ],
  idleUntil: [
    json.nullable(json.time('the end without further requests; null for a station and for a request with a token')),
    '2026-03-02T01:35:00.000Z',
  ],
  timeZone: [json.string('the IANA time zone of the studio'), 'Australia/Melbourne'],
});

type OwnSession = ReturnType<typeof presentOwnSession>;

const OWN_SESSION = json.resource<OwnSession>('OwnSession', {
  id: [json.id('ses'), 'ses_4be1'],
  isCurrent: [json.boolean('whether the request uses its cookie'), true],
  source: [json.string('the source address of the sign-in; an IPv6 address as its /64'), '192.0.2.14'],
  userAgent: [
    json.nullable(json.string('the User-Agent header of the sign-in')),
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.4; rv:124.0) Gecko/20100101 Firefox/124.0',
  ],
  createdAt: [json.time('the time of the sign-in'), EXAMPLE_TIME],
  lastSeenAt: [json.time('the time of the last request, to the minute'), EXAMPLE_TIME],
  expiresAt: [json.nullable(json.time('the latest end of the session; null for a station')), '2026-03-02T13:05:00.000Z'],
});

const SIGNED_OUT = json.object({ signedIn: json.boolean('false') });

const setCookieHeader = (description: string) => ({ 'Set-Cookie': json.string(description) });

export const SESSION_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/session',
    role: 'floor',
    open: 'sign-in',
    body: signInRequest,
    bodyBytes: LIMITS.signInBodyBytes,
    status: 201,
    id: 'signIn',
    summary: 'Sign in',
    description:
      'The request sends the token once. Later requests send the cookie. The session ends after twelve hours, or after thirty minutes without a request. Every request checks the role, expiry and revocation of the token. The token of a station signs in one browser, whose session has no end. A request from another origin is refused.',
    response: SIGNED_IN,
    responseHeaders: setCookieHeader('the session cookie: `HttpOnly` and `SameSite=Strict`; over https also `Secure` and named `__Host-…`'),
    errorCodes: ['UNAUTHORIZED'],
    requestExample: { token: `lps_${'0'.repeat(64)}` },
    handler: signIn,
  },
  {
    method: 'POST',
    path: '/session/reauthenticate',
    role: 'floor',
    body: signInRequest,
    bodyBytes: LIMITS.signInBodyBytes,
    id: 'reauthenticate',
    summary: 'Reauthenticate a session',
    description:
      'Sends the token of the session again. For the next five minutes the session may create API keys, tokens and webhook secrets, as after signing in. Another token is refused. A request with a token as `Authorization` does not need this.',
    response: SIGNED_IN,
    requestExample: { token: `lps_${'0'.repeat(64)}` },
    handler: reauthenticate,
  },
  {
    method: 'GET',
    path: '/session',
    role: 'floor',
    unattended: true,
    isSessionCheck: true,
    id: 'readSession',
    summary: 'Retrieve the current session',
    description: 'The caller is identified by cookie or token. This request does not extend a session.',
    response: SIGNED_IN,
    responseHeaders: setCookieHeader('the cookie of a station again, because browsers delete cookies after 400 days'),
    handler: getSession,
  },
  {
    method: 'DELETE',
    path: '/session',
    role: 'floor',
    open: 'sign-out',
    id: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session of the cookie and removes the cookie. It also removes the cookie of an ended session.',
    response: SIGNED_OUT,
    responseHeaders: setCookieHeader('removes the cookie'),
    example: { signedIn: false },
    handler: signOut,
  },
  ...defineList({
    path: '/sessions',
    role: 'floor',
    filters: {},
    id: 'listOwnSessions',
    summary: 'List your sessions',
    description: "Lists the open sessions of the caller's token, the newest first.",
    entry: OWN_SESSION,
    list: ({ deps, caller }) => ({
      name: `sessions/${caller.tokenId}`,
      find: (_filters, page) => listOwnSessions(deps.database, sessionOwner(caller), page),
      cursorOf: cursorByAge,
      present: presentOwnSession,
    }),
  }),
  {
    method: 'DELETE',
    path: '/sessions/:id',
    role: 'floor',
    id: 'endOwnSession',
    summary: 'End one of your sessions',
    description: 'The browser must sign in again. For an ended session or a session of another token the response is 404.',
    response: OWN_SESSION,
    example: json.exampleWith(OWN_SESSION, { isCurrent: false }),
    handler: endSession,
  },
];

/** Creates a session and ends earlier sessions of the same browser. */
async function signIn(request: StudioRequest<BodyOf<typeof signInRequest>>): Promise<HandlerResponse> {
  const { requestContext } = request.caller;
  const token = await requireWorkingToken(request);
  const { calendar, database, clock } = request.deps;
  const timeZone = await calendar.timeZone(database, clock.now()); // before the commit, because a station without the response is locked out
  const id = newSecret();
  const idHash = hashKey(id);
  const caller = { ...request.caller, tokenId: token.id, name: token.name };
  const row = await audited({ ...request, caller }, async (sql, record) => {
    await endCookieSessions(sql, request);
    if (token.kind === 'station' && !(await isFreeStation(sql, token.id))) throw new StationTaken();
    await insertSession(sql, {
      id: newId('ses'),
      idHash,
      tokenId: token.id,
      source: requestContext.source,
      userAgent: requestContext.userAgent,
    });
    const stored = await findSignedInUser(sql, token.id, idHash);
    const after = { source: requestContext.source, expiresAt: stored.expires_at };
    await record({ action: 'sign-in', subject: token.id, before: null, after });
    return stored;
  }).catch((error: unknown) => {
    if (error instanceof StationTaken) return refuseTakenStation(request, token);
    throw error;
  });
  const clearedCookies = requestContext.cookies.length > 0 ? clearPlantedCookies(requestContext.isSecure) : [];
  return {
    data: presentSignedIn(row, timeZone),
    headers: { 'Set-Cookie': [createSessionCookie(id, requestContext.isSecure, token.kind), ...clearedCookies] },
  };
}

/** A station's token signs in one browser, so a copy of it is useless. Sign-ins of one station wait for each other. */
async function isFreeStation(sql: Sql, tokenId: string): Promise<boolean> {
  await sql.run(`SELECT pg_advisory_xact_lock(${advisoryLockId(`station\n${tokenId}`)})`);
  return !(await hasSession(sql, tokenId));
}

class StationTaken extends Error {}

/** Audits it like another failed sign-in, because somebody may have copied the token. @throws ApiError UNAUTHORIZED, RATE_LIMITED */
async function refuseTakenStation({ deps, caller, requestId }: StudioRequest, token: PresentedToken): Promise<never> {
  const context = { deps, requestContext: caller.requestContext, requestId };
  await countAuthenticationFailure(context, token, 'station that is signed in on another browser');
  throw new ApiError('UNAUTHORIZED', 'this station is signed in on another browser; ask an admin to revoke its token and create another');
}

/** @throws ApiError UNAUTHORIZED, the same for every cause; RATE_LIMITED */
async function requireWorkingToken({
  deps,
  caller,
  body,
  requestId,
}: StudioRequest<BodyOf<typeof signInRequest>>): Promise<PresentedToken> {
  const token = await findToken(deps.database, hashKey(body.token));
  if (token?.works === true) return token;
  await countAuthenticationFailure({ deps, requestContext: caller.requestContext, requestId }, token, describeCredential(token));
  throw new ApiError('UNAUTHORIZED', 'the token is unknown, revoked or expired; ask an admin for another token');
}

/** @throws ApiError UNAUTHORIZED for any other token; RATE_LIMITED */
async function reauthenticate(request: StudioRequest<BodyOf<typeof signInRequest>>): Promise<HandlerResponse> {
  const { tokenId, credential, requestContext } = request.caller;
  const token = await requireWorkingToken(request);
  if (token.id !== tokenId) {
    await countAuthenticationFailure(
      { deps: request.deps, requestContext, requestId: request.requestId },
      token,
      'not the token of the session',
    );
    throw new ApiError('UNAUTHORIZED', 'the token is not the one that signed in; send that token, or sign in again with this one');
  }
  if (credential.kind === 'session')
    await audited(request, async (sql, record) => {
      await refreshSession(sql, credential.idHash);
      await record({ action: 'session.reauthenticate', subject: tokenId, before: null, after: { source: requestContext.source } });
    });
  return getSession(request);
}

async function getSession(request: StudioRequest): Promise<HandlerResponse> {
  const { credential, tokenId, requestContext } = request.caller;
  const idHash = credential.kind === 'session' ? credential.idHash : null;
  const row = await findSignedInUser(request.deps.database, tokenId, idHash);
  const data = presentSignedIn(row, await studioTimeZone(request));
  const [cookie] = requestContext.cookies;
  if (row.kind !== 'station' || cookie === undefined) return { data };
  return { data, headers: { 'Set-Cookie': createSessionCookie(cookie, requestContext.isSecure, row.kind) } };
}

/** Succeeds without a session, because signing out must never fail. */
async function signOut(request: StudioRequest): Promise<HandlerResponse> {
  await audited(request, (sql) => endCookieSessions(sql, request));
  return { data: { signedIn: false }, headers: { 'Set-Cookie': clearSessionCookie(request.caller.requestContext.isSecure) } };
}

/** Ends the sessions of the cookies. Writes an audit entry for each open session, with its token as the actor. */
async function endCookieSessions(sql: Sql, request: StudioRequest): Promise<void> {
  const { cookies, source } = request.caller.requestContext;
  if (cookies.length === 0) return;
  for (const { token_id: tokenId, name, was_open: wasOpen } of await endSessions(sql, cookies.map(hashKey))) {
    const entry = { action: 'sign-out', subject: tokenId, before: null, after: { source } };
    if (wasOpen) await writeAudit(sql, { ...auditActor(request), tokenId, name }, entry);
  }
}

const sessionOwner = ({ tokenId, credential }: StudioCaller): SessionOwner => ({
  tokenId,
  idHash: credential.kind === 'session' ? credential.idHash : null,
});

async function endSession(request: StudioRequest): Promise<HandlerResponse> {
  const id = pathId(request, 'ses');
  const ended = await audited(request, async (sql, record) => {
    const row = requireFound(request, 'ses', await endOwnSession(sql, sessionOwner(request.caller), id));
    await record({ action: 'session.end', subject: request.caller.tokenId, before: { session: id, source: row.source }, after: null });
    return row;
  });
  return { data: presentOwnSession(ended) };
}
