import type { CreditNoted } from '../../src/domain/order-messages/credit-noted';
import { newId } from '../../src/security/ids';
import { bookCredit, loadBooked, writeNote, type Booked } from './booking';
import type { StoredKind } from './kind';

export const creditNoted: StoredKind<CreditNoted, Booked> = {
  action: 'credit-note.write',
  load: loadBooked,
  async finish(context, order, note, { invoice, timeZone }) {
    if (invoice === null) return;
    const creditNoteId = newId('crn');
    const booked = bookCredit(context, order, { invoice, timeZone }, { type: 'credit_note', creditNoteId, cents: note.amountCents });
    await writeNote(context, invoice, creditNoteId, note, booked);
  },
};
