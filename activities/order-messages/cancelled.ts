import { clearAllAttention, raiseAttention } from '../../src/db/repositories/attention';
import { findInvoiceOfOrder, updateInvoiceFigures } from '../../src/db/repositories/billing';
import { bookEntries, type NewLedgerEntry } from '../../src/db/repositories/ledger';
import { ledgerEffectOf, toInvoiceFigures, voidInvoice } from '../../src/domain/ledger';
import type { MessageOf } from '../../src/domain/order-messages';
import { CANCEL_CREDIT_NOTE_ID } from '../../src/domain/order-messages/cancelled';
import { paidCents } from '../../src/domain/order-status';
import { paidButVoidMessage } from '../../src/orders/money-attention';
import { newId } from '../../src/security/ids';
import { createBooking, writeNote } from './booking';
import type { StoredKind } from './kind';
import { raiseShippedAfterCancel } from './parcel-added';

export const cancelled: StoredKind<MessageOf<'cancelled'>> = {
  async attend(context) {
    const { sql, orderId, facts, now } = context;
    for (const code of ['CANCELLATION_REQUESTED', 'CONFIRMATION_WITHHELD', 'ARTWORK_REJECTED'] as const)
      await clearAllAttention(sql, orderId, code, now);
    for (const parcelId of facts.liveParcels) await raiseShippedAfterCancel(context, parcelId);
    if (paidCents(facts) > 0)
      await raiseAttention(sql, { orderId, code: 'PAID_BUT_VOID', subject: 'invoice' }, paidButVoidMessage(paidCents(facts)), now);
  },
  /** Books the first cancellation only. The unpaid part of the invoice becomes void. A credit note turns the paid part into credit. */
  async finish(context, order) {
    const { sql, orderId, now } = context;
    const invoice = await findInvoiceOfOrder(sql, orderId);
    if (invoice === null || invoice.voided_at !== null) return;
    const before = toInvoiceFigures(invoice);
    const { figures, noteCents } = voidInvoice(before);
    await updateInvoiceFigures(sql, invoice, figures, now);
    const withoutNote = { ...figures, creditedCents: before.creditedCents };
    const about = { orderId, invoiceId: invoice.id };
    const entry: NewLedgerEntry = { type: 'void', ...about, ...ledgerEffectOf(before, withoutNote) };
    const booking = await createBooking(context, order);
    if (noteCents === 0) return bookEntries(sql, booking, [entry]);
    const creditNoteId = newId('crn');
    await bookEntries(sql, booking, [entry, { type: 'credit_note', ...about, creditNoteId, ...ledgerEffectOf(withoutNote, figures) }]);
    const note = { creditNoteId: CANCEL_CREDIT_NOTE_ID, amountCents: noteCents, reason: 'order cancelled' };
    return writeNote(sql, now, invoice, creditNoteId, note);
  },
};
