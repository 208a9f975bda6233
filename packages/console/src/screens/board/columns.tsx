import { Anchor, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Further } from '../../shared/further';
import type { Column } from '../../shared/list';
import { Money } from '../../shared/money';
import { Due, Marks, OrderLink, piecesOf, type OrderRow } from '../../shared/orders';
import { Status } from '../../shared/status';
import { When } from '../../shared/when';
import type { Filters } from './filters';

/** What a row of the board tells; of money only the office. */
export function columnsOf(filters: Filters, mayOffice: boolean): readonly Column<OrderRow>[] {
  const all: readonly (Column<OrderRow> | null)[] = [
    { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
    { heading: 'Account', cell: (order) => <OfAccount of={order} filters={filters} /> },
    { heading: 'Status', cell: (order) => <Standing of={order} /> },
    { heading: 'Due', sort: 'dueDate', sorted: 'Still to be shipped, the soonest due first', cell: (order) => <Due of={order} /> },
    { heading: 'Placed', sort: 'newest', sorted: 'The newest first', cell: ({ createdAt }) => <When at={createdAt} /> },
    { heading: 'Pieces', right: true, cell: piecesOf },
    mayOffice
      ? { heading: 'Total', right: true, cell: ({ totalCents, currency }) => <Money cents={totalCents} currency={currency} /> }
      : null,
    mayOffice ? { heading: 'Invoice', cell: ({ invoice }) => (invoice === null ? '–' : <Status of={invoice.state} />) } : null,
    { heading: 'Notes', cell: (order) => <Marks of={order} /> },
  ];
  return all.filter((column) => column !== null);
}

/** Its status, and how far it is beyond that. */
function Standing({ of: order }: { of: OrderRow }) {
  return (
    <Group gap={4} className="standing">
      <Status of={order.status} />
      <Further of={order} />
    </Group>
  );
}

/** Whose it is; the others of that account are one click away. */
function OfAccount({ of: { accountId, accountName }, filters }: { of: OrderRow; filters: Filters }) {
  if (filters.accountId === accountId) return accountName;
  return (
    <Anchor
      renderRoot={(props: object) => <Link {...props} to="/board" search={{ ...filters, accountId }} />}
      size="sm"
      c="inherit"
      underline="hover"
      title={`Only orders of ${accountName}`}
    >
      {accountName}
    </Anchor>
  );
}
