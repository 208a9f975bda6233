import type { OpenInvoice, StatementEntry, StatementPeriod, StatementRow } from '../db/repositories/statement';
import { localDate } from '../domain/pricing/ready-date';
import { presentStanding } from './accounts';

/**
 * What an account owed when a period began, everything that was booked in it, and what it owed at its end, to the cent; negative where
 * the studio owes the account, and what was to be paid then on which invoice (rulings 52 and 53). `now` is as of the reading.
 */
export function presentStatement(
  statement: StatementRow,
  { environment, from, to }: Omit<StatementPeriod, 'accountId'>,
  /** The currency is for an account without invoices. */
  studio: { currency: string; timeZone: string },
) {
  const closingOutstandingCents = statement.outstanding_cents - statement.later_outstanding_cents;
  const closingCreditCents = statement.credit_cents - statement.later_credit_cents;
  const closingCents = closingOutstandingCents - closingCreditCents;
  const openingCents = statement.entries.reduce((cents, { amount_cents }) => cents - amount_cents, closingCents);
  let balanceCents = openingCents;
  return {
    accountId: statement.id,
    accountName: statement.name,
    environment,
    currency: statement.currency ?? studio.currency,
    from,
    to,
    openingCents,
    closingCents,
    closingOutstandingCents,
    closingCreditCents,
    entries: statement.entries.map((entry) => presentEntry(entry, (balanceCents += entry.amount_cents))),
    openInvoices: statement.open_invoices.map((invoice) => presentOpenInvoice(invoice, studio.timeZone)),
    now: presentStanding(statement.credit_limit_cents, {
      outstandingCents: statement.outstanding_cents,
      creditCents: statement.credit_cents,
    }),
  };
}

export type PresentedStatement = ReturnType<typeof presentStatement>;

/** `balanceCents` is what is owed after it. */
function presentEntry(entry: StatementEntry, balanceCents: number) {
  return {
    bookedOn: entry.booked_on,
    type: entry.type,
    amountCents: entry.amount_cents,
    outstandingCents: entry.outstanding_cents,
    creditCents: entry.credit_cents,
    balanceCents,
    orderId: entry.order_id,
    orderNumber: entry.order_number,
    invoiceNumber: entry.invoice_number,
    creditNoteNumber: entry.credit_note_number,
    paymentId: entry.payment_id,
    refundId: entry.refund_id,
    reference: entry.reference,
  };
}

function presentOpenInvoice(invoice: OpenInvoice, timeZone: string) {
  return {
    invoiceId: invoice.id,
    invoiceNumber: invoice.invoice_number,
    orderId: invoice.order_id,
    orderNumber: invoice.order_number,
    amountCents: invoice.amount_cents,
    dueCents: invoice.due_cents,
    issuedAt: invoice.issued_at.toISOString(),
    dueAt: invoice.due_at.toISOString(),
    dueDate: localDate(timeZone, invoice.due_at),
  };
}
