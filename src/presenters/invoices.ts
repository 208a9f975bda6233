import type { ListedCreditNote } from '../db/repositories/credit-notes';
import type { BilledInvoice, WholeInvoice } from '../db/repositories/invoices';
import type { CreditNoteRow } from '../db/rows';
import { figuresOf, gstOfVoid, invoiceState, standingOf } from '../domain/ledger';
import { isPastDue, localDate, type StudioDay } from '../domain/pricing/ready-date';
import { presentPayment } from './order-records';

/** An invoice as lists show it: what is due on it, in cents, by which day, and whether that is late (studio API "Money"). */
export function presentInvoiceRow(invoice: BilledInvoice, studioDay: StudioDay) {
  const figures = figuresOf(invoice);
  const { outstandingCents: dueCents } = standingOf(figures);
  const voidedGstCents = gstOfVoid(figures, invoice.gst_cents);
  return {
    invoiceId: invoice.id,
    invoiceNumber: invoice.invoice_number,
    orderId: invoice.order_id,
    orderNumber: invoice.order_number,
    accountId: invoice.account_id,
    accountName: invoice.account_name,
    environment: invoice.environment,
    currency: invoice.currency,
    amountCents: invoice.amount_cents,
    gstCents: invoice.gst_cents - voidedGstCents,
    paidCents: invoice.paid_cents,
    creditedCents: invoice.credited_cents,
    voidedCents: invoice.voided_cents,
    voidedGstCents,
    dueCents,
    state: invoiceState(figures),
    overdue: dueCents > 0 && isPastDue(invoice.due_at, studioDay),
    issuedAt: invoice.issued_at.toISOString(),
    dueAt: invoice.due_at.toISOString(),
    dueDate: localDate(studioDay.timeZone, invoice.due_at),
    voidedAt: invoice.voided_at?.toISOString() ?? null,
  };
}

/** The same as its account sees it (specification "Invoice"). */
export function presentOwnInvoice(invoice: BilledInvoice, studioDay: StudioDay) {
  const row = presentInvoiceRow(invoice, studioDay);
  return {
    invoiceNumber: row.invoiceNumber,
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    environment: row.environment,
    state: row.state,
    currency: row.currency,
    amountCents: row.amountCents,
    gstCents: invoice.gst_cents,
    paidCents: row.paidCents,
    creditedCents: row.creditedCents,
    dueCents: row.dueCents,
    issuedAt: row.issuedAt,
    dueDate: row.dueDate,
    overdue: row.overdue,
    voidedAt: row.voidedAt,
  };
}

export function presentWholeInvoice(invoice: WholeInvoice, studioDay: StudioDay) {
  return {
    ...presentInvoiceRow(invoice, studioDay),
    payments: invoice.payments.map(presentPayment),
    creditNotes: invoice.credit_notes.map(presentCreditNote),
  };
}

function presentCreditNote(note: CreditNoteRow) {
  return {
    id: note.id,
    creditNoteId: note.sender_id,
    creditNoteNumber: note.credit_note_number,
    amountCents: note.amount_cents,
    gstCents: note.gst_cents,
    reason: note.reason,
    createdAt: note.created_at.toISOString(),
    reversedAt: note.reversed_at?.toISOString() ?? null,
    reversalReason: note.reversal_reason,
  };
}

export function presentCreditNoteRow(note: ListedCreditNote) {
  return {
    ...presentCreditNote(note),
    invoiceNumber: note.invoice_number,
    orderId: note.order_id,
    orderNumber: note.order_number,
    accountId: note.account_id,
    accountName: note.account_name,
    environment: note.environment,
    currency: note.currency,
  };
}
