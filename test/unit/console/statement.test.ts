type Entry = Readonly<Record<string, string | number | null>>;
interface Line {
  entry: Entry;
  parts: readonly Entry[];
}
// The console has its own compiler settings and builds modules for browsers.
const { groupEntries } = require('../../../packages/console/src/screens/accounts/statement-lines') as {
  groupEntries: (entries: readonly Entry[]) => Line[];
};

describe('a statement', () => {
  const entry = (change: Partial<Entry>): Entry => ({
    bookedOn: '2026-11-22',
    receivedOn: '2026-11-20',
    refundedOn: null,
    line: 1,
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
    const [line, ...others] = groupEntries([...shares, entry({ line: 2 })]);
    expect(line).toMatchObject({ entry: { amountCents: -15_000, balanceCents: -5000, invoiceNumber: null }, parts: shares });
    expect(others.map(({ parts }) => parts)).toEqual([[]]);
  });
});
