import { milestoneKind } from './kind';
import { byStatus, RELEASE_FIRST } from './status-step';

export const productionStarted = milestoneKind('production_started', {
  decide: byStatus({
    received: 'in_production',
    in_production: 'in_production',
    on_hold: RELEASE_FIRST,
    completed: { refused: 'the order is completed' },
    cancelled: { refused: 'the order is cancelled' },
  }),
});
