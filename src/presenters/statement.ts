import type { StatementEntry, StatementPeriod, StatementRow } from '../db/repositories/statement';
import { presentStanding } from './accounts';

/**
 * What an account owed when a period began, everything that was booked in it, and what it owed at its end, to the cent; negative where
 * the studio owes the account (rulings 52 and 53). `now` is as of the reading.
 */
export function presentStatement(
  statement: StatementRow,
  { environment, from, to }: Omit<StatementPeriod, 'accountId'>,
  studioCurrency: string,
) {
  const closingCents = statement.outstanding_cents - statement.credit_cents - statement.later_cents;
  const openingCents = statement.entries.reduce((cents, { amount_cents }) => cents - amount_cents, closingCents);
  let balanceCents = openingCents;
  return {
    accountId: statement.id,
    accountName: statement.name,
    environment,
    currency: statement.currency ?? studioCurrency,
    from,
    to,
    openingCents,
    closingCents,
    entries: statement.entries.map((entry) => presentEntry(entry, (balanceCents += entry.amount_cents))),
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
