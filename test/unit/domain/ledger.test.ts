import fc from 'fast-check';
import {
  assertSufficientCredit,
  ledgerEffectOf,
  gstOfCreditNote,
  invoiceState,
  balancesOfInvoice,
  voidInvoice,
  type InvoiceFigures,
} from '../../../src/domain/ledger';
import { creditedCents, type OrderFacts } from '../../../src/domain/order-status';
import { decide, type OrderMessage } from '../../../src/domain/order-messages';
import { propertyRuns } from '../../support/property-runs';
import { placedFacts } from '../../support/order-facts';

const figures = (overrides: Partial<InvoiceFigures> = {}): InvoiceFigures => ({
  amountCents: 1000,
  voidedCents: 0,
  isVoid: false,
  paidCents: 0,
  creditedCents: 0,
  ...overrides,
});

describe('the state of an invoice is the first that applies (ruling 55)', () => {
  it.each([
    ['open', {}],
    ['part_paid', { paidCents: 1 }],
    ['part_paid', { creditedCents: 999 }],
    ['paid', { paidCents: 1000 }],
    ['paid', { paidCents: 1, creditedCents: 999 }],
    ['credited', { creditedCents: 1000 }],
    ['credited', { paidCents: 1000, creditedCents: 1000 }],
    ['void', { isVoid: true, paidCents: 1000, creditedCents: 1000 }],
    ['paid', { amountCents: 0 }],
  ] as const)('%s: %j', (state, changes) => expect(invoiceState(figures(changes))).toBe(state));
});

describe('the effect of an invoice on its account', () => {
  it('the unpaid part is outstanding, and an excess of payments and credit notes is credit', () => {
    expect(balancesOfInvoice(figures({ paidCents: 300, creditedCents: 200 }))).toEqual({ outstandingCents: 500, creditCents: 0 });
    expect(balancesOfInvoice(figures({ paidCents: 900, creditedCents: 200 }))).toEqual({ outstandingCents: 0, creditCents: 100 });
  });

  it('a cancel voids the open amount and credits payments with a note', () => {
    const { figures: after, noteCents } = voidInvoice(figures({ paidCents: 300, creditedCents: 200 }));
    expect([after.voidedCents, noteCents]).toEqual([500, 300]);
    expect(ledgerEffectOf(figures({ paidCents: 300, creditedCents: 200 }), after)).toEqual({ outstandingCents: -500, creditCents: 300 });
    expect(voidInvoice(figures({ creditedCents: 200 })).noteCents).toBe(0);
    expect(voidInvoice(figures({ paidCents: 1000, creditedCents: 200 })).noteCents).toBe(800); // the note of 200 had become credit before
  });

  it('credit is never negative', () => {
    expect(() => assertSufficientCredit(500, -500)).not.toThrow();
    expect(() => assertSufficientCredit(500, -501)).toThrow(
      expect.objectContaining({ code: 'CREDIT_INSUFFICIENT', details: { creditCents: 500, missingCents: 1 } }),
    );
  });
});

it('later notes get the GST of a reversed note', () => {
  const invoice = { amountCents: 100, gstCents: 9 };
  const first = gstOfCreditNote({ ...invoice, creditedCents: 0, creditedGstCents: 0 }, 33);
  const second = gstOfCreditNote({ ...invoice, creditedCents: 33, creditedGstCents: first }, 33);
  const third = gstOfCreditNote({ ...invoice, creditedCents: 33, creditedGstCents: second }, 67);
  expect([first, second, third]).toEqual([3, 3, 6]);
});

it('partial credit notes of a full invoice add up to its GST', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e9 }),
      fc.nat(1e9),
      fc.array(fc.integer({ min: 1, max: 1e8 }), { maxLength: 20 }),
      (amountCents, gst, pieces) => {
        const invoice = { amountCents, gstCents: gst % (amountCents + 1) };
        let [credited, told] = [0, 0];
        for (const piece of [...pieces, amountCents]) {
          const noteCents = Math.min(piece, amountCents - credited);
          const note = gstOfCreditNote({ ...invoice, creditedCents: credited, creditedGstCents: told }, noteCents);
          expect(note).toBeGreaterThanOrEqual(0);
          expect(note).toBeLessThanOrEqual(noteCents);
          [credited, told] = [credited + noteCents, told + note];
        }
        expect(told).toBe(invoice.gstCents);
      },
    ),
    propertyRuns(100),
  );
});

describe('credit notes on an order', () => {
  const facts: OrderFacts = placedFacts();
  const after = (before: OrderFacts, message: OrderMessage): OrderFacts => {
    const verdict = decide(before, message);
    if ('refused' in verdict) throw new Error(verdict.refused);
    return verdict.facts;
  };
  const note = (amountCents: number): OrderMessage => ({
    type: 'credit_noted',
    creditNoteId: `c${amountCents}`,
    amountCents,
    reason: 'scratched',
  });
  const payment = (amountCents: number): OrderMessage => ({ type: 'payment_recorded', paymentId: `p${amountCents}`, amountCents });

  it('are limited to the invoice amount less earlier notes, paid or not', () => {
    const some = after(after(facts, payment(900)), note(400));
    expect(creditedCents(some)).toBe(400);
    expect(() => after(some, note(601))).toThrow('only 6.00 of the invoice can be credited');
    expect(creditedCents(after(some, note(600)))).toBe(1000);
  });

  it('limit payments to the open amount', () => {
    const some = after(facts, note(400));
    expect(() => after(some, payment(601))).toThrow('the payment is 6.01, but only 6.00 of the invoice is open');
    expect(() => after(after(some, payment(600)), payment(1))).toThrow('only 0.00 of the invoice is open');
    expect(() => after(after(after(facts, payment(900)), note(400)), payment(1))).toThrow('only 0.00 of the invoice is open');
  });

  it('are refused on a void invoice', () => {
    expect(() => after(after(facts, { type: 'cancelled', milestoneId: 'm' }), note(1))).toThrow('its invoice is void');
  });

  it('are not issued by a cancel without payments', () => {
    expect(after(facts, { type: 'cancelled', milestoneId: 'm' })).toHaveProperty('creditNotes', {});
  });

  const reversal = (creditNoteId: string): OrderMessage => ({ type: 'credit_note_reversed', creditNoteId, reversalId: 'r', reason: 'x' });

  it('are reversed once, and not on a void invoice: the note of a cancel stays', () => {
    const noted = after(after(facts, payment(900)), note(400));
    const back = after(noted, reversal('c400'));
    expect([creditedCents(back), back.reversedCreditNotes]).toEqual([0, ['c400']]);
    expect(() => after(back, reversal('c400'))).toThrow('was already reversed');
    expect(() => after(back, note(400))).toThrow('send a new credit note id');
    expect(() => after(back, reversal('c1'))).toThrow('there is no credit note c1');
    const cancelled = after(noted, { type: 'cancelled', milestoneId: 'm' });
    expect(cancelled.creditNotes).toEqual({ c400: 400, cancel: 600 });
    for (const id of ['c400', 'cancel']) expect(() => after(cancelled, reversal(id))).toThrow('its credit notes cannot be reversed');
  });
});
