import { useNavigate } from '@tanstack/react-router';
import type { Environment } from '../../api/types';
import { useMay } from '../../session/session';
import { ListTable, queryOf, useList } from '../../shared/list';
import { columnsOf } from './columns';
import { Empty } from './Empty';
import { readOrders, type Change, type Filters } from './filters';

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
      columns={columnsOf(filters, mayOffice)}
      keyOf={({ orderId }) => orderId}
      empty={<Empty environment={environment} filters={filters} />}
      sort={{ by: filters.sort ?? 'newest', choose: (sort) => change({ sort: sort === 'newest' ? undefined : sort }) }}
      csv={`/studio/v1/orders.csv?${queryOf({ environment, ...filters })}`}
      open={({ orderNumber }) => void navigate({ to: `/orders/${orderNumber}` })}
    />
  );
}
