import type { OpenInvoice, StatementEntry, StatementPeriod, StatementRow } from '../db/repositories/statement';
import { localDate } from '../domain/pricing/ready-date';
import { presentBalances } from './accounts';
import { fieldsOf } from './fields';

/**
 * The opening balance, the entries, the closing balance and the open invoices of a period. A balance is negative if the studio owes the
 * account. `now` contains the balances at the time of the request.
 */
export function presentStatement(
  statement: StatementRow,
  { environment, from, to }: Omit<StatementPeriod, 'accountId'>,
  /** The currency of an account without invoices. */
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
    now: presentBalances(statement.credit_limit_cents, {
      outstandingCents: statement.outstanding_cents,
      creditCents: statement.credit_cents,
    }),
  };
}

export type PresentedStatement = ReturnType<typeof presentStatement>;

/** `balanceCents` is the balance after the entry. */
function presentEntry(entry: StatementEntry, balanceCents: number) {
  return {
    ...fieldsOf(entry, 'booked_on', 'type', 'amount_cents', 'outstanding_cents', 'credit_cents'),
    balanceCents,
    ...fieldsOf(entry, 'order_id', 'order_number', 'invoice_number', 'credit_note_number', 'payment_id', 'refund_id', 'reference'),
  };
}

function presentOpenInvoice(invoice: OpenInvoice, timeZone: string) {
  return {
    invoiceId: invoice.id,
    ...fieldsOf(invoice, 'invoice_number', 'order_id', 'order_number', 'amount_cents', 'due_cents', 'issued_at', 'due_at'),
    dueDate: localDate(timeZone, invoice.due_at),
  };
}
