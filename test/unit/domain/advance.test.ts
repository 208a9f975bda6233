import { planAdvance } from '../../../src/domain/advance';
import { decide } from '../../../src/domain/order-messages';
import { effectiveStatus, ORDER_STATUSES, type OrderFacts, type OrderState } from '../../../src/domain/order-status';
import { placedFacts } from '../../support/order-facts';

const INITIAL_FACTS: OrderFacts = placedFacts({ totalCents: 100 });
const stateOf = (facts: Partial<OrderFacts>): OrderState => ({
  orderNumber: 'T-1',
  accountId: 'acc_1',
  environment: 'test',
  version: 4,
  facts: { ...INITIAL_FACTS, ...facts },
  confirmationOwedSince: null,
  artworkDue: null,
});

const STATES: [string, Partial<OrderFacts>, string[]][] = [
  ['received', {}, ['received', 'in_production', 'on_hold', 'shipped', 'completed', 'cancelled']],
  ['in_production', { baseStatus: 'in_production' }, ['in_production', 'on_hold', 'shipped', 'completed', 'cancelled']],
  [
    'on_hold from received',
    { baseStatus: 'on_hold', heldFrom: 'received' },
    ['received', 'in_production', 'on_hold', 'shipped', 'completed', 'cancelled'],
  ],
  [
    'on_hold from production',
    { baseStatus: 'on_hold', heldFrom: 'in_production' },
    ['in_production', 'on_hold', 'shipped', 'completed', 'cancelled'],
  ],
  ['completed', { baseStatus: 'completed' }, ['shipped', 'completed', 'cancelled']],
  ['cancelled', { baseStatus: 'cancelled' }, ['cancelled']],
  ['shipped', { baseStatus: 'in_production', liveParcels: ['p1'] }, ['shipped']],
  ['shipped after it was cancelled', { baseStatus: 'cancelled', liveParcels: ['p1'] }, ['shipped']],
];

describe('planAdvance', () => {
  it.each(STATES)('from %s it reaches every reachable status by valid messages, and refuses the others', (_title, facts, reached) => {
    const state = stateOf(facts);
    for (const to of ORDER_STATUSES) {
      const plan = planAdvance(state, { to });
      expect([to, 'messages' in plan]).toEqual([to, reached.includes(to)]);
      if ('refused' in plan) {
        expect(plan.refused).toMatch(/\S/);
        continue;
      }
      const after = plan.messages.reduce((now, message) => {
        const verdict = decide(now, message);
        if ('refused' in verdict) throw new Error(`${message.type}: ${verdict.refused}`);
        return verdict.facts;
      }, state.facts);
      expect(effectiveStatus(after)).toBe(to);
    }
  });

  it('sends nothing if the status is reached, and the same messages for the same state', () => {
    for (const [, facts] of STATES) {
      const state = stateOf(facts);
      expect(planAdvance(state, { to: effectiveStatus(state.facts) })).toEqual({ messages: [] });
      for (const to of ORDER_STATUSES) expect(planAdvance(state, { to })).toEqual(planAdvance(state, { to }));
    }
  });

  it('names the parcels that prevent the status', () => {
    const shipped = stateOf({ liveParcels: ['p1', 'p2'], voidedParcels: ['p0'] });
    expect(planAdvance(shipped, { to: 'completed' })).toEqual({ refused: expect.stringContaining('p1, p2') });
    expect(planAdvance(shipped, { voidParcel: 'p3' })).toEqual({ refused: expect.stringContaining('it has p1, p2') });
    expect(planAdvance(shipped, { voidParcel: 'p0' })).toEqual({ messages: [] });
    expect(planAdvance(shipped, { voidParcel: 'p2' })).toEqual({ messages: [{ type: 'parcel_voided', parcelId: 'p2' }] });
  });
});
