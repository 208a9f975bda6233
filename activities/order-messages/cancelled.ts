import { clearAllAttention, raiseAttention } from '../../src/db/repositories/attention';
import { updateInvoiceFigures } from '../../src/db/repositories/billing';
import { bookEntries, type NewLedgerEntry } from '../../src/db/repositories/ledger';
import { ledgerEffectOf, toInvoiceFigures, voidInvoice } from '../../src/domain/ledger';
import type { MessageOf } from '../../src/domain/order-messages';
import { CANCEL_CREDIT_NOTE_ID } from '../../src/domain/order-messages/cancelled';
import { paidCents } from '../../src/domain/order-status';
import { paidButVoidMessage } from '../../src/orders/money-attention';
import { newId } from '../../src/security/ids';
import { createBooking, loadBookingBasis, writeNote, type BookingBasis } from './booking';
import type { DatabaseSteps } from './kind';
import { raiseShippedAfterCancel } from './parcel-added';

export const cancelled: DatabaseSteps<MessageOf<'cancelled'>, BookingBasis> = {
  load: loadBookingBasis,
  async attend(context) {
    const { sql, orderId, facts, now } = context;
    const paid = paidCents(facts);
    await Promise.all([
      ...(['CANCELLATION_REQUESTED', 'CONFIRMATION_WITHHELD', 'ARTWORK_REJECTED'] as const).map((code) =>
        clearAllAttention(sql, orderId, code, now),
      ),
      ...facts.liveParcels.map((parcelId) => raiseShippedAfterCancel(context, parcelId)),
      paid > 0 && raiseAttention(sql, { orderId, code: 'PAID_BUT_VOID', subject: 'invoice' }, paidButVoidMessage(paid), now),
    ]);
  },
  /** Books the first cancellation only. The unpaid part of the invoice becomes void. A credit note turns the paid part into credit. */
  async finish(context, order, _message, { invoice, timeZone }) {
    const { sql, orderId, now } = context;
    if (invoice === null || invoice.voided_at !== null) return;
    const before = toInvoiceFigures(invoice);
    const { figures, noteCents } = voidInvoice(before);
    const withoutNote = { ...figures, creditedCents: before.creditedCents };
    const about = { orderId, invoiceId: invoice.id };
    const entry: NewLedgerEntry = { type: 'void', ...about, ...ledgerEffectOf(before, withoutNote) };
    const booking = createBooking(context, order, timeZone);
    const creditNoteId = newId('crn');
    const noteEntry: NewLedgerEntry = { type: 'credit_note', ...about, creditNoteId, ...ledgerEffectOf(withoutNote, figures) };
    const booked = Promise.all([
      updateInvoiceFigures(sql, invoice, figures, now),
      bookEntries(sql, booking, noteCents === 0 ? [entry] : [entry, noteEntry]),
    ]);
    if (noteCents === 0) return void (await booked);
    const note = { creditNoteId: CANCEL_CREDIT_NOTE_ID, amountCents: noteCents, reason: 'order cancelled' };
    return writeNote(context, invoice, creditNoteId, note, booked);
  },
};
