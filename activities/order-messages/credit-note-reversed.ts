import { findInvoiceOfOrder, reverseCreditNote, updateInvoiceFigures } from '../../src/db/repositories/billing';
import { bookEntries } from '../../src/db/repositories/ledger';
import { toInvoiceFigures } from '../../src/domain/ledger';
import type { CreditNoteReversed } from '../../src/domain/order-messages/credit-note-reversed';
import { createBooking } from './booking';
import type { StoredKind } from './kind';

/** Adds the amount of the note to its invoice again. Refused with CREDIT_INSUFFICIENT if the note's credit was already used. */
export const creditNoteReversed: StoredKind<CreditNoteReversed> = {
  action: 'credit-note.reverse',
  async finish(context, order, reversal) {
    const { sql, orderId, now } = context;
    const invoice = await findInvoiceOfOrder(sql, orderId);
    const note = await reverseCreditNote(sql, orderId, reversal, now);
    if (invoice === null || note === null) return;
    const before = toInvoiceFigures(invoice);
    const effect = await updateInvoiceFigures(sql, invoice, { ...before, creditedCents: before.creditedCents - note.amount_cents }, now);
    const entry = { type: 'reversal', orderId, invoiceId: invoice.id, creditNoteId: note.id, ...effect } as const;
    await bookEntries(sql, await createBooking(context, order), [entry]);
  },
};
