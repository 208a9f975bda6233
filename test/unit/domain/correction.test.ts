import fc from 'fast-check';
import { isCorrectable, replay, type AppliedMilestone } from '../../../src/domain/correction';
import { decide, eventStatus, MILESTONE_TYPES, type MilestoneType, type OrderMessage } from '../../../src/domain/order-messages';
import { effectiveStatus, type OrderFacts } from '../../../src/domain/order-status';
import { propertyRuns } from '../../support/property-runs';
import { placedFacts } from '../../support/order-facts';

const INITIAL_FACTS: OrderFacts = placedFacts();

/** The state after these messages without the refused ones, and the applied messages. */
function applyAll(messages: readonly OrderMessage[]): { facts: OrderFacts; applied: OrderMessage[] } {
  let facts = INITIAL_FACTS;
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
      ? [
          {
            milestoneId: message.milestoneId ?? '',
            type: message.type as MilestoneType,
            lines: ('lines' in message && (message.lines as number[])) || null,
          },
        ]
      : [],
  );

const types = fc.constantFrom<OrderMessage['type']>(...MILESTONE_TYPES, 'parcel_added', 'payment_recorded');
const messageSequence = fc.array(types, { minLength: 1, maxLength: 12 }).map((each) =>
  each.map((type, at): OrderMessage => {
    if (type === 'parcel_added') return { type, parcelId: `p${at}`, trackingNumber: 'T' };
    if (type === 'payment_recorded') return { type, paymentId: `y${at}`, amountCents: 1 };
    return { type: type as MilestoneType, milestoneId: `m${at}` };
  }),
);

/** The order after `steps`, identified by their types, and its state after the correction of one of them. */
function correct(steps: string[], milestoneId: string) {
  const messages = steps.map((step): OrderMessage =>
    step === 'parcel' ? { type: 'parcel_added', parcelId: 'box', trackingNumber: 'T' } : { type: step as MilestoneType, milestoneId: step },
  );
  const { facts, applied } = applyAll(messages);
  const replayed = replay(
    facts,
    milestones(applied).filter((one) => one.milestoneId !== milestoneId),
  );
  return { facts, replayed };
}

it.each<[steps: string[], corrected: string, after: unknown[], event: string | null]>([
  [['production_started'], 'production_started', ['received', 'received', false], 'received'],
  [['production_started', 'printed'], 'printed', ['in_production', 'in_production', false], null],
  [['production_started', 'printed'], 'production_started', ['received', 'received', true], 'received'],
  [['production_started', 'held'], 'held', ['in_production', 'in_production', false], 'in_production'],
  [['held'], 'held', ['received', 'received', false], 'received'],
  [['production_started', 'held', 'released'], 'released', ['on_hold', 'on_hold', false], 'on_hold'],
  [['production_started', 'completed'], 'completed', ['in_production', 'in_production', false], 'in_production'],
  [['production_started', 'parcel', 'completed'], 'completed', ['shipped', 'in_production', false], null],
  [['production_started', 'parcel'], 'production_started', ['shipped', 'received', false], null],
  [['production_started', 'artwork_rejected', 'parcel'], 'production_started', ['shipped', 'received', false], null],
  [['printed', 'cancelled'], 'printed', ['cancelled', 'cancelled', false], null],
])('after %j, the correction of %s leaves %j and emits %s', (steps, milestoneId, after, event) => {
  const { facts, replayed } = correct(steps, milestoneId);
  if ('refused' in replayed) throw new Error(replayed.refused);
  const { facts: left } = replayed;
  expect([effectiveStatus(left), left.baseStatus, left.printed]).toEqual(after);
  expect(eventStatus(facts, left)).toBe(event);
});

it("a client's cancellation stays accepted, also if a parcel left afterwards", () => {
  const { facts } = applyAll([
    { type: 'production_started', milestoneId: 'm1' },
    { type: 'cancelled', milestoneId: 'cancel:msg_1' },
    { type: 'parcel_added', parcelId: 'box', trackingNumber: 'T' },
  ]);
  expect(replay(facts, [{ milestoneId: 'cancel:msg_1', type: 'cancelled', lines: null }])).toMatchObject({
    facts: { baseStatus: 'cancelled' },
  });
});

it.each<[steps: string[], corrected: string, why: RegExp]>([
  [['production_started', 'completed'], 'production_started', /^completed \(completed\) came later and depends on it/],
  [['production_started', 'held', 'released'], 'held', /^released \(released\) came later and depends on it/],
])('after %j, the correction of %s is refused', (steps, milestoneId, why) => {
  expect(correct(steps, milestoneId).replayed).toEqual({ refused: expect.stringMatching(why) });
});

it('a correction gives the state without the milestone, or is refused if later milestones need it; parcels and money stay', () => {
  const seen = { replayed: 0, refused: 0 };
  fc.assert(
    fc.property(messageSequence, fc.nat(), (messages, pick) => {
      const { facts, applied } = applyAll(messages);
      const correctable = milestones(applied).filter(({ type }) => isCorrectable(type));
      const corrected = correctable[pick % Math.max(1, correctable.length)];
      if (corrected === undefined) return;
      const remaining = applied.filter(({ milestoneId }) => milestoneId !== corrected.milestoneId);
      const without = applyAll(remaining);
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
    propertyRuns(2000),
  );
  expect(seen.replayed).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
});
