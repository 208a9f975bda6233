import { Anchor, Group } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Environment } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useMay } from '../../session/session';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { Money } from '../../shared/money';
import { Due, Further, Marks, OrderLink, type OrderRow, piecesOf } from '../../shared/orders';
import { Status } from '../../shared/status';
import { When } from '../../shared/when';
import { canBeDue, type Change, countOf, type Filters, readOrders } from './filters';
import { isShort } from './short';

interface OrdersProps {
  environment: Environment;
  filters: Filters;
  change: Change;
}

/** The orders that match: what was there stays until the answer to the last letter typed is there. */
export function Orders({ environment, filters, change }: OrdersProps) {
  const navigate = useNavigate();
  const mayOffice = useMay('office');
  const list = useList(['orders', environment, filters], (cursor) => readOrders(environment, filters, cursor), { keepsRows: true });
  return (
    <ListTable
      label="Orders"
      list={list}
      columns={columnsOf(filters, mayOffice).map((column) => sortable(column, filters))}
      keyOf={({ orderId }) => orderId}
      empty={<Empty environment={environment} filters={filters} />}
      sort={{ by: filters.sort ?? 'newest', choose: (sort) => change({ sort: sort === 'newest' ? undefined : sort }) }}
      csv={`/studio/v1/orders.csv?${queryOf({ environment, ...filters })}`}
      open={({ orderNumber }) => void navigate({ to: `/orders/${orderNumber}` })}
    />
  );
}

/** The column with what it can be sorted by: the day alone leaves out what was shipped, so that nothing would be left of that. */
function sortable({ sort, ...column }: Column<OrderRow>, { status }: Filters): Column<OrderRow> {
  return sort === undefined || (sort === 'dueDate' && !canBeDue(status)) ? column : { ...column, sort };
}

function columnsOf(filters: Filters, mayOffice: boolean): readonly Column<OrderRow>[] {
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

function Standing({ of: order }: { of: OrderRow }) {
  return (
    <Group gap={4} className="standing">
      <Status of={order.status} />
      <Further of={order} />
    </Group>
  );
}

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

const BEGINS_A_NUMBER = /^(?:[PT]-?)?\d*$/i;

function Empty({ environment, filters }: { environment: Environment; filters: Filters }) {
  const [, choose] = useEnvironment();
  const other = environment === 'live' ? 'test' : 'live';
  const elsewhere = (
    <Anchor component="button" onClick={() => choose(other)}>
      Look among {other} orders
    </Anchor>
  );
  if (filters.sort === 'dueDate' && (countOf(filters) === 0 || !canBeDue(filters.status)))
    return <>Sorted by the day they are due stand only orders still to be shipped: none is. Clear the filters to see all orders.</>;
  if (countOf(filters) === 0)
    return environment === 'live' ? (
      <>No order has come in yet. Clients place them with their own programs; each is here as soon as it is placed. {elsewhere}.</>
    ) : (
      <>No client has tried an order yet. {elsewhere}.</>
    );
  if (filters.q !== undefined && isShort(filters.q))
    return (
      <>
        No number begins with “{filters.q}”. A name, an e-mail address, a reference or a tracking number is found by three letters or more,
        or digits. {BEGINS_A_NUMBER.test(filters.q.trim()) && <>{elsewhere}.</>}
      </>
    );
  return (
    <>
      No {environment} order{filters.sort === 'dueDate' ? ' still to be shipped' : ''} is like that. Clear the filters to see all of them.{' '}
      {filters.q !== undefined && <>{elsewhere}.</>}
    </>
  );
}
