import type { OperationContract } from '../../../contract/operation';
import { STATS_EXAMPLE } from '../examples';
import { STATS } from '../resources';

/** What the contract says of statistics (studio API "Endpoints"). */
export const STATS_OPERATIONS = {
  read: {
    id: 'getStats',
    tag: 'Orders',
    summary: 'How many orders, how much, how late, and how well webhooks arrive',
    description:
      'Of orders placed in a period of at most 366 days, which begin and end where the studio is. Revenue is the totals of those that are not cancelled by now.',
    answer: STATS,
    example: { answer: STATS_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;
