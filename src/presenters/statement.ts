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
    entries: numberLines(statement.entries.map((entry) => presentEntry(entry, (balanceCents += entry.amount_cents), studio.timeZone))),
    openInvoices: statement.open_invoices.map((invoice) => presentOpenInvoice(invoice, studio.timeZone)),
    now: presentBalances(statement.credit_limit_cents, {
      outstandingCents: statement.outstanding_cents,
      creditCents: statement.credit_cents,
    }),
  };
}

export type PresentedStatement = ReturnType<typeof presentStatement>;

export type PresentedEntry = PresentedStatement['entries'][number];

/** `balanceCents` is the balance after the entry. */
function presentEntry(entry: StatementEntry, balanceCents: number, timeZone: string) {
  return {
    ...fieldsOf(entry, 'booked_on', 'type', 'amount_cents', 'outstanding_cents', 'credit_cents'),
    receivedOn: entry.received_at === null ? null : localDate(timeZone, entry.received_at),
    refundedOn: entry.refunded_at === null ? null : localDate(timeZone, entry.refunded_at),
    balanceCents,
    ...fieldsOf(entry, 'order_id', 'order_number', 'invoice_number', 'credit_note_number', 'payment_id', 'refund_id', 'reference'),
  };
}

type UnnumberedEntry = ReturnType<typeof presentEntry>;

/** Numbers the lines of the statement. The shares of one payment, or of its reversal, have the same number, like on a bank statement. */
function numberLines(entries: readonly UnnumberedEntry[]) {
  let line = 0;
  return entries.map((entry, index) => {
    const previous = entries[index - 1];
    if (previous === undefined || !isSamePayment(previous, entry)) line += 1;
    return { ...entry, line };
  });
}

function isSamePayment(one: UnnumberedEntry, other: UnnumberedEntry): boolean {
  const isPaymentOrReversal = one.type === 'payment' || one.type === 'reversal';
  // An entry of 0 applies credit to an invoice. It is not on a bank statement.
  const isAppliedCredit = one.amountCents === 0 || other.amountCents === 0;
  return (
    isPaymentOrReversal &&
    !isAppliedCredit &&
    one.paymentId !== null &&
    (['type', 'paymentId', 'bookedOn', 'reference'] as const).every((name) => one[name] === other[name])
  );
}

/** A line of a statement: an entry, or a payment with its shares. The line's entry has the whole amount and the balance after it. */
export interface EntryLine {
  entry: PresentedEntry;
  shares: readonly PresentedEntry[];
}

export function entryLines(entries: readonly PresentedEntry[]): EntryLine[] {
  const lines = new Map<number, PresentedEntry[]>();
  for (const entry of entries) {
    const shares = lines.get(entry.line);
    if (shares === undefined) lines.set(entry.line, [entry]);
    else shares.push(entry);
  }
  return [...lines.values()].flatMap((shares): EntryLine[] => {
    const last = shares.at(-1);
    if (last === undefined) return [];
    if (shares.length === 1) return [{ entry: last, shares: [] }];
    const sum = (name: 'amountCents' | 'outstandingCents' | 'creditCents'): number =>
      shares.reduce((cents, share) => cents + share[name], 0);
    const sums = { amountCents: sum('amountCents'), outstandingCents: sum('outstandingCents'), creditCents: sum('creditCents') };
    return [{ entry: { ...last, ...sums, orderId: null, orderNumber: null, invoiceNumber: null }, shares }];
  });
}

function presentOpenInvoice(invoice: OpenInvoice, timeZone: string) {
  return {
    invoiceId: invoice.id,
    ...fieldsOf(invoice, 'invoice_number', 'order_id', 'order_number', 'amount_cents', 'due_cents', 'issued_at', 'due_at'),
    dueDate: localDate(timeZone, invoice.due_at),
  };
}
