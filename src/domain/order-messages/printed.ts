import { milestoneKind, refusal } from './kind';

export const printed = milestoneKind('printed', {
  decide: (facts) => (facts.baseStatus === 'cancelled' ? refusal('the order is cancelled') : { facts: { ...facts, printed: true } }),
});
