import type { BaseStatus, OrderFacts } from '../order-status';
import type { Verdict } from './kind';

export type StatusStep = { to: BaseStatus } | { refused: string };

export const RELEASE_FIRST = { refused: 'the order is on hold; release it first' };

export function applyStep(facts: OrderFacts, steps: Readonly<Record<BaseStatus, StatusStep>>): Verdict {
  const step = steps[facts.baseStatus];
  return 'refused' in step ? step : { facts: { ...facts, baseStatus: step.to } };
}
