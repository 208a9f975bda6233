import { insertKey, listKeys, lockKey, revokeKey } from '../../db/repositories/keys';
import { ENVIRONMENTS, SCOPES } from '../../domain/limits';
import { auditedKey, presentKey } from '../../presenters/accounts';
import { newApiKey } from '../../security/api-keys';
import { newId } from '../../security/ids';
import * as json from '../openapi/json';
import { requireFound, pathId } from '../path-id';
import { type BodyOf, bodySchema, listField, oneOfField, optional, nullable, textField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { requireAccountId } from './accounts/accounts';
import { audited } from './support/audited';
import { ACCOUNT_ID, EXAMPLE_TIME } from './support/examples';
import { futureTime, timestampField } from './support/fields';
import { cursorByAge } from '../paging';
import { defineList } from './support/lists';
import { ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const keyRequest = bodySchema({
  environment: oneOfField(ENVIRONMENTS).description('the environment of the key'),
  scopes: listField(oneOfField(SCOPES), 1, SCOPES.length).description('the requests that the key may send'),
  name: optional(nullable(textField(0, 100))).description('the name of the key'),
  expiresAt: optional(nullable(timestampField())).description('the time of expiry; null or left out: the key does not expire'),
});

type Key = ReturnType<typeof presentKey>;

const KEY_FIELDS: json.Fields<Key> = {
  id: [json.id('key'), 'key_9b20'],
  accountId: [json.id('acc'), ACCOUNT_ID],
  environment: [ENVIRONMENT, 'test'],
  scopes: [json.list(json.openEnum(SCOPES)), ['price:read', 'orders:read', 'orders:write']],
  name: [json.nullable(json.string()), 'shop'],
  prefix: [json.string('the beginning of the secret'), 'lpk_test_'],
  lastFour: [json.string('the last four characters of the secret'), '4f1c'],
  expiresAt: json.nullable(json.time('null if it does not expire')),
  revokedAt: json.nullable(json.time()),
  lastUsedAt: json.nullable(json.time('the time of the last request, to the minute')),
  createdAt: [json.time(), EXAMPLE_TIME],
};

const KEY = json.resource<Key>('ApiKey', KEY_FIELDS);

const NEW_KEY = json.resource<Key & { key: string }>('NewApiKey', {
  ...KEY_FIELDS,
  key: [
    json.string('the secret, `lpk_…`; no other response contains it', { pattern: '^lpk_(live|test)_[0-9a-f]{64}$' }),
    `lpk_test_${'0'.repeat(64)}`,
  ],
});

export const KEYS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/accounts/:id/keys',
    role: 'admin',
    createsCredential: true,
    body: keyRequest,
    status: 201,
    id: 'createApiKey',
    summary: 'Create an API key',
    description: 'Only this response contains the secret of the key.',
    response: NEW_KEY,
    requestExample: { environment: 'test', scopes: ['price:read', 'orders:read', 'orders:write'], name: 'shop' },
    handler: createKey,
  },
  ...defineList({
    path: '/accounts/:id/keys',
    role: 'admin',
    filters: {},
    id: 'listApiKeys',
    summary: 'List API keys',
    entry: KEY,
    list: async (request) => {
      const accountId = await requireAccountId(request);
      return {
        find: (_filters, page) => listKeys(request.deps.database, accountId, page),
        cursorOf: cursorByAge,
        present: presentKey,
      };
    },
  }),
  {
    method: 'DELETE',
    path: '/accounts/:id/keys/:keyId',
    role: 'admin',
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'The next request with the key is refused. Repeating the request changes nothing.',
    response: KEY,
    handler: deleteKey,
  },
];

/** Only a hash is stored (specification "Authentication" 4). */
async function createKey(request: StudioRequest<BodyOf<typeof keyRequest>>): Promise<HandlerResponse> {
  const { body, deps } = request;
  const accountId = await requireAccountId(request);
  const key = newApiKey(body.environment);
  const expiresAt = futureTime(request, body.expiresAt);
  const stored = await audited(request, async (sql, record) => {
    const inserted = await insertKey(sql, key, {
      id: newId('key'),
      account_id: accountId,
      environment: body.environment,
      scopes: body.scopes,
      name: body.name ?? null,
      expires_at: expiresAt,
      created_at: deps.clock.now(),
    });
    await record({ action: 'key.create', subject: inserted.id, before: null, after: auditedKey(inserted) });
    return inserted;
  });
  return { data: { ...presentKey(stored), key } };
}

async function deleteKey(request: StudioRequest): Promise<HandlerResponse> {
  const accountId = await requireAccountId(request);
  const keyId = pathId(request, 'key', 'keyId');
  const revoked = await audited(request, async (sql, record) => {
    const before = requireFound(request, 'key', await lockKey(sql, accountId, keyId));
    const after = await revokeKey(sql, keyId, request.deps.clock.now());
    if (before.revoked_at === null)
      await record({ action: 'key.revoke', subject: keyId, before: auditedKey(before), after: auditedKey(after) });
    return after;
  });
  return { data: presentKey(revoked) };
}
