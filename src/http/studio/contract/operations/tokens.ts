import { ID } from './ids';
import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { TOKEN_EXAMPLE } from '../examples';
import { NEW_TOKEN, TOKEN } from '../resources';

/** What the contract says of tokens (studio API "Endpoints"). */
export const TOKEN_OPERATIONS = {
  create: {
    id: 'createToken',
    tag: 'Access',
    summary: 'Mint a studio token',
    description: 'Its text is in this answer and nowhere else.',
    answer: NEW_TOKEN,
    example: { request: { name: 'press-7', role: 'floor' }, answer: { ...TOKEN_EXAMPLE, token: `lps_${'0'.repeat(64)}` } },
  },
  list: {
    id: 'listTokens',
    tag: 'Access',
    summary: 'Every token, newest first',
    answer: list(TOKEN),
    paged: true,
    example: { answer: [TOKEN_EXAMPLE] },
  },
  revoke: {
    id: 'revokeToken',
    tag: 'Access',
    summary: 'Revoke a token',
    description: 'Repeating it changes nothing. The last admin token that works and does not expire stays: VALIDATION_ERROR.',
    params: { id: ID.token },
    answer: TOKEN,
    refuses: ['VALIDATION_ERROR'],
    example: { answer: TOKEN_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;
