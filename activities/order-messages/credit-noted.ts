import { findInvoiceOfOrder } from '../../src/db/repositories/billing';
import type { InvoiceRow } from '../../src/db/rows';
import type { CreditNoted } from '../../src/domain/order-messages/credit-noted';
import { newId } from '../../src/security/ids';
import { bookCredit, writeNote } from './booking';
import type { StoredKind } from './kind';

export const creditNoted: StoredKind<CreditNoted, InvoiceRow | null> = {
  action: 'credit-note.write',
  load: findInvoiceOfOrder,
  async finish(context, order, note, invoice) {
    const { sql, now } = context;
    if (invoice === null) return;
    const creditNoteId = newId('crn');
    await bookCredit(context, order, invoice, { type: 'credit_note', creditNoteId, cents: note.amountCents });
    await writeNote(sql, now, invoice, creditNoteId, note);
  },
};
