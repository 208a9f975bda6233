import { milestoneKind } from './kind';
import { byStatus, RELEASE_FIRST } from './status-step';

export const completed = milestoneKind('completed', {
  decide: byStatus({
    received: { refused: 'the order has not started production; send production_started first' },
    in_production: 'completed',
    on_hold: RELEASE_FIRST,
    completed: 'completed',
    cancelled: { refused: 'the order is cancelled' },
  }),
});
