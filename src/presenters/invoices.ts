import type { ListedCreditNote } from '../db/repositories/credit-notes';
import type { BilledInvoice, InvoiceAgeing, InvoiceTotals, InvoiceWithRecords } from '../db/repositories/invoices';
import type { CreditNoteRow } from '../db/rows';
import { formatAbn } from '../domain/abn';
import type { Buyer } from '../domain/account-record';
import { AGEING_BUCKETS, type AgeingBucket } from '../domain/pricing/invoice-ageing';
import type { Environment } from '../domain/limits';
import { toInvoiceFigures, gstOfVoid, invoiceState, balancesOfInvoice } from '../domain/ledger';
import { isPastDue, localDate, type StudioDay } from '../domain/pricing/ready-date';
import { fieldsOf } from './fields';
import { presentPayment } from './order-records';

/** An invoice in lists, with its due amount in cents, due date and overdue flag (studio API "Money"). */
export function presentInvoiceRow(invoice: BilledInvoice, studioDay: StudioDay) {
  const figures = toInvoiceFigures(invoice);
  const { outstandingCents: dueCents } = balancesOfInvoice(figures);
  const voidedGstCents = gstOfVoid(figures, invoice.gst_cents);
  return {
    invoiceId: invoice.id,
    ...fieldsOf(invoice, 'invoice_number', 'order_id', 'order_number', 'account_id', 'account_name', 'environment'),
    ...fieldsOf(invoice, 'reference', 'currency', 'amount_cents'),
    gstCents: invoice.gst_cents - voidedGstCents,
    ...fieldsOf(invoice, 'paid_cents', 'credited_cents', 'voided_cents'),
    voidedGstCents,
    dueCents,
    state: invoiceState(figures),
    overdue: dueCents > 0 && isPastDue(invoice.due_at, studioDay),
    ...fieldsOf(invoice, 'issued_at', 'due_at'),
    dueDate: localDate(studioDay.timeZone, invoice.due_at),
    ...fieldsOf(invoice, 'voided_at'),
  };
}

/** Unpaid invoices by the days since their due date, and the payments of this month (studio API "Money"). */
export function presentInvoiceAgeing(environment: Environment, { today }: StudioDay, { buckets, paid }: InvoiceAgeing) {
  const presentBucket = ({ invoices, cents }: InvoiceTotals) => ({ invoices, dueCents: cents });
  return {
    environment,
    date: today,
    buckets: Object.fromEntries(AGEING_BUCKETS.map((bucket) => [bucket, presentBucket(buckets[bucket])])) as Record<
      AgeingBucket,
      ReturnType<typeof presentBucket>
    >,
    paidThisMonth: { invoices: paid.invoices, paidCents: paid.cents },
  };
}

/** The account's details at the time of issue, as printed. */
const presentBuyer = ({ abn, ...buyer }: Buyer) => ({ ...buyer, abn: abn === null ? null : formatAbn(abn) });

/** An invoice in the trade API. */
export function presentOwnInvoice(invoice: BilledInvoice, studioDay: StudioDay) {
  const row = presentInvoiceRow(invoice, studioDay);
  return {
    ...fieldsOf(row, 'invoiceNumber', 'orderId', 'orderNumber', 'reference', 'environment', 'state', 'currency', 'amountCents'),
    gstCents: invoice.gst_cents,
    ...fieldsOf(row, 'paidCents', 'creditedCents', 'dueCents', 'issuedAt', 'dueDate', 'overdue', 'voidedAt'),
    buyer: presentBuyer(invoice.buyer),
  };
}

export function presentInvoiceDetail(invoice: InvoiceWithRecords, studioDay: StudioDay) {
  return {
    ...presentInvoiceRow(invoice, studioDay),
    buyer: presentBuyer(invoice.buyer),
    payments: invoice.payments.map(presentPayment),
    creditNotes: invoice.credit_notes.map(presentCreditNote),
  };
}

function presentCreditNote(note: CreditNoteRow) {
  return {
    id: note.id,
    creditNoteId: note.sender_id,
    ...fieldsOf(note, 'credit_note_number', 'amount_cents', 'gst_cents', 'reason', 'created_at', 'reversed_at', 'reversal_reason'),
  };
}

export function presentCreditNoteRow(note: ListedCreditNote) {
  return {
    ...presentCreditNote(note),
    ...fieldsOf(note, 'invoice_number', 'order_id', 'order_number', 'account_id', 'account_name', 'environment', 'currency'),
  };
}
