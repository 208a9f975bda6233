import type { BaseStatus } from '../order-status';
import { milestoneKind } from './kind';
import { applyStep, RELEASE_FIRST, type StatusStep } from './status-step';

const STEPS: Readonly<Record<BaseStatus, StatusStep>> = {
  received: { refused: 'the order has not started production; send production_started first' },
  in_production: { to: 'completed' },
  on_hold: RELEASE_FIRST,
  completed: { to: 'completed' },
  cancelled: { refused: 'the order is cancelled' },
};

export const completed = milestoneKind('completed', { decide: (facts) => applyStep(facts, STEPS) });
