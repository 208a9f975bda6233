import { insertToken, listTokens, lockNonExpiringAdminTokens, lockToken, revokeToken } from '../../db/repositories/tokens';
import { validationError } from '../../domain/errors';
import { ROLES, TOKEN_KINDS } from '../../domain/roles';
import { auditedToken, presentToken } from '../../presenters/tokens';
import { hashKey, newStudioToken } from '../../security/api-keys';
import { newId } from '../../security/ids';
import * as json from '../openapi/json';
import { requireFound, pathId } from '../path-id';
import { type BodyOf, bodySchema, oneOfField, optional, nullable, textFieldExcept } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { audited } from './support/audited';
import { EXAMPLE_TIME, TOKEN_ID } from './support/examples';
import { futureTime, timestampField } from './support/fields';
import { cursorByAge } from '../paging';
import { defineList } from './support/lists';
import type { StudioEndpointRow, StudioRequest } from './support/types';

/** Names of other actors in the timeline of an order. */
const RESERVED_NAMES = /^(account|studio|signal(:.*)?)$/su;

export const tokenRequest = bodySchema({
  name: textFieldExcept(
    1,
    100,
    RESERVED_NAMES,
    'must not be account, studio or signal, because these names mean other actors in timelines; choose another name',
  ).description('the name in timelines and the audit log'),
  role: oneOfField(ROLES).description('the role of the token'),
  kind: optional(oneOfField(TOKEN_KINDS)).description(
    '`station` for a browser on the floor that stays signed in; needs the role `floor`. Default: `person`',
  ),
  expiresAt: optional(nullable(timestampField())).description('the time of expiry; null or left out: the token does not expire'),
});

type Token = ReturnType<typeof presentToken>;

const TOKEN_FIELDS: json.Fields<Token> = {
  id: [json.id('tok'), TOKEN_ID],
  name: [json.string('the actor in timelines and the audit log'), 'press-7'],
  role: [json.openEnum(ROLES), 'floor'],
  kind: [json.openEnum(TOKEN_KINDS), 'person'],
  lastUsedAt: json.nullable(json.time('the time of the last request, to the minute')),
  expiresAt: json.nullable(json.time('null if it does not expire')),
  revokedAt: json.nullable(json.time()),
  createdAt: [json.time(), EXAMPLE_TIME],
};

const TOKEN = json.resource<Token>('Token', TOKEN_FIELDS);

const NEW_TOKEN = json.resource<Token & { token: string }>('NewToken', {
  ...TOKEN_FIELDS,
  token: [json.string('the secret, `lps_…`; no other response contains it', { pattern: '^lps_[0-9a-f]{64}$' }), `lps_${'0'.repeat(64)}`],
});

export const TOKENS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/tokens',
    role: 'admin',
    createsCredential: true,
    body: tokenRequest,
    status: 201,
    id: 'createToken',
    summary: 'Create a studio token',
    description:
      'Only this response contains the secret of the token. The token of a station signs in one browser, which stays signed in until the token is revoked. Requests cannot use it as `Authorization`.',
    response: NEW_TOKEN,
    requestExample: { name: 'press-7', role: 'floor' },
    handler: createToken,
  },
  ...defineList({
    path: '/tokens',
    role: 'admin',
    filters: {},
    id: 'listTokens',
    summary: 'List studio tokens',
    entry: TOKEN,
    list: ({ deps }) => ({
      find: (_filters, page) => listTokens(deps.database, page),
      cursorOf: cursorByAge,
      present: presentToken,
    }),
  }),
  {
    method: 'DELETE',
    path: '/tokens/:id',
    role: 'admin',
    id: 'revokeToken',
    summary: 'Revoke a studio token',
    description:
      'Repeating the request changes nothing. The last working admin token without an expiry cannot be revoked: the response is VALIDATION_ERROR.',
    response: TOKEN,
    errorCodes: ['VALIDATION_ERROR'],
    handler: deleteToken,
  },
];

async function createToken(request: StudioRequest<BodyOf<typeof tokenRequest>>): Promise<HandlerResponse> {
  const { body, deps } = request;
  const kind = body.kind ?? 'person';
  if (kind === 'station' && body.role !== 'floor')
    throw validationError([{ path: 'role', message: 'must be floor for a station, because everybody on the floor uses it' }]);
  const token = newStudioToken();
  const expiresAt = futureTime(request, body.expiresAt);
  const stored = await audited(request, async (sql, record) => {
    const row = await insertToken(sql, {
      id: newId('tok'),
      name: body.name,
      role: body.role,
      kind,
      hash: hashKey(token),
      expires_at: expiresAt,
      now: deps.clock.now(),
    });
    await record({ action: 'token.create', subject: row.id, before: null, after: auditedToken(row) });
    return row;
  });
  return { data: { ...presentToken(stored), token } };
}

async function deleteToken(request: StudioRequest): Promise<HandlerResponse> {
  const id = pathId(request, 'tok');
  const revoked = await audited(request, async (sql, record) => {
    // Locks the admin tokens first, so concurrent deletions lock in the same order.
    const admins = await lockNonExpiringAdminTokens(sql);
    const before = requireFound(request, 'tok', await lockToken(sql, id));
    if (admins.length === 1 && admins[0] === id)
      throw validationError([{ path: 'id', message: 'is the last working admin token without an expiry; create another one first' }]);
    const after = await revokeToken(sql, id, request.deps.clock.now());
    if (before.revoked_at === null)
      await record({ action: 'token.revoke', subject: id, before: auditedToken(before), after: auditedToken(after) });
    return after;
  });
  return { data: presentToken(revoked) };
}
