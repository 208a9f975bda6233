import { useNavigate } from '@tanstack/react-router';
import type { Environment } from '../../api/types';
import { useMay } from '../../session/session';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import type { OrderRow } from '../../shared/orders';
import { columnsOf } from './columns';
import { Empty } from './Empty';
import { canBeDue, readOrders, type Change, type Filters } from './filters';

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
