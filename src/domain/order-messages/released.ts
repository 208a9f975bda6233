import { milestoneKind, refusal } from './kind';

export const released = milestoneKind('released', {
  decide(facts) {
    if (facts.baseStatus !== 'on_hold') return refusal(`the order is not on hold, it is ${facts.baseStatus}`);
    return { facts: { ...facts, baseStatus: facts.heldFrom ?? 'received', heldFrom: null } };
  },
});
