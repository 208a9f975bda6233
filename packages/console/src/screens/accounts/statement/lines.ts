import type { Of } from '../../../api/types';

export type Entry = Of<'Statement'>['entries'][number];

/** A line of a statement: one entry, or what the bank has in one line, over several; its `parts` have no balance of their own. */
export interface Line {
  key: string;
  entry: Entry;
  parts: readonly Entry[];
}

/** One payment, or its reversal, is one line with its total, however many invoices it is of. Entries are as they were booked. */
export function linesOf(entries: readonly Entry[]): Line[] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && isOfSame(group[0], entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups.flatMap((group, at) => {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ key: String(at), entry: group.length === 1 ? first : whole(group, last), parts: group.length === 1 ? [] : group }];
  });
}

function isOfSame(one: Entry, other: Entry): boolean {
  const isMoney = one.type === 'payment' || one.type === 'reversal';
  // Credit that pays an invoice later is nothing that a bank has a line of.
  const isCredit = one.amountCents === 0 || other.amountCents === 0;
  return (
    isMoney &&
    !isCredit &&
    one.paymentId !== null &&
    ['type', 'paymentId', 'bookedOn', 'reference'].every((name) => one[name as 'type'] === other[name as 'type'])
  );
}

function whole(group: readonly Entry[], last: Entry): Entry {
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
