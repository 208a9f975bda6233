import type { BaseStatus } from '../order-status';
import { milestoneKind } from './kind';
import { applyStep, RELEASE_FIRST, type StatusStep } from './status-step';

const STEPS: Readonly<Record<BaseStatus, StatusStep>> = {
  received: { to: 'in_production' },
  in_production: { to: 'in_production' },
  on_hold: RELEASE_FIRST,
  completed: { refused: 'the order is completed' },
  cancelled: { refused: 'the order is cancelled' },
};

export const productionStarted = milestoneKind('production_started', { decide: (facts) => applyStep(facts, STEPS) });
