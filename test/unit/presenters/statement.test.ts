import type { StatementEntry, StatementRow } from '../../../src/db/repositories/statement';
import { entryLines, presentStatement } from '../../../src/presenters/statement';

describe('the lines of a statement', () => {
  const entry = (change: Partial<StatementEntry>): StatementEntry => ({
    id: 1,
    booked_on: '2026-11-22',
    type: 'payment',
    amount_cents: -5000,
    outstanding_cents: -5000,
    credit_cents: 0,
    order_id: 'ord_1',
    order_number: 'P-10001',
    invoice_number: 'INV-10001',
    credit_note_number: null,
    payment_id: 'bank-1',
    refund_id: null,
    reference: 'NAB 4711',
    received_at: new Date('2026-11-19T14:00:00Z'), // the 20th in Melbourne
    refunded_at: null,
    ...change,
  });
  const present = (entries: StatementEntry[]) =>
    presentStatement(
      {
        entries,
        open_invoices: [],
        outstanding_cents: 0,
        credit_cents: 0,
        later_outstanding_cents: 0,
        later_credit_cents: 0,
      } as unknown as StatementRow,
      { environment: 'live', from: '2026-11-01', to: '2026-11-30' },
      { currency: 'AUD', timeZone: 'Australia/Melbourne' },
    ).entries;

  it('a payment is one line with its whole amount, both days and its shares', () => {
    const entries = present([entry({}), entry({ invoice_number: 'INV-10002' }), entry({ invoice_number: null, order_number: null })]);
    expect(entries.map(({ line }) => line)).toEqual([1, 1, 1]);
    const [line, ...others] = entryLines(entries);
    expect(line).toMatchObject({
      entry: { amountCents: -15_000, balanceCents: 0, bookedOn: '2026-11-22', receivedOn: '2026-11-20', invoiceNumber: null },
      shares: [{ invoiceNumber: 'INV-10001' }, { invoiceNumber: 'INV-10002' }, { invoiceNumber: null }],
    });
    expect(others).toEqual([]);
  });

  it.each<[string, Partial<StatementEntry>]>([
    ['another payment', { payment_id: 'bank-2' }],
    ['a later day', { booked_on: '2026-11-23' }],
    ['credit that pays an invoice', { amount_cents: 0, credit_cents: 5000 }],
    ['a reversal', { type: 'reversal', amount_cents: 5000, received_at: null }],
  ])('%s is another line', (_what, change) => {
    expect(present([entry({}), entry(change)]).map(({ line }) => line)).toEqual([1, 2]);
  });

  it('two invoices in a row are two lines', () => {
    const invoice = entry({ type: 'invoice', payment_id: null, reference: null, received_at: null });
    expect(present([invoice, invoice]).map(({ line, receivedOn }) => [line, receivedOn])).toEqual([
      [1, null],
      [2, null],
    ]);
  });
});
