import { ID } from './ids';
import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { KEY_EXAMPLE } from '../examples';
import { KEY, NEW_KEY } from '../resources';

/** What the contract says of keys (studio API "Endpoints"). */
export const KEY_OPERATIONS = {
  create: {
    id: 'createApiKey',
    tag: 'Access',
    summary: 'Issue an API key',
    description: 'Its text is in this answer and nowhere else.',
    params: { id: ID.account },
    answer: NEW_KEY,
    example: {
      request: { environment: 'test', scopes: ['price:read', 'orders:read', 'orders:write'], name: 'shop' },
      answer: { ...KEY_EXAMPLE, key: `lpk_test_${'0'.repeat(64)}` },
    },
  },
  list: {
    id: 'listApiKeys',
    tag: 'Access',
    summary: "The account's keys, newest first, never their text",
    params: { id: ID.account },
    answer: list(KEY),
    paged: true,
    example: { answer: [KEY_EXAMPLE] },
  },
  revoke: {
    id: 'revokeApiKey',
    tag: 'Access',
    summary: 'Revoke a key at once',
    description: 'Repeating it changes nothing.',
    params: { id: ID.account, keyId: ID.key },
    answer: KEY,
    example: { answer: KEY_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;
