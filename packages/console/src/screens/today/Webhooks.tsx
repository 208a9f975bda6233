import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { type FaringEndpoint, judged, waitingAt } from '../../endpoints/judgement';
import { errorWords, eventWords } from '../../endpoints/words';
import { useEnvironment } from '../../session/environment';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { AccountLink, OrderLink } from '../../shared/orders';
import { capital, Status } from '../../shared/status';
import { When } from '../../shared/when';
import { Part } from './Part';
import { To } from '../../shared/to';

const ROWS_OF_A_PAGE = 10;

const ENDPOINT_COLUMNS: readonly Column<FaringEndpoint>[] = [
  { heading: 'Account', cell: ({ accountId, accountName }) => <AccountLink id={accountId} name={accountName} /> },
  { heading: 'Where it goes', cell: ({ id, url }) => <ToDeliveries id={id} url={url} /> },
  { heading: 'State', cell: (row) => <Status of={judged(row)} /> },
  { heading: 'Why', cell: (row) => reasonOf(row) },
  { heading: 'Failed last', cell: ({ health }) => <When at={health.lastFailureAt} /> },
  { heading: 'Waits', right: true, cell: waitingAt },
  { heading: 'Given up', right: true, cell: ({ deliveries }) => deliveries.failed },
];

export function Endpoints() {
  const [environment] = useEnvironment();
  const list = useList<FaringEndpoint>(['endpoints', environment, 'failing'], (cursor) => {
    const query = { environment, failing: 'true', limit: ROWS_OF_A_PAGE, cursor } as const;
    return page(studio.GET('/webhook-endpoints', { params: { query } }));
  });
  return (
    <Part title="Endpoints with trouble" about="A client's address for webhooks is disabled, or webhooks wait that did not arrive there.">
      <ListTable
        label="Endpoints with trouble"
        list={list}
        columns={ENDPOINT_COLUMNS}
        keyOf={({ id }) => id}
        empty="None: nothing waits for a client’s server."
      />
    </Part>
  );
}

function reasonOf({ disabledReason, consecutiveFailures, health: { lastErrorCode } }: FaringEndpoint): string {
  const last = lastErrorCode === null ? null : capital(errorWords(lastErrorCode));
  const inARow = consecutiveFailures === 0 ? null : `${consecutiveFailures} given up in a row`;
  return [last, disabledReason ?? inARow].filter((words) => words !== null).join('; ') || '–';
}

function ToDeliveries({ id, url }: { id: string; url: string }) {
  return (
    <To to="/deliveries" search={{ endpoint: id }} className="mono" title="What was sent there">
      {url}
    </To>
  );
}

type Row = Of<'Delivery'>;

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Last tried', cell: ({ lastAttemptAt }) => <When at={lastAttemptAt} /> },
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Account', cell: ({ accountName }) => accountName },
  { heading: 'What was to be told', cell: ({ eventType }) => eventWords(eventType) },
  { heading: 'Why it failed', cell: (row) => <Why row={row} /> },
];

export function Deliveries() {
  const [environment] = useEnvironment();
  const asked = { environment, state: 'failed' } as const;
  const waiting = useWaiting();
  const list = useList<Row>(['deliveries', 'failed', environment], (cursor) =>
    page(studio.GET('/deliveries', { params: { query: { ...asked, limit: ROWS_OF_A_PAGE, cursor } } })),
  );
  return (
    <Part
      title="Webhooks that failed"
      about="They used up their attempts: the client has not been told. Open one to see why, and to send it again."
      beside={
        <To to="/deliveries" search={{ state: 'failed' }} size="md">
          All deliveries that failed
        </To>
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
    <To to="/deliveries/$delivery" params={{ delivery: id }}>
      {reason}
    </To>
  );
}

const LOOKED_AT = 100;

/** Webhooks that have failed at least once and are tried again: the soonest hundred, and whether there may be more. */
function useWaiting() {
  const [environment] = useEnvironment();
  return useQuery({
    queryKey: ['deliveries', 'waiting', environment],
    queryFn: async () => {
      const query = { environment, state: 'pending', sort: 'nextAttempt', limit: LOOKED_AT } as const;
      const { rows, nextCursor } = await page(studio.GET('/deliveries', { params: { query } }));
      return { rows: rows.filter(({ lastErrorCode }) => lastErrorCode !== null), isAll: nextCursor === null };
    },
  }).data;
}

/** That webhooks wait, why, and when they are tried next: nobody has to do anything yet, but clients do not know. */
function Waits({ waiting }: { waiting: ReturnType<typeof useWaiting> }) {
  const [soonest] = waiting?.rows ?? [];
  if (waiting === undefined || soonest === undefined) return null;
  const count = waiting.rows.length;
  return (
    <Alert color="yellow" mb="xs" role="status">
      <To to="/deliveries" search={{ state: 'pending', sort: 'nextAttempt' }} underline="always" c="inherit">
        {count}
        {waiting.isAll ? '' : ' or more'} {count === 1 ? 'webhook waits' : 'webhooks wait'}
      </To>
      : {reasonsOf(waiting.rows)}. Each is tried again by itself
      {soonest.nextAttemptAt !== null && (
        <>
          ; next try <When at={soonest.nextAttemptAt} />
        </>
      )}
      .
    </Alert>
  );
}

function reasonsOf(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const { lastErrorCode, lastStatus } of rows) {
    const words = errorWords(lastErrorCode ?? '', lastStatus);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const [most = '', ...others] = [...counts].toSorted(([, one], [, other]) => other - one).map(([words]) => words);
  return others.length === 0 ? most : `${most}, and other reasons`;
}
