import { findInvoiceOfOrder } from '../../src/db/repositories/billing';
import type { CreditNoted } from '../../src/domain/order-messages/credit-noted';
import { newId } from '../../src/security/ids';
import { bookCredit, writeNote } from './booking';
import type { StoredKind } from './kind';

export const creditNoted: StoredKind<CreditNoted> = {
  action: 'credit-note.write',
  async finish(context, order, note) {
    const { sql, orderId, now } = context;
    const invoice = await findInvoiceOfOrder(sql, orderId);
    if (invoice === null) return;
    const creditNoteId = newId('crn');
    await bookCredit(context, order, invoice, { type: 'credit_note', creditNoteId, cents: note.amountCents });
    await writeNote(sql, now, invoice, creditNoteId, note);
  },
};
