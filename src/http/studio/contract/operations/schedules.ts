import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { SCHEDULE_EXAMPLE } from '../examples';
import { SCHEDULE } from '../resources';

/** What the contract says of what runs by itself (studio API "Endpoints"). */
export const SCHEDULE_OPERATIONS = {
  list: {
    id: 'listSchedules',
    tag: 'Schedules',
    summary: 'What runs by itself, when next, and how the last runs ended',
    answer: list(SCHEDULE),
    refuses: ['TEMPORAL_AWAY'],
    example: { answer: [SCHEDULE_EXAMPLE] },
  },
} satisfies Record<string, OperationContract>;
