import { assertNever } from '../errors';
import { optionalText } from './fields';
import { milestoneKind, refusal } from './kind';

/** The client reads `reason`. */
export const held = milestoneKind<'held', { reason?: string | null }>('held', {
  fields: { reason: { ...optionalText(500), isOmittedIfAbsent: true } },
  alwaysChanges: true,
  decide(facts) {
    const { baseStatus } = facts;
    switch (baseStatus) {
      case 'received':
      case 'in_production':
        return { facts: { ...facts, baseStatus: 'on_hold', heldFrom: baseStatus } };
      case 'on_hold':
        return { facts };
      case 'completed':
      case 'cancelled':
        return refusal(`the order is ${baseStatus}; only a received order or one in production can be held`);
      default:
        return assertNever(baseStatus);
    }
  },
});
