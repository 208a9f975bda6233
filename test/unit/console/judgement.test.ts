type Entry = Readonly<Record<string, string | number | null>>;
interface Line {
  entry: Entry;
  parts: readonly Entry[];
}
// The console has its own compiler settings and builds modules for browsers.
const { judged } = require('../../../packages/console/src/endpoints/judgement') as { judged: (endpoint: object) => string };
const { JUDGEMENTS, isWell } = require('../../../packages/console/src/endpoints/judgement') as {
  JUDGEMENTS: readonly string[];
  isWell: (judgement: string) => boolean;
};
const { linesOf } = require('../../../packages/console/src/screens/accounts/statement/lines') as {
  linesOf: (entries: readonly Entry[]) => Line[];
};

const [EARLIER, LATER] = ['2026-11-22T10:00:00.000Z', '2026-11-22T11:00:00.000Z'];

describe('the health of an endpoint', () => {
  const endpoint = (pending: number, lastSuccessAt: string | null, lastFailureAt: string | null, { held = 0, failed = 0 } = {}) =>
    judged({
      state: 'enabled',
      consecutiveFailures: 0,
      deliveries: { held, failed },
      health: { pending, lastSuccessAt, lastFailureAt, lastErrorCode: lastFailureAt === null ? null : 'bad_status' },
    });

  it.each([
    ['failing: nothing has arrived, and what failed is tried again', endpoint(3, null, LATER), 'failing'],
    ['failing: what was sent last was given up', endpoint(0, EARLIER, LATER, { failed: 1 }), 'failing'],
    ['waiting: one has arrived since, but others are still tried', endpoint(5, LATER, EARLIER), 'waiting'],
    ['waiting: what was held is not sent by itself', endpoint(0, LATER, null, { held: 2 }), 'waiting'],
    ['failing: nothing ever arrived, though nothing is tried any more', endpoint(0, null, LATER), 'failing'],
    ['waiting: all that was ever for it is held', endpoint(0, null, null, { held: 1 }), 'waiting'],
    ['not used yet: nothing was sent', endpoint(0, null, null), 'not_used_yet'],
    ['not used yet: the first is on its way', endpoint(1, null, null), 'not_used_yet'],
    ['working: what failed last has arrived by now', endpoint(0, LATER, EARLIER), 'works'],
  ])('%s', (_, is, expected) => {
    expect(is).toBe(expected);
  });
});

it('an unused endpoint has no problem, and working endpoints come last', () => {
  expect(JUDGEMENTS.filter(isWell)).toEqual(['not_used_yet', 'works']);
  expect(JUDGEMENTS.at(-1)).toBe('works');
});

describe('a statement', () => {
  const entry = (change: Partial<Entry>): Entry => ({
    bookedOn: '2026-11-22',
    type: 'payment',
    amountCents: -5000,
    outstandingCents: -5000,
    creditCents: 0,
    balanceCents: 0,
    orderId: null,
    orderNumber: null,
    invoiceNumber: 'INV-10001',
    creditNoteNumber: null,
    paymentId: 'bank-1',
    refundId: null,
    reference: 'NAB 4711',
    ...change,
  });

  it('has one line for a payment, with its total and the balance after it', () => {
    const shares = [
      entry({ balanceCents: 5000 }),
      entry({ invoiceNumber: 'INV-10002' }),
      entry({ invoiceNumber: null, balanceCents: -5000 }),
    ];
    const [line, ...others] = linesOf(shares);
    expect(line).toMatchObject({ entry: { amountCents: -15_000, balanceCents: -5000, invoiceNumber: null }, parts: shares });
    expect(others).toEqual([]);
  });

  it('has two lines for two payments, and one for credit that pays an invoice later', () => {
    const credit = entry({ amountCents: 0, creditCents: 5000 });
    const lines = linesOf([entry({}), entry({ paymentId: 'bank-2' }), credit, entry({ type: 'reversal', amountCents: 5000 })]);
    expect(lines.map(({ parts }) => parts)).toEqual([[], [], [], []]);
  });
});
