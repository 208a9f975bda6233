import { Anchor, Group, List, Stack, Text, Title } from '@mantine/core';
import { page, studio } from '../../api/studio';
import type { Environment } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useMay } from '../../session/session';
import { countInWords, type OrderCounts, useOrderCounts } from '../../shared/counts';
import { type Column, ListTable, More, queryOf, Rows, type RowsColumn, useList } from '../../shared/list';
import { TO_BE_SHIPPED } from '../../shared/order-status';
import { Due, Further, Marks, OrderLink, type OrderRow, piecesOf } from '../../shared/orders';
import { Status, wordsOf } from '../../shared/status';
import { useToday } from '../../shared/today';
import { Nothing, Refused, Waiting } from '../../shared/told';
import { When } from '../../shared/when';
import { addDays } from '../../shared/zoned';
import { BoardLink, Part } from './Part';
import { To } from '../../shared/to';

interface Narrowed {
  late?: 'true';
  dueFrom?: string;
  dueBefore?: string;
  limit: number;
}

function useDue(environment: Environment, narrowed: Narrowed) {
  return useList<OrderRow>(['orders', environment, 'due', narrowed], (cursor) => {
    const query = { environment, sort: 'dueDate' as const, ...narrowed, cursor };
    return page(studio.GET('/orders', { params: { query } }));
  });
}

const DUE_COLUMNS: readonly RowsColumn<OrderRow>[] = [
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Account', cell: ({ accountName }) => accountName },
  { heading: 'Status', cell: ({ status }) => <Status of={status} /> },
  { heading: 'Due', cell: (order) => <Due of={order} /> },
  { heading: 'Pieces', right: true, cell: piecesOf },
  { heading: 'Notes', cell: (order) => <Marks of={order} /> },
];

const ROWS_OF_A_PAGE = 10;

export function Late() {
  const [environment] = useEnvironment();
  const count = useOrderCounts(environment).data?.late;
  const search = { late: 'true', sort: 'dueDate' } as const;
  return (
    <Part
      title={count === undefined || count === 0 ? 'Late' : `Late: ${countInWords(count)}`}
      about="The day they were due has passed, and they are still here. The longest late first."
      beside={count === undefined || count === 0 ? undefined : <BoardLink search={search}>All that are late, on the board</BoardLink>}
    >
      <ListTable
        label="Late orders"
        list={useDue(environment, { late: 'true', limit: ROWS_OF_A_PAGE })}
        columns={DUE_COLUMNS}
        keyOf={({ orderId }) => orderId}
        empty="Nothing is late."
        csv={`/studio/v1/orders.csv?${queryOf({ environment, ...search })}`}
      />
    </Part>
  );
}

const DAYS = 7;

/** The work there is: how much in each status, and what has to leave next, whatever the day. What is late has a part of its own. */
export function ToBeMade() {
  const [environment] = useEnvironment();
  const counts = useOrderCounts(environment).data;
  const isFirstDay = counts !== undefined && Object.values(counts.byStatus).every((count) => count === 0);
  return (
    <Part
      title="To be made"
      about={isFirstDay ? undefined : 'What has to leave next, by the day that was promised, or else by the standard turnaround.'}
      beside={isFirstDay ? undefined : <BoardLink search={{ sort: 'dueDate' }}>All of it on the board</BoardLink>}
    >
      {counts !== undefined && !isFirstDay && <Counts counts={counts} />}
      {isFirstDay ? <Begin environment={environment} /> : <Soonest late={counts?.late ?? 0} />}
    </Part>
  );
}

function Counts({ counts }: { counts: OrderCounts }) {
  return (
    <Group gap="md" mb="xs" role="group" aria-label="To be made, by status">
      {TO_BE_SHIPPED.map((status) => (
        <BoardLink key={status} search={{ status, sort: 'dueDate' }}>
          {wordsOf(status)}: {countInWords(counts.byStatus[status])}
        </BoardLink>
      ))}
    </Group>
  );
}

function Soonest({ late }: { late: number }) {
  const [environment] = useEnvironment();
  const today = useToday();
  const list = useDue(environment, { dueFrom: today, limit: ROWS_OF_A_PAGE });
  const rows = list.data?.pages.flatMap((each) => each.rows) ?? [];
  return (
    <>
      {list.isPending && <Waiting what="Reading" />}
      <Refused error={list.error} retry={() => void list.refetch()} />
      {list.isSuccess && rows.length === 0 && (
        <Nothing>
          {late > 0
            ? 'Nothing but what is late, above.'
            : 'Nothing is to be made: every order has been shipped, completed or cancelled. The next that comes in stands here.'}
        </Nothing>
      )}
      <Stack gap="md">
        {byDay(rows, today).map(({ title, of }) => (
          <div key={title}>
            <Title order={3} size="h5" mb={4}>
              {title}: {of.length}
              {list.hasNextPage && of.at(-1) === rows.at(-1) ? ' or more' : ''}
            </Title>
            <Rows label={title} rows={of} columns={DUE_COLUMNS} keyOf={({ orderId }) => orderId} empty="" />
          </div>
        ))}
      </Stack>
      <Group mt="xs">
        <More list={list} />
      </Group>
    </>
  );
}

function byDay(rows: readonly OrderRow[], today: string) {
  const [tomorrow, week] = [addDays(today, 1), addDays(today, DAYS)];
  const due = (fits: (day: string) => boolean): OrderRow[] => rows.filter(({ dueDate }) => dueDate !== null && fits(dueDate));
  const groups = [
    { title: 'Due today', of: due((day) => day === today) },
    { title: 'Due tomorrow', of: due((day) => day === tomorrow) },
    { title: 'Due in seven days', of: due((day) => day > tomorrow && day < week) },
    { title: 'Due later', of: due((day) => day >= week) },
  ];
  return groups.filter(({ of }) => of.length > 0);
}

function Begin({ environment }: { environment: Environment }) {
  const [, choose] = useEnvironment();
  const mayOffice = useMay('office');
  const other = environment === 'live' ? 'test' : 'live';
  return (
    <>
      <Text>No {environment} order has come in yet.</Text>
      {environment === 'live' && mayOffice && <Steps />}
      {environment === 'live' && !mayOffice && <Text size="sm">As soon as a client places one, it stands here.</Text>}
      <Text size="sm" mt="xs">
        {environment === 'live'
          ? 'Orders that somebody only tries, as the demo does, are test orders: '
          : 'Test orders are placed with a key for test orders, and are never made. '}
        <Anchor component="button" inherit underline="always" onClick={() => choose(other)}>
          {environment === 'live' ? 'switch to Test' : 'Switch to Live'}
        </Anchor>
        .
      </Text>
    </>
  );
}

function Steps() {
  const to = (
    <To to="/accounts" underline="always">
      Open an account
    </To>
  );
  return (
    <List type="ordered" size="sm" mt="xs">
      <List.Item>{to} for the client: its discount, its credit and its terms.</List.Item>
      <List.Item>Give it a key, on the account under Keys: with it the client’s own program places orders.</List.Item>
      <List.Item>Register an endpoint there, if their program is to be told what becomes of its orders.</List.Item>
      <List.Item>Every order that they place then stands here, by itself.</List.Item>
    </List>
  );
}

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
  const search = { partShipped: 'true', sort: 'oldest', from: addDays(useToday(), -DAYS_BACK) } as const;
  const list = useList<OrderRow>(['orders', environment, 'in part', search], (cursor) => {
    const query = { environment, ...search, limit: ROWS_OF_A_PAGE, cursor };
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
