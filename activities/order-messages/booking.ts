import type { Transaction } from '../../src/db/database';
import {
  creditedGstCents,
  findInvoiceOfOrder,
  findPayment,
  insertCreditNote,
  sumOfPayments,
  updateInvoiceFigures,
} from '../../src/db/repositories/billing';
import { bookEntries, type BookingContext } from '../../src/db/repositories/ledger';
import type { InvoiceRow, OrderWithRelations, PaymentRow } from '../../src/db/rows';
import { gstOfCreditNote, ledgerEffectOf, toInvoiceFigures } from '../../src/domain/ledger';
import type { NewCreditNote } from '../../src/domain/order-messages/credit-noted';
import { localDate, type StudioDay } from '../../src/domain/pricing/ready-date';
import { findPlaces, updateRepeatedPayment } from '../../src/orders/money-attention';
import type { ActivityDeps } from '../deps';
import type { MessageContext } from './kind';

/** The invoice of the order (null if it has none) and the studio's time zone, read under the order's lock. */
export interface BookingBasis {
  invoice: InvoiceRow | null;
  timeZone: string;
}

export async function loadBookingBasis(
  sql: Transaction,
  orderId: string,
  _message: unknown,
  { calendar, clock }: ActivityDeps,
): Promise<BookingBasis> {
  const [invoice, timeZone] = await Promise.all([findInvoiceOfOrder(sql, orderId), calendar.timeZone(sql, clock.now())]);
  return { invoice, timeZone };
}

/** The context of a booking, with the studio's calendar day. */
export const createBooking = ({ now }: MessageContext, order: OrderWithRelations, timeZone: string): BookingContext & StudioDay => ({
  accountId: order.account_id,
  environment: order.environment,
  now,
  timeZone,
  today: localDate(timeZone, now),
});

/** The payment after it was written, and the sum of the order's unreversed payments in cents. */
export interface StoredPayment {
  payment: PaymentRow | null;
  paidCents: number;
}

/** Runs the statement that writes the payment, and reads the result. */
export async function storePayment({ sql, orderId }: MessageContext, paymentId: string, written: Promise<void>): Promise<StoredPayment> {
  const [, payment, paidCents] = await Promise.all([written, findPayment(sql, orderId, paymentId), sumOfPayments(sql, orderId)]);
  return { payment, paidCents };
}

/** Books a payment or its reversal on the invoice and the ledger. An order without an invoice has no payments. */
export async function bookPayment(
  context: MessageContext,
  order: OrderWithRelations,
  about: { type: 'payment' | 'reversal'; paymentId: string },
  { invoice, timeZone }: BookingBasis,
  { payment, paidCents }: StoredPayment,
): Promise<void> {
  const { sql, orderId, now } = context;
  if (invoice === null || payment === null) return;
  const { accountId, environment, ...booking } = createBooking(context, order, timeZone);
  const before = toInvoiceFigures(invoice);
  const after = { ...before, paidCents };
  const { amount_cents: amountCents, received_at: receivedAt } = payment;
  const isNew = about.type === 'payment';
  const [places] = await Promise.all([
    findPlaces(sql, { accountId, environment, paymentId: about.paymentId, amountCents, receivedAt }, timeZone),
    updateInvoiceFigures(sql, invoice, after, now),
    bookEntries(
      sql,
      { accountId, environment, ...booking },
      [{ ...about, orderId, invoiceId: invoice.id, ...ledgerEffectOf(before, after) }],
      { mayOverdraw: !isNew },
    ),
  ]);
  await sql.commitWith(() => updateRepeatedPayment(sql, places, { isNew, now }));
}

/** Adds to the credited amount of the invoice, and books it. */
export async function bookCredit(
  context: MessageContext,
  order: OrderWithRelations,
  { invoice, timeZone }: { invoice: InvoiceRow; timeZone: string },
  { cents, ...about }: { type: 'credit_note' | 'reversal'; creditNoteId: string; cents: number },
): Promise<void> {
  const { sql, orderId, now } = context;
  const before = toInvoiceFigures(invoice);
  const after = { ...before, creditedCents: before.creditedCents + cents };
  await Promise.all([
    updateInvoiceFigures(sql, invoice, after, now),
    bookEntries(sql, createBooking(context, order, timeZone), [
      { ...about, orderId, invoiceId: invoice.id, ...ledgerEffectOf(before, after) },
    ]),
  ]);
}

/** Books a credit note, then writes it, because a refused note must not use a number. Commits. */
export async function writeNote(
  { sql, now }: MessageContext,
  invoice: InvoiceRow,
  id: string,
  note: NewCreditNote,
  booked: Promise<unknown>,
): Promise<void> {
  const [creditedGst] = await Promise.all([creditedGstCents(sql, invoice.id), booked]);
  const { amountCents, creditedCents } = toInvoiceFigures(invoice);
  const figures = { amountCents, gstCents: invoice.gst_cents, creditedCents, creditedGstCents: creditedGst };
  await sql.commitWith(() =>
    insertCreditNote(sql, {
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
    }),
  );
}
