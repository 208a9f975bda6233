import type { PageMark } from '../../db/keyset';
import { endOwnSession, listOwnSessions, type SessionOwner } from '../../db/repositories/sessions';
import { presentOwnSession } from '../../presenters/tokens';
import * as json from '../openapi/json';
import { answerPage, markByAge } from '../paging';
import { found, pathId } from '../path-id';
import { PAGE } from '../schemas/paging';
import type { Answer } from '../types';
import { audited } from './support/audited';
import { AT } from './support/examples';
import type { StudioCaller, StudioEndpointRow, StudioRequest } from './support/types';

type OwnSession = ReturnType<typeof presentOwnSession>;

const EXAMPLE = {
  id: 'ses_4be1',
  isCurrent: true,
  source: '192.0.2.14',
  userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.4; rv:124.0) Gecko/20100101 Firefox/124.0',
  createdAt: AT,
  lastSeenAt: AT,
  expiresAt: '2026-03-02T13:05:00.000Z',
};

const OWN_SESSION = json.resourceWithExample<OwnSession>('OwnSession', EXAMPLE, {
  id: json.id('ses'),
  isCurrent: json.boolean('the request uses its cookie'),
  source: json.string('the source address of the sign-in; an IPv6 address as its /64'),
  userAgent: json.nullable(json.string('the User-Agent header of the sign-in')),
  createdAt: json.time('when it signed in'),
  lastSeenAt: json.time('its last request, to the minute'),
  expiresAt: json.time('when the session ends at the latest'),
});

export const OWN_SESSIONS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/sessions',
    role: 'floor',
    query: PAGE,
    id: 'listOwnSessions',
    summary: 'Your open sessions, newest first',
    description: "Lists the sessions of the caller's token, sent by cookie or as `Authorization`.",
    answer: json.list(OWN_SESSION),
    paged: true,
    handler: listSessions,
  },
  {
    method: 'DELETE',
    path: '/sessions/:id',
    role: 'floor',
    id: 'endOwnSession',
    summary: 'End one of your sessions',
    description: 'That browser has to sign in again. An ended session or a session of another token is 404.',
    answer: OWN_SESSION,
    example: { ...EXAMPLE, isCurrent: false },
    handler: endSession,
  },
];

const ownerOf = ({ tokenId, credential }: StudioCaller): SessionOwner => ({
  tokenId,
  idHash: credential.kind === 'session' ? credential.idHash : null,
});

async function listSessions(request: StudioRequest): Promise<Answer> {
  const { deps, caller } = request;
  const find = (limit: number, after: PageMark | null) => listOwnSessions(deps.database, ownerOf(caller), { limit, after });
  return answerPage(request, { name: `sessions/${caller.tokenId}`, find, mark: markByAge, present: presentOwnSession });
}

async function endSession(request: StudioRequest): Promise<Answer> {
  const id = pathId(request, 'ses');
  const ended = await audited(request, async (sql, record) => {
    const row = found(request, 'ses', await endOwnSession(sql, ownerOf(request.caller), id));
    await record({ action: 'session.end', subject: request.caller.tokenId, before: { session: id, source: row.source }, after: null });
    return row;
  });
  return { data: presentOwnSession(ended) };
}
