import { stateMark, versionOfMark } from '../../../src/domain/state-mark';
import type { OrderFacts, OrderState } from '../../../src/domain/order-status';
import { placedFacts } from '../../support/order-facts';

const FACTS: OrderFacts = placedFacts({ liveParcels: ['a', 'b'], payments: { p1: 100, p2: 250 }, totalCents: 12_345 });

const markOf = (facts: Partial<OrderFacts> = {}, state: Partial<OrderState> = {}): string =>
  stateMark({
    orderNumber: 'T-10001',
    accountId: 'acc_1',
    environment: 'test',
    version: 7,
    facts: { ...FACTS, ...facts },
    confirmationOwedSince: null,
    artworkDue: null,
    ...state,
  });

describe('the mark of a state', () => {
  it('has the version', () => {
    expect(markOf()).toMatch(/^7:[0-9a-f]{16}$/);
    expect(versionOfMark(markOf())).toBe(7);
  });

  it('is equal for equal facts in another sequence', () => {
    expect(markOf({ liveParcels: ['b', 'a'], payments: { p2: 250, p1: 100 } })).toBe(markOf());
  });

  it.each<Partial<OrderFacts>>([
    { baseStatus: 'in_production' },
    { heldFrom: 'received' },
    { printed: true },
    { printedLines: [0] },
    { lineCount: 2 },
    { liveParcels: ['a'], voidedParcels: ['b'] },
    { payments: { p1: 101, p2: 250 } },
    { payments: { p1: 100 }, reversedPayments: ['p2'] },
    { totalCents: 12_346 },
    { creditNotes: { n1: 1 } },
    { reversedCreditNotes: ['n1'] },
  ])('differs for %j', (facts) => expect(markOf(facts)).not.toBe(markOf()));

  it('differs for another order number and another version', () => {
    expect(new Set([markOf(), markOf({}, { orderNumber: 'T-10002' }), markOf({}, { version: 8 })]).size).toBe(3);
  });
});
