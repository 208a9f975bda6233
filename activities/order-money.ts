import type { Sql } from '../src/db/database';
import {
  creditedGstCents,
  findPayment,
  insertCreditNote,
  findInvoiceOfOrder,
  updateInvoiceFigures,
  reverseCreditNote,
  recalculatePaidCents,
} from '../src/db/repositories/billing';
import { bookEntries, type BookingContext, type NewLedgerEntry } from '../src/db/repositories/ledger';
import type { InvoiceRow } from '../src/db/rows';
import { assertNever } from '../src/domain/errors';
import { ledgerEffectOf, toInvoiceFigures, gstOfCreditNote, voidInvoice } from '../src/domain/ledger';
import type { MoneyMessage } from '../src/domain/message-rules';
import { CANCEL_CREDIT_NOTE_ID, type NewCreditNote, type CreditNoteReversal } from '../src/domain/order-message-types';
import type { StudioDay } from '../src/domain/pricing/ready-date';
import { updateRepeatedPayment } from '../src/orders/money-attention';
import { newId } from '../src/security/ids';

/** The context of a booking, with the studio's calendar day. */
export type StudioBooking = BookingContext & StudioDay;

/**
 * Books a message on its order's invoice and its account's ledger. Does nothing for an order without an invoice. Runs last in the
 * transaction, because a later failure would leave a gap in the document numbers. The account and the order are already locked, and the
 * payments are written.
 * @throws ApiError CREDIT_INSUFFICIENT if a credit note's credit was already used; reversing a payment never fails
 */
export async function bookMessage(sql: Sql, booking: StudioBooking, orderId: string, message: MoneyMessage): Promise<void> {
  switch (message.type) {
    case 'payment_recorded':
      return bookPayment(sql, booking, { type: 'payment', orderId, paymentId: message.paymentId });
    case 'payment_reversed':
      return bookPayment(sql, booking, { type: 'reversal', orderId, paymentId: message.paymentId });
    case 'credit_note_reversed':
      return bookNoteReversal(sql, booking, orderId, message);
    case 'cancelled':
      return bookCancel(sql, booking, orderId);
    case 'credit_noted':
      return bookCreditNote(sql, booking, orderId, message);
    default:
      return assertNever(message);
  }
}

async function bookPayment(
  sql: Sql,
  booking: StudioBooking,
  about: { type: 'payment' | 'reversal'; orderId: string; paymentId: string },
): Promise<void> {
  const settled = await recalculatePaidCents(sql, about.orderId, booking.now);
  if (settled !== null) await bookEntries(sql, booking, [{ ...about, ...settled }], { mayOverdraw: about.type === 'reversal' });
  const payment = await findPayment(sql, about.orderId, about.paymentId);
  if (payment === null) return;
  const { amount_cents: amountCents, received_at: receivedAt } = payment;
  const { accountId, environment, timeZone, now } = booking;
  const line = { accountId, environment, paymentId: about.paymentId, amountCents, receivedAt };
  await updateRepeatedPayment(sql, line, { isNew: about.type === 'payment', timeZone, now });
}

/** Books the first cancellation only. The unpaid part of the invoice becomes void. A credit note turns the paid part into credit. */
async function bookCancel(sql: Sql, booking: BookingContext, orderId: string): Promise<void> {
  const invoice = await findInvoiceOfOrder(sql, orderId);
  if (invoice === null || invoice.voided_at !== null) return;
  const before = toInvoiceFigures(invoice);
  const { figures, noteCents } = voidInvoice(before);
  await updateInvoiceFigures(sql, invoice, figures, booking.now);
  const withoutNote = { ...figures, creditedCents: before.creditedCents };
  const about = { orderId, invoiceId: invoice.id };
  const entry: NewLedgerEntry = { type: 'void', ...about, ...ledgerEffectOf(before, withoutNote) };
  if (noteCents === 0) return bookEntries(sql, booking, [entry]);
  const creditNoteId = newId('crn');
  await bookEntries(sql, booking, [entry, { type: 'credit_note', ...about, creditNoteId, ...ledgerEffectOf(withoutNote, figures) }]);
  const note = { creditNoteId: CANCEL_CREDIT_NOTE_ID, amountCents: noteCents, reason: 'order cancelled' };
  return writeNote(sql, booking, invoice, creditNoteId, note);
}

async function bookCreditNote(sql: Sql, booking: BookingContext, orderId: string, note: NewCreditNote): Promise<void> {
  const invoice = await findInvoiceOfOrder(sql, orderId);
  if (invoice === null) return;
  const before = toInvoiceFigures(invoice);
  const effect = await updateInvoiceFigures(
    sql,
    invoice,
    { ...before, creditedCents: before.creditedCents + note.amountCents },
    booking.now,
  );
  const creditNoteId = newId('crn');
  await bookEntries(sql, booking, [{ type: 'credit_note', orderId, invoiceId: invoice.id, creditNoteId, ...effect }]);
  return writeNote(sql, booking, invoice, creditNoteId, note);
}

/**
 * Adds the amount of a reversed credit note to its invoice again.
 * @throws ApiError CREDIT_INSUFFICIENT if the note's credit was already used
 */
async function bookNoteReversal(sql: Sql, booking: BookingContext, orderId: string, reversal: CreditNoteReversal): Promise<void> {
  const invoice = await findInvoiceOfOrder(sql, orderId);
  const note = await reverseCreditNote(sql, orderId, reversal, booking.now);
  if (invoice === null || note === null) return;
  const before = toInvoiceFigures(invoice);
  const effect = await updateInvoiceFigures(
    sql,
    invoice,
    { ...before, creditedCents: before.creditedCents - note.amount_cents },
    booking.now,
  );
  await bookEntries(sql, booking, [{ type: 'reversal', orderId, invoiceId: invoice.id, creditNoteId: note.id, ...effect }]);
}

async function writeNote(sql: Sql, { now }: BookingContext, invoice: InvoiceRow, id: string, note: NewCreditNote): Promise<void> {
  const { amountCents, creditedCents } = toInvoiceFigures(invoice);
  const figures = { amountCents, gstCents: invoice.gst_cents, creditedCents, creditedGstCents: await creditedGstCents(sql, invoice.id) };
  await insertCreditNote(sql, {
    id,
    sender_id: note.creditNoteId,
    order_id: invoice.order_id,
    invoice_id: invoice.id,
    account_id: invoice.account_id,
    environment: invoice.environment,
    amount_cents: note.amountCents,
    gst_cents: gstOfCreditNote(figures, note.amountCents),
    reason: note.reason,
    created_at: now,
  });
}
