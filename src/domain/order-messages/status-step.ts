import type { BaseStatus, OrderFacts } from '../order-status';
import type { Verdict } from './kind';

export const RELEASE_FIRST = { refused: 'the order is on hold; release it first' };

/** Decides by the base status: the next status, or a refusal. */
export const byStatus =
  (steps: Readonly<Record<BaseStatus, BaseStatus | { refused: string }>>) =>
  (facts: OrderFacts): Verdict => {
    const step = steps[facts.baseStatus];
    return typeof step === 'string' ? { facts: { ...facts, baseStatus: step } } : step;
  };
