import { page, studio } from '../../../api/studio';
import type { Environment, Of } from '../../../api/types';
import { ListTable, useList, type Column } from '../../../shared/list';
import { Money } from '../../../shared/money';
import { When } from '../../../shared/when';
import type { Account } from '../draft';

/** Credit that was paid back, newest first. */
export function RefundList({ account: { id }, environment, currency }: { account: Account; environment: Environment; currency: string }) {
  const list = useList<Of<'Refund'>>(['payments', 'refunds', id, environment], (cursor) =>
    page(studio.GET('/accounts/{id}/refunds', { params: { path: { id }, query: { environment, cursor } } })),
  );
  return (
    <ListTable
      label="Paid back"
      list={list}
      columns={columnsIn(currency)}
      keyOf={({ refundId }) => refundId}
      empty="Nothing was paid back. Where an account has credit, “Pay back” records it."
    />
  );
}

const columnsIn = (currency: string): readonly Column<Of<'Refund'>>[] => [
  { heading: 'Recorded', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'Amount', right: true, cell: ({ amountCents }) => <Money cents={amountCents} currency={currency} /> },
  { heading: 'Reference', cell: ({ reference }) => reference },
  { heading: 'Its id', cell: ({ refundId }) => <span className="mono">{refundId}</span> },
];
