import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { errorWords, eventWords } from '../../endpoints/words';
import { capital } from '../../shared/status';
import { useEnvironment } from '../../session/environment';
import { ListTable, queryOf, useList, type Column } from '../../shared/list';
import { OrderLink } from '../../shared/orders';
import { When } from '../../shared/when';
import { Part } from './Part';
import { useWaiting, Waits } from './Waits';

type Row = Of<'Delivery'>;
const ROWS_OF_A_PAGE = 10;

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Last tried', cell: ({ lastAttemptAt }) => <When at={lastAttemptAt} /> },
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Account', cell: ({ accountName }) => accountName },
  { heading: 'What was to be told', cell: ({ eventType }) => eventWords(eventType) },
  { heading: 'Why it failed', cell: (row) => <Why row={row} /> },
];

/** Webhooks that were given up on, each with its reason, which leads to every attempt. For the office. */
export function Deliveries() {
  const [environment] = useEnvironment();
  const asked = { environment, state: 'failed' } as const;
  const waiting = useWaiting();
  const list = useList<Row>(['deliveries', 'failed', environment], (cursor) =>
    page(studio.GET('/deliveries', { params: { query: { ...asked, limit: ROWS_OF_A_PAGE, ...(cursor !== undefined && { cursor }) } } })),
  );
  return (
    <Part
      title="Webhooks that failed"
      about="They used up their attempts: the client has not been told. Open one to see why, and to send it again."
      beside={
        <Anchor renderRoot={(props: object) => <Link {...props} to="/deliveries" search={{ state: 'failed' }} />}>
          All deliveries that failed
        </Anchor>
      }
    >
      <Waits waiting={waiting} />
      <ListTable
        label="Webhooks that failed"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={emptyWords(waiting?.rows.length)}
        csv={`/studio/v1/deliveries.csv?${queryOf(asked)}`}
      />
    </Part>
  );
}

function emptyWords(waiting: number | undefined): string {
  if (waiting === undefined) return 'No webhook was given up.';
  return waiting > 0 ? 'None was given up yet.' : 'No webhook has failed, and none waits: clients know where their orders are.';
}

function Why({ row: { id, lastErrorCode, lastStatus } }: { row: Row }) {
  const reason = lastErrorCode === null ? 'See its attempts' : capital(errorWords(lastErrorCode, lastStatus));
  return (
    <Anchor component={Link} to={`/deliveries/${id}`} inherit>
      {reason}
    </Anchor>
  );
}
