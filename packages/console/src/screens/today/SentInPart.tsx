import { page, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';
import { ListTable, useList, type Column } from '../../shared/list';
import { Further } from '../../shared/further';
import { Marks, OrderLink, type OrderRow } from '../../shared/orders';
import { useToday } from '../../shared/today';
import { When } from '../../shared/when';
import { BoardLink } from './BoardLink';
import { daysFrom } from './days';
import { Part } from './Part';

const ROWS_OF_A_PAGE = 10;
/** Older ones are found on the board: by then somebody has seen to them, or never will. */
const DAYS_BACK = 90;

const COLUMNS: readonly Column<OrderRow>[] = [
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Account', cell: ({ accountName }) => accountName },
  { heading: 'How far', cell: (order) => <Further of={order} /> },
  { heading: 'Placed', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'Notes', cell: (order) => <Marks of={order} /> },
];

/** What reads as shipped while pieces of it are still here: it is never late, and nothing else reminds of it. Shown where there is any. */
export function SentInPart() {
  const [environment] = useEnvironment();
  const search = { partShipped: 'true', sort: 'oldest', from: daysFrom(useToday(), -DAYS_BACK) } as const;
  const list = useList<OrderRow>(['orders', environment, 'in part', search], (cursor) => {
    const query = { environment, ...search, limit: ROWS_OF_A_PAGE, ...(cursor === undefined ? {} : { cursor }) };
    return page(studio.GET('/orders', { params: { query } }));
  });
  if (list.data?.pages.every(({ rows }) => rows.length === 0) === true) return null;
  return (
    <Part
      title="Sent in part"
      about="A parcel has left, and other pieces are in none yet."
      beside={<BoardLink search={{ partShipped: 'true' }}>All of them on the board</BoardLink>}
    >
      <ListTable label="Orders sent in part" list={list} columns={COLUMNS} keyOf={({ orderId }) => orderId} empty="None." />
    </Part>
  );
}
