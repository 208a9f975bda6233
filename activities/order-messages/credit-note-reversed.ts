import { reverseCreditNote } from '../../src/db/repositories/billing';
import type { CreditNoteReversed } from '../../src/domain/order-messages/credit-note-reversed';
import { bookCredit, loadBookingBasis, type BookingBasis } from './booking';
import type { DatabaseSteps } from './kind';

/** Adds the amount of the note to its invoice again. Refused with CREDIT_INSUFFICIENT if the note's credit was already used. */
export const creditNoteReversed: DatabaseSteps<CreditNoteReversed, BookingBasis> = {
  action: 'credit-note.reverse',
  load: loadBookingBasis,
  async finish(context, order, reversal, { invoice, timeZone }) {
    const { sql, orderId, now } = context;
    const note = await reverseCreditNote(sql, orderId, reversal, now);
    if (invoice === null || note === null) return;
    await bookCredit(context, order, { invoice, timeZone }, { type: 'reversal', creditNoteId: note.id, cents: -note.amount_cents });
  },
};
