import fc from 'fast-check';
import { isCorrectable, replay, type AppliedMilestone } from '../../../src/domain/correction';
import { decide, MILESTONE_TYPES, type MilestoneType, type OrderFacts, type OrderMessage } from '../../../src/domain/order-status';
import { cases } from '../../support/cases';

const PLACED: OrderFacts = {
  baseStatus: 'received',
  heldFrom: null,
  printed: false,
  liveParcels: [],
  voidedParcels: [],
  payments: {},
  reversedPayments: [],
  totalCents: 1000,
};

/** What messages lead to one after the other, those that are refused left out; and those that were applied. */
function told(messages: readonly OrderMessage[]): { facts: OrderFacts; applied: OrderMessage[] } {
  let facts = PLACED;
  const applied = messages.filter((message) => {
    const verdict = decide(facts, message);
    if ('facts' in verdict) facts = verdict.facts;
    return 'facts' in verdict;
  });
  return { facts, applied };
}

const milestones = (messages: readonly OrderMessage[]): AppliedMilestone[] =>
  messages.flatMap((message) =>
    MILESTONE_TYPES.includes(message.type as MilestoneType)
      ? [{ milestoneId: message.milestoneId ?? '', type: message.type as MilestoneType }]
      : [],
  );

const types = fc.constantFrom<OrderMessage['type']>(...MILESTONE_TYPES, 'parcel_added', 'payment_recorded');
const life = fc.array(types, { minLength: 1, maxLength: 12 }).map((each) =>
  each.map((type, at): OrderMessage => {
    if (type === 'parcel_added') return { type, parcelId: `p${at}`, trackingNumber: 'T' };
    if (type === 'payment_recorded') return { type, paymentId: `y${at}`, amountCents: 1 };
    return { type: type as MilestoneType, milestoneId: `m${at}` };
  }),
);

it('a correction leads where the order would have come without the milestone, or is refused where it would not have come; parcels and money stay', () => {
  const seen = { replayed: 0, refused: 0 };
  fc.assert(
    fc.property(life, fc.nat(), (messages, pick) => {
      const { facts, applied } = told(messages);
      const correctable = milestones(applied).filter(({ type }) => isCorrectable(type));
      const corrected = correctable[pick % Math.max(1, correctable.length)];
      if (corrected === undefined) return;
      const remaining = applied.filter(({ milestoneId }) => milestoneId !== corrected.milestoneId);
      const without = told(remaining);
      const replayed = replay(facts, milestones(remaining));
      if ('refused' in replayed) {
        const refused = milestones(remaining).find(({ milestoneId }) => !without.applied.some((one) => one.milestoneId === milestoneId));
        expect(replayed.refused).toContain(`${refused?.type} (${refused?.milestoneId})`);
        seen.refused += 1;
      } else {
        expect(replayed.facts).toEqual(without.facts);
        expect([replayed.facts.liveParcels, replayed.facts.payments]).toEqual([facts.liveParcels, facts.payments]);
        seen.replayed += 1;
      }
    }),
    cases(2000),
  );
  expect(seen.replayed).toBeGreaterThan(20);
  expect(seen.refused).toBeGreaterThan(cases(2000).numRuns / 100);
});
