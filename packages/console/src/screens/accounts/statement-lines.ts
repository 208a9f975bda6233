import type { Schema } from '../../api/studio';

export type Entry = Schema<'Statement'>['entries'][number];

/** One entry, or one payment of several invoices. Its `parts` show no balance. */
export interface StatementLine {
  key: string;
  entry: Entry;
  parts: readonly Entry[];
}

/** Groups the entries of one payment, or of its reversal, into one line with the total, like on a bank statement. */
export function groupEntries(entries: readonly Entry[]): StatementLine[] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && isSamePayment(group[0], entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups.flatMap((group, index) => {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ key: String(index), entry: group.length === 1 ? first : totalOf(group, last), parts: group.length === 1 ? [] : group }];
  });
}

function isSamePayment(one: Entry, other: Entry): boolean {
  const isPaymentOrReversal = one.type === 'payment' || one.type === 'reversal';
  // An entry of 0 applies credit to an invoice. It is not on a bank statement.
  const isAppliedCredit = one.amountCents === 0 || other.amountCents === 0;
  return (
    isPaymentOrReversal &&
    !isAppliedCredit &&
    one.paymentId !== null &&
    ['type', 'paymentId', 'bookedOn', 'reference'].every((name) => one[name as 'type'] === other[name as 'type'])
  );
}

function totalOf(group: readonly Entry[], last: Entry): Entry {
  const sum = (of: (entry: Entry) => number): number => group.reduce((cents, entry) => cents + of(entry), 0);
  return {
    ...last,
    amountCents: sum(({ amountCents }) => amountCents),
    outstandingCents: sum(({ outstandingCents }) => outstandingCents),
    creditCents: sum(({ creditCents }) => creditCents),
    orderId: null,
    orderNumber: null,
    invoiceNumber: null,
  };
}
