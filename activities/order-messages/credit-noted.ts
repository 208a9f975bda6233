import { findInvoiceOfOrder, updateInvoiceFigures } from '../../src/db/repositories/billing';
import { bookEntries } from '../../src/db/repositories/ledger';
import { toInvoiceFigures } from '../../src/domain/ledger';
import type { CreditNoted } from '../../src/domain/order-messages/credit-noted';
import { newId } from '../../src/security/ids';
import { createBooking, writeNote } from './booking';
import type { StoredKind } from './kind';

export const creditNoted: StoredKind<CreditNoted> = {
  action: 'credit-note.write',
  async finish(context, order, note) {
    const { sql, orderId, now } = context;
    const invoice = await findInvoiceOfOrder(sql, orderId);
    if (invoice === null) return;
    const before = toInvoiceFigures(invoice);
    const effect = await updateInvoiceFigures(sql, invoice, { ...before, creditedCents: before.creditedCents + note.amountCents }, now);
    const creditNoteId = newId('crn');
    const entry = { type: 'credit_note', orderId, invoiceId: invoice.id, creditNoteId, ...effect } as const;
    await bookEntries(sql, await createBooking(context, order), [entry]);
    await writeNote(sql, now, invoice, creditNoteId, note);
  },
};
