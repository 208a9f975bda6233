import fc from 'fast-check';
import { cancelRefusal, cancelBlockers, toCancelFacts, cancelObstacles } from '../../../src/domain/cancel-rules';
import {
  decide,
  eventStatus,
  hasEffect,
  MILESTONE_TYPES,
  type OrderMessage,
  type OrderMessageType,
} from '../../../src/domain/order-messages';
import { effectiveStatus, isSettled, ORDER_STATUSES, paidCents, type BaseStatus, type OrderFacts } from '../../../src/domain/order-status';
import { propertyRuns } from '../../support/property-runs';
import { placedFacts } from '../../support/order-facts';

const TOTAL_CENTS = 10_000;
const someFacts = (overrides: Partial<OrderFacts> = {}): OrderFacts => placedFacts({ totalCents: TOTAL_CENTS, ...overrides });
const facts = (baseStatus: BaseStatus, overrides: Partial<OrderFacts> = {}): OrderFacts =>
  someFacts({ baseStatus, heldFrom: baseStatus === 'on_hold' ? 'in_production' : null, ...overrides });

const message = (type: OrderMessageType, overrides: object = {}): OrderMessage =>
  ({
    milestoneId: 'm',
    type,
    ...(type.startsWith('parcel') ? { parcelId: 'p1', trackingNumber: 't' } : {}),
    ...(type.startsWith('payment') ? { paymentId: 'pay1', amountCents: 100, reason: 'bounced' } : {}),
    ...overrides,
  }) as OrderMessage;

/** The facts after the message. Throws the reason of a refusal. */
function applyMessage(before: OrderFacts, sent: OrderMessage): OrderFacts {
  const verdict = decide(before, sent);
  if ('refused' in verdict) throw new Error(verdict.refused);
  return verdict.facts;
}

describe('base status × message (ruling 28)', () => {
  const REFUSED = /./;
  type Row = [OrderMessageType, Record<BaseStatus, BaseStatus | RegExp>];
  const table: Row[] = [
    [
      'production_started',
      {
        received: 'in_production',
        in_production: 'in_production',
        on_hold: /release it first/,
        completed: /is completed/,
        cancelled: /is cancelled/,
      },
    ],
    [
      'printed',
      { received: 'received', in_production: 'in_production', on_hold: 'on_hold', completed: 'completed', cancelled: /is cancelled/ },
    ],
    ...(['framed', 'checked', 'ready'] as const).map((type): Row => [
      type,
      {
        received: /production_started first/,
        in_production: 'in_production',
        on_hold: /release it first/,
        completed: /is completed/,
        cancelled: /is cancelled/,
      },
    ]),
    ['held', { received: 'on_hold', in_production: 'on_hold', on_hold: 'on_hold', completed: /is completed/, cancelled: /is cancelled/ }],
    [
      'released',
      {
        received: /not on hold/,
        in_production: /not on hold/,
        on_hold: 'in_production',
        completed: /not on hold/,
        cancelled: /not on hold/,
      },
    ],
    [
      'artwork_rejected',
      { received: 'received', in_production: 'in_production', on_hold: 'on_hold', completed: /is completed/, cancelled: /is cancelled/ },
    ],
    [
      'completed',
      {
        received: /production_started first/,
        in_production: 'completed',
        on_hold: /release it first/,
        completed: 'completed',
        cancelled: /is cancelled/,
      },
    ],
    [
      'cancelled',
      { received: 'cancelled', in_production: 'cancelled', on_hold: 'cancelled', completed: 'cancelled', cancelled: 'cancelled' },
    ],
    [
      'parcel_added',
      { received: 'received', in_production: 'in_production', on_hold: 'on_hold', completed: 'completed', cancelled: 'cancelled' },
    ],
    ['parcel_voided', { received: REFUSED, in_production: REFUSED, on_hold: REFUSED, completed: REFUSED, cancelled: REFUSED }],
    [
      'payment_recorded',
      { received: 'received', in_production: 'in_production', on_hold: 'on_hold', completed: 'completed', cancelled: /invoice is void/ },
    ],
    ['payment_reversed', { received: REFUSED, in_production: REFUSED, on_hold: REFUSED, completed: REFUSED, cancelled: REFUSED }],
  ];
  it.each(table.flatMap(([type, row]) => Object.entries(row).map(([from, to]) => [type, from as BaseStatus, to] as const)))(
    '%s at %s: %s',
    (type, from, to) => {
      const verdict = decide(facts(from), message(type));
      if (to instanceof RegExp) expect(verdict).toEqual({ refused: expect.stringMatching(to) });
      else expect(verdict).toEqual({ facts: expect.objectContaining({ baseStatus: to }) });
    },
  );

  it('artwork is rejected before it is printed', () => {
    expect(decide(facts('in_production', { printed: true, printedLines: [0] }), message('artwork_rejected'))).toEqual({
      refused: 'the order is printed; artwork can be rejected only before printing',
    });
  });

  it.each(['received', 'in_production'] as const)('releasing a held order %s restores its status', (from) => {
    const held = applyMessage(facts(from), message('held'));
    expect(held).toMatchObject({ baseStatus: 'on_hold', heldFrom: from });
    expect(applyMessage(held, message('released'))).toEqual(facts(from));
  });
});

describe('state × milestone', () => {
  const STAGES_AFTER_PRINTING = ['framed', 'checked', 'ready'] as const;
  /** The messages that lead to each state. */
  const STATES: Record<string, OrderMessageType[]> = {
    received: [],
    in_production: ['production_started'],
    'on_hold from received': ['held'],
    'on_hold from in_production': ['production_started', 'held'],
    completed: ['production_started', 'completed'],
    cancelled: ['cancelled'],
    'shipped, base received': ['parcel_added'],
    'shipped, base in_production': ['production_started', 'parcel_added'],
    'shipped, base completed': ['production_started', 'completed', 'parcel_added'],
  };
  const MOVES: [state: string, milestone: OrderMessageType, status: string, baseStatus: string, event: string | null][] = [
    ...STAGES_AFTER_PRINTING.flatMap((type): [string, OrderMessageType, string, string, null][] => [
      ['in_production', type, 'in_production', 'in_production', null],
      ['shipped, base in_production', type, 'shipped', 'in_production', null],
    ]),
    ['received', 'production_started', 'in_production', 'in_production', 'in_production'],
    ['received', 'printed', 'received', 'received', null],
    ['received', 'held', 'on_hold', 'on_hold', 'on_hold'],
    ['received', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
    ['received', 'artwork_rejected', 'received', 'received', null],
    ['in_production', 'artwork_rejected', 'in_production', 'in_production', null],
    ['on_hold from received', 'artwork_rejected', 'on_hold', 'on_hold', null],
    ['in_production', 'production_started', 'in_production', 'in_production', null],
    ['in_production', 'printed', 'in_production', 'in_production', null],
    ['in_production', 'held', 'on_hold', 'on_hold', 'on_hold'],
    ['in_production', 'completed', 'completed', 'completed', 'completed'],
    ['in_production', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
    ['on_hold from received', 'printed', 'on_hold', 'on_hold', null],
    ['on_hold from received', 'held', 'on_hold', 'on_hold', null],
    ['on_hold from received', 'released', 'received', 'received', 'received'],
    ['on_hold from received', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
    ['on_hold from in_production', 'released', 'in_production', 'in_production', 'in_production'],
    ['completed', 'printed', 'completed', 'completed', null],
    ['completed', 'completed', 'completed', 'completed', null],
    ['completed', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
    ['cancelled', 'cancelled', 'cancelled', 'cancelled', null],
    ['shipped, base received', 'production_started', 'shipped', 'in_production', null],
    ['shipped, base in_production', 'held', 'shipped', 'on_hold', null],
    ['shipped, base in_production', 'printed', 'shipped', 'in_production', null],
    ['shipped, base in_production', 'completed', 'shipped', 'completed', null],
    ['shipped, base in_production', 'cancelled', 'shipped', 'cancelled', null],
    ['shipped, base completed', 'completed', 'shipped', 'completed', null],
  ];
  const REFUSALS: [state: string, milestone: OrderMessageType, reason: RegExp][] = [
    ...STAGES_AFTER_PRINTING.flatMap((type): [string, OrderMessageType, RegExp][] => [
      ['received', type, /has not started production/],
      ['on_hold from received', type, /on hold; release it first/],
      ['on_hold from in_production', type, /on hold; release it first/],
      ['completed', type, /is completed/],
      ['cancelled', type, /is cancelled/],
    ]),
    ['shipped, base in_production', 'artwork_rejected', /is shipped/],
    ['completed', 'artwork_rejected', /is completed/],
    ['cancelled', 'artwork_rejected', /is cancelled/],
    ['received', 'released', /not on hold/],
    ['received', 'completed', /has not started production/],
    ['in_production', 'released', /not on hold/],
    ['on_hold from received', 'production_started', /on hold; release it first/],
    ['on_hold from received', 'completed', /on hold; release it first/],
    ['on_hold from in_production', 'completed', /on hold; release it first/],
    ['completed', 'production_started', /is completed/],
    ['completed', 'held', /is completed/],
    ['completed', 'released', /not on hold/],
    ['cancelled', 'production_started', /is cancelled/],
    ['cancelled', 'printed', /is cancelled/],
    ['cancelled', 'held', /is cancelled/],
    ['cancelled', 'released', /not on hold/],
    ['cancelled', 'completed', /is cancelled/],
    ['shipped, base received', 'completed', /has not started production/],
    ['shipped, base completed', 'held', /is completed/],
  ];
  const factsOfState = (state: string): OrderFacts =>
    (STATES[state] ?? []).reduce((before, type) => applyMessage(before, message(type)), someFacts());

  it.each(MOVES)('%s: %s gives %s, base %s, and emits %s', (state, type, status, baseStatus, event) => {
    const before = factsOfState(state);
    const moved = applyMessage(before, message(type));
    expect([effectiveStatus(moved), moved.baseStatus, eventStatus(before, moved)]).toEqual([status, baseStatus, event]);
  });
  it.each(REFUSALS)('%s: %s is refused, %p', (state, type, reason) => {
    expect(decide(factsOfState(state), message(type))).toEqual({ refused: expect.stringMatching(reason) });
  });
  it('has a case for each milestone in each state without a parcel', () => {
    const judged = new Set([...MOVES, ...REFUSALS].map(([state, milestone]) => `${state}/${milestone}`));
    const bare = ['received', 'in_production', 'on_hold from received', 'completed', 'cancelled'];
    expect(bare.flatMap((state) => MILESTONE_TYPES.map((type) => `${state}/${type}`)).filter((pair) => !judged.has(pair))).toEqual([]);
  });
});

describe('stages by line', () => {
  const order = facts('in_production', { lineCount: 3 });

  it('the order is printed once all its lines are', () => {
    const one = applyMessage(order, message('printed', { lines: [2] }));
    expect(one).toEqual({ ...order, printedLines: [2] });
    const two = applyMessage(one, message('printed', { lines: [0, 2] }));
    expect(two).toMatchObject({ printed: false, printedLines: [0, 2] });
    expect(applyMessage(two, message('printed', { lines: [1] }))).toEqual({ ...order, printed: true, printedLines: [0, 1, 2] });
    expect(applyMessage(one, message('printed'))).toEqual({ ...order, printed: true, printedLines: [0, 1, 2] });
  });

  it('one printed line is an obstacle to the cancel of the client', () => {
    const one = applyMessage(order, message('printed', { lines: [1] }));
    expect(cancelObstacles(toCancelFacts(one))).toEqual(['printed']);
  });

  it.each(['artwork_rejected', 'artwork_replaced'] as const)('%s looks at its line', (type) => {
    const one = applyMessage(order, message('printed', { lines: [1] }));
    expect(decide(one, message(type, { line: 0 }))).toEqual({ facts: one });
    expect(decide(one, message(type, { line: 1 }))).toEqual({ refused: expect.stringMatching(/^line 1 \(the 2nd\) is printed; artwork/) });
  });

  it.each(['framed', 'checked', 'ready'] as const)('%s changes no fact', (type) => {
    expect(decide(order, message(type, { lines: [0, 2] }))).toEqual({ facts: order });
    expect(hasEffect(type, order, order)).toBe(true);
  });

  it.each(['printed', 'framed', 'checked', 'ready'] as const)('%s of a line that the order does not have is refused', (type) => {
    expect(decide(order, message(type, { lines: [0, 3] }))).toEqual({ refused: 'the order has 3 lines; there is no line 3 (the 4th)' });
  });
});

describe('parcels and payments', () => {
  it.each(['received', 'in_production', 'on_hold', 'completed', 'cancelled'] as const)(
    'a live parcel overrides %s, and voiding the last one restores it',
    (base) => {
      const shipped = applyMessage(applyMessage(facts(base), message('parcel_added')), message('parcel_added', { parcelId: 'p2' }));
      expect(effectiveStatus(shipped)).toBe('shipped');
      const one = applyMessage(shipped, message('parcel_voided'));
      expect(effectiveStatus(one)).toBe('shipped');
      expect(effectiveStatus(applyMessage(one, message('parcel_voided', { parcelId: 'p2' })))).toBe(base);
    },
  );

  it.each<[string, OrderFacts, OrderMessage, RegExp]>([
    ['an existing parcel', someFacts({ liveParcels: ['p1'] }), message('parcel_added'), /already/],
    ['a parcel that was voided', someFacts({ voidedParcels: ['p1'] }), message('parcel_added'), /was voided/],
    ['a void of no parcel', someFacts(), message('parcel_voided'), /no parcel p1/],
    [
      'more money than is open',
      someFacts({ payments: { a: 9_950 } }),
      message('payment_recorded'),
      /the payment is [\d.]+, but only 0\.50 of the invoice is open$/,
    ],
    ['an existing payment', someFacts({ payments: { pay1: 1 } }), message('payment_recorded'), /already/],
    ['a payment that was reversed', someFacts({ reversedPayments: ['pay1'] }), message('payment_recorded'), /was reversed/],
    ['a reversal of no payment', someFacts(), message('payment_reversed'), /no payment pay1/],
  ])('refuses %s', (_title, before, sent, reason) => {
    expect(decide(before, sent)).toEqual({ refused: expect.stringMatching(reason) });
  });

  it('accepts a payment of exactly the open amount, and a reversal reopens it', () => {
    const paid = applyMessage(someFacts(), message('payment_recorded', { amountCents: TOTAL_CENTS }));
    expect(paidCents(paid)).toBe(TOTAL_CENTS);
    expect(applyMessage(paid, message('payment_reversed'))).toMatchObject({ payments: {}, reversedPayments: ['pay1'] });
  });
});

describe('events (ruling 29)', () => {
  it.each<[string, OrderFacts, OrderMessage, string | null]>([
    ['a changed status', facts('received'), message('production_started'), 'in_production'],
    ['an unchanged status', facts('in_production'), message('production_started'), null],
    ['printed', facts('in_production'), message('printed'), null],
    ['a payment', facts('received'), message('payment_recorded'), null],
    ['the first parcel', facts('in_production'), message('parcel_added'), 'shipped'],
    ['another parcel', facts('in_production', { liveParcels: ['p0'] }), message('parcel_added'), 'shipped'],
    ['a move below a live parcel', facts('in_production', { liveParcels: ['p0'] }), message('completed'), null],
    ['a cancel below a live parcel', facts('in_production', { liveParcels: ['p0'] }), message('cancelled'), null],
    ['a void that leaves a parcel', facts('in_production', { liveParcels: ['p0', 'p1'] }), message('parcel_voided'), null],
    ['the last void', facts('cancelled', { liveParcels: ['p1'] }), message('parcel_voided'), 'cancelled'],
    ['a second cancel', facts('cancelled'), message('cancelled'), null],
  ])('%s', (_title, before, sent, status) => {
    expect(eventStatus(before, applyMessage(before, sent))).toBe(status);
  });
});

describe('cancelling (ruling 30)', () => {
  const obstacles: Record<string, Partial<OrderFacts>> = {
    shipped: { liveParcels: ['p'] },
    printed: { printedLines: [0] },
    money: { payments: { pay: 1 } },
  };
  const combinations = [
    [],
    ['shipped'],
    ['printed'],
    ['money'],
    ['shipped', 'printed'],
    ['shipped', 'money'],
    ['printed', 'money'],
    ['shipped', 'printed', 'money'],
  ];
  it.each(combinations.map((names) => [names.join(' + ') || 'nothing', names] as const))(
    '%s is named as an obstacle, at any status',
    (_title, names) => {
      for (const base of ['received', 'in_production', 'on_hold', 'completed'] as const) {
        const order = facts(base, Object.assign({}, ...names.map((name) => obstacles[name])));
        expect(cancelObstacles(toCancelFacts(order))).toEqual(names);
        expect(cancelBlockers(toCancelFacts(order))).toEqual(names);
        expect(cancelBlockers(toCancelFacts({ ...order, baseStatus: 'cancelled' }))).toEqual([...names, 'cancelled']);
        if (names.length === 0) expect(cancelRefusal(order)).toBeNull();
        else expect(cancelRefusal(order)).toMatch(new RegExp(names.map((name) => `\\(${name}\\)`).join('.*')));
      }
    },
  );

  it('voided parcels and reversed payments do not prevent a cancel', () => {
    expect(cancelObstacles(toCancelFacts(someFacts({ voidedParcels: ['p'], reversedPayments: ['pay'] })))).toEqual([]);
  });

  it.each<[string, OrderMessage[], string[]]>([
    [
      'one of two parcels voided',
      [message('parcel_added'), message('parcel_added', { parcelId: 'p2' }), message('parcel_voided')],
      ['shipped'],
    ],
    [
      'one of two payments reversed',
      [message('payment_recorded'), message('payment_recorded', { paymentId: 'pay2' }), message('payment_reversed')],
      ['money'],
    ],
    ['the only parcel voided', [message('parcel_added'), message('parcel_voided')], []],
    ['the only payment reversed', [message('payment_recorded'), message('payment_reversed')], []],
  ])('%s leaves %j as obstacles', (_title, messages, left) => {
    expect(cancelObstacles(toCancelFacts(messages.reduce(applyMessage, someFacts())))).toEqual(left);
  });
});

describe('any messages in any order', () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const anyMessage: fc.Arbitrary<OrderMessage> = fc.oneof(
    fc.constantFrom(...MILESTONE_TYPES.filter((type) => type !== 'cancelled')).map((type) => message(type)),
    fc
      .record({ type: fc.constantFrom('parcel_added' as const, 'parcel_voided' as const), parcelId: id })
      .map(({ type, parcelId }) => message(type, { parcelId })),
    fc
      .record({
        type: fc.constantFrom('payment_recorded' as const, 'payment_reversed' as const),
        paymentId: id,
        amountCents: fc.integer({ min: 1, max: TOTAL_CENTS }),
      })
      .map(({ type, ...payment }) => message(type, payment)),
    { weight: 1, arbitrary: fc.constant(message('cancelled')) },
  );
  /** The facts after every message. Refused messages do not change them. */
  const applyEach = (messages: OrderMessage[]) =>
    messages.reduce<OrderFacts[]>(
      (seen, sent) => {
        const before = seen.at(-1) ?? someFacts();
        const verdict = decide(before, sent);
        return [...seen, 'refused' in verdict ? before : verdict.facts];
      },
      [someFacts()],
    );
  const assertForAll = (property: (messages: OrderMessage[], seen: OrderFacts[]) => void) =>
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 40 }), (messages) => property(messages, applyEach(messages))),
      propertyRuns(500),
    );

  it('the status is one of the six, and shipped exactly while a parcel is live', () => {
    assertForAll((_messages, seen) => {
      for (const state of seen) {
        expect(ORDER_STATUSES).toContain(effectiveStatus(state));
        expect(effectiveStatus(state) === 'shipped').toBe(state.liveParcels.length > 0);
      }
    });
  });

  it('cancelled stays cancelled, and settled stays settled', () => {
    assertForAll((_messages, seen) => {
      const bases = seen.map(({ baseStatus }) => baseStatus);
      const cancelled = bases.indexOf('cancelled');
      if (cancelled >= 0) expect(new Set(bases.slice(cancelled))).toEqual(new Set(['cancelled']));
      const settled = seen.findIndex((state) => isSettled(state));
      if (settled >= 0) expect(seen.slice(settled).every((state) => isSettled(state))).toBe(true);
    });
  });

  it('held-from is set only while on hold; no parcel or payment has two states; payments never exceed the invoice', () => {
    assertForAll((_messages, seen) => {
      for (const state of seen) {
        expect(state.heldFrom !== null).toBe(state.baseStatus === 'on_hold');
        const parcels = [...state.liveParcels, ...state.voidedParcels];
        expect(new Set(parcels).size).toBe(parcels.length);
        const payments = [...Object.keys(state.payments), ...state.reversedPayments];
        expect(new Set(payments).size).toBe(payments.length);
        expect(paidCents(state)).toBeLessThanOrEqual(TOTAL_CENTS);
      }
    });
  });

  it('an immediate repeat is refused or changes nothing, and emits nothing', () => {
    assertForAll((messages, seen) => {
      messages.forEach((sent, index) => {
        const state = seen[index + 1] ?? someFacts();
        if (state === seen[index]) return; // the first message was refused
        const again = decide(state, sent);
        if ('refused' in again) return;
        expect(again.facts).toEqual(state);
        expect(eventStatus(state, again.facts)).toBeNull();
      });
    });
  });

  it('a hold and its release restore the order', () => {
    assertForAll((_messages, seen) => {
      for (const state of seen.filter(({ baseStatus }) => baseStatus === 'received' || baseStatus === 'in_production')) {
        expect(applyMessage(applyMessage(state, message('held')), message('released'))).toEqual(state);
      }
    });
  });

  it('deciding does not change its input', () => {
    assertForAll((messages, seen) => {
      messages.forEach((sent, index) => {
        const before = structuredClone(seen[index]);
        decide(seen[index] ?? someFacts(), sent);
        expect(seen[index]).toEqual(before);
      });
    });
  });
});
