import type { CreditNoted } from '../../src/domain/order-messages/credit-noted';
import { newId } from '../../src/security/ids';
import { bookCredit, loadBookingBasis, writeNote, type BookingBasis } from './booking';
import type { DatabaseSteps } from './kind';

export const creditNoted: DatabaseSteps<CreditNoted, BookingBasis> = {
  action: 'credit-note.write',
  load: loadBookingBasis,
  async finish(context, order, note, { invoice, timeZone }) {
    if (invoice === null) return;
    const creditNoteId = newId('crn');
    const booked = bookCredit(context, order, { invoice, timeZone }, { type: 'credit_note', creditNoteId, cents: note.amountCents });
    await writeNote(context, invoice, creditNoteId, note, booked);
  },
};
