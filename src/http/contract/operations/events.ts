import { EVENT_EXAMPLE } from '../examples';
import type { OperationContract } from '../operation';
import { ORDER_EVENT } from '../resources';

export const EVENT_OPERATIONS = {
  list: {
    id: 'listEvents',
    tag: 'Events',
    summary: "The account's events of the key's environment, oldest first, with the bodies of the webhooks",
    description:
      'For catching up after an outage, or instead of webhooks: none is ever skipped by a reader who pages. `nextCursor` is what to send as `after`; it is null when you have all there is.',
    answer: { type: 'array', items: ORDER_EVENT },
    paged: true,
    example: { answer: [EVENT_EXAMPLE] },
  },
} satisfies Record<string, OperationContract>;
