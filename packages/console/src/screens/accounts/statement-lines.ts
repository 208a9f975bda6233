import type { Schema } from '../../api/studio';

export type Entry = Schema<'Statement'>['entries'][number];

/** One entry, or one payment of several invoices. Its `parts` show no balance. */
export interface StatementLine {
  key: string;
  entry: Entry;
  parts: readonly Entry[];
}

/** Groups the shares of one payment into one line with the total, like on a bank statement. */
export function groupEntries(entries: readonly Entry[]): StatementLine[] {
  const groups = new Map<number, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.line);
    if (group === undefined) groups.set(entry.line, [entry]);
    else group.push(entry);
  }
  return [...groups].flatMap(([line, group]) => {
    const last = group.at(-1);
    if (last === undefined) return [];
    return [{ key: String(line), entry: group.length === 1 ? last : totalOf(group, last), parts: group.length === 1 ? [] : group }];
  });
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
