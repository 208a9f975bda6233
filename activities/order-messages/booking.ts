import type { Sql } from '../../src/db/database';
import {
  creditedGstCents,
  findPayment,
  insertCreditNote,
  recalculatePaidCents,
  updateInvoiceFigures,
} from '../../src/db/repositories/billing';
import { bookEntries, type BookingContext } from '../../src/db/repositories/ledger';
import type { InvoiceRow, OrderWithRelations } from '../../src/db/rows';
import { gstOfCreditNote, toInvoiceFigures } from '../../src/domain/ledger';
import type { NewCreditNote } from '../../src/domain/order-messages/credit-noted';
import type { StudioDay } from '../../src/domain/pricing/ready-date';
import { updateRepeatedPayment } from '../../src/orders/money-attention';
import type { MessageContext } from './kind';

/** The context of a booking, with the studio's calendar day. */
export async function createBooking({ deps, sql, now }: MessageContext, order: OrderWithRelations): Promise<BookingContext & StudioDay> {
  return { accountId: order.account_id, environment: order.environment, now, ...(await deps.calendar.studioDay(sql, now)) };
}

/** Books a payment or its reversal on the invoice and the ledger. An order without an invoice has no payments. */
export async function bookPayment(
  context: MessageContext,
  order: OrderWithRelations,
  about: { type: 'payment' | 'reversal'; paymentId: string },
): Promise<void> {
  const { sql, orderId, now } = context;
  const booking = await createBooking(context, order);
  const settled = await recalculatePaidCents(sql, orderId, now);
  if (settled !== null) await bookEntries(sql, booking, [{ ...about, orderId, ...settled }], { mayOverdraw: about.type === 'reversal' });
  const payment = await findPayment(sql, orderId, about.paymentId);
  if (payment === null) return;
  const { amount_cents: amountCents, received_at: receivedAt } = payment;
  const { accountId, environment, timeZone } = booking;
  const line = { accountId, environment, paymentId: about.paymentId, amountCents, receivedAt };
  await updateRepeatedPayment(sql, line, { isNew: about.type === 'payment', timeZone, now });
}

/** Adds to the credited amount of the invoice, and books it. */
export async function bookCredit(
  context: MessageContext,
  order: OrderWithRelations,
  invoice: InvoiceRow,
  { cents, ...about }: { type: 'credit_note' | 'reversal'; creditNoteId: string; cents: number },
): Promise<void> {
  const { sql, orderId, now } = context;
  const before = toInvoiceFigures(invoice);
  const effect = await updateInvoiceFigures(sql, invoice, { ...before, creditedCents: before.creditedCents + cents }, now);
  await bookEntries(sql, await createBooking(context, order), [{ ...about, orderId, invoiceId: invoice.id, ...effect }]);
}

/** Writes a credit note that is already booked. */
export async function writeNote(sql: Sql, now: Date, invoice: InvoiceRow, id: string, note: NewCreditNote): Promise<void> {
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
