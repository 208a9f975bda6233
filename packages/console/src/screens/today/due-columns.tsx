import { Due, Marks, OrderLink, piecesOf, type OrderRow } from '../../shared/orders';
import type { RowsColumn } from '../../shared/rows';
import { Status } from '../../shared/status';

/** What one wants to know of an order that has to leave. */
export const DUE_COLUMNS: readonly RowsColumn<OrderRow>[] = [
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Account', cell: ({ accountName }) => accountName },
  { heading: 'Status', cell: ({ status }) => <Status of={status} /> },
  { heading: 'Due', cell: (order) => <Due of={order} /> },
  { heading: 'Pieces', right: true, cell: piecesOf },
  { heading: 'Notes', cell: (order) => <Marks of={order} /> },
];
