import { ID } from './ids';
import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { ATTENTION_EXAMPLE, STUDIO_ORDER_EXAMPLE } from '../examples';
import { OPEN_ATTENTION, STUDIO_ORDER } from '../resources';

/** What the contract says of what needs a person (studio API "Attention"). */
export const ATTENTION_OPERATIONS = {
  list: {
    id: 'listAttention',
    tag: 'Attention',
    summary: 'Everything that needs a person, oldest first',
    description:
      'Of live orders unless those of test orders are asked for. What was cleared, by its opposite or by a person, is not in it.',
    answer: list(OPEN_ATTENTION),
    paged: true,
    example: { answer: [ATTENTION_EXAMPLE] },
    links: {
      readOrder: { operationId: 'getOrder', parameters: { id: '$response.body#/data/0/orderId' }, description: 'Reads its order.' },
      resolveIt: {
        operationId: 'resolveAttention',
        parameters: { id: '$response.body#/data/0/orderId', code: '$response.body#/data/0/code' },
        description: 'Says that somebody has seen to it.',
      },
    },
  },
  resolve: {
    id: 'resolveAttention',
    tag: 'Attention',
    summary: 'Say that somebody has seen to it',
    description: 'Clears all that is open on the order under this code; who and the note are kept.',
    params: { id: ID.order, code: ID.attention },
    answer: STUDIO_ORDER,
    example: { request: { note: 'the courier brings it back' }, answer: STUDIO_ORDER_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;
