import { readBadge } from '../badges';
import { isOrderNumber } from '../order-number';
import { notBlank, singleLineText, withExclusion } from './fields';
import { milestoneKind } from './kind';
import { byStatus, RELEASE_FIRST } from './status-step';

/** The name of the person who collected the order, and signed for it (ruling 106). */
export const SIGNED_BY_FIELD = {
  ...withExclusion(
    notBlank(singleLineText(100)),
    (value) => isOrderNumber(value) || readBadge(value) !== null,
    'must be the name of a person, not an order number or a badge',
  ),
  optional: true,
  isOmittedIfAbsent: true,
  isName: true,
} as const;

export const completed = milestoneKind<'completed', { signedBy?: string | null }>('completed', {
  fields: { signedBy: SIGNED_BY_FIELD },
  uncompared: ['signedBy'],
  decide: byStatus({
    received: { refused: 'the order has not started production; send production_started first' },
    in_production: 'completed',
    on_hold: RELEASE_FIRST,
    completed: 'completed',
    cancelled: { refused: 'the order is cancelled' },
  }),
});
