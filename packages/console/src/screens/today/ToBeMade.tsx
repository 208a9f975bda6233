import { Button, Group, Stack, Title } from '@mantine/core';
import { useEnvironment } from '../../session/environment';
import { countInWords, useOrderCounts, type OrderCounts } from '../../shared/counts';
import { TO_BE_SHIPPED } from '../../shared/order-status';
import type { OrderRow } from '../../shared/orders';
import { Rows } from '../../shared/rows';
import { wordsOf } from '../../shared/status';
import { Nothing, Refused, Waiting } from '../../shared/told';
import { useToday } from '../../shared/today';
import { Begin } from './Begin';
import { BoardLink } from './BoardLink';
import { daysFrom } from './days';
import { DUE_COLUMNS } from './due-columns';
import { useDue } from './orders';
import { Part } from './Part';

const ROWS_OF_A_PAGE = 10;
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
      {list.hasNextPage && (
        <Group mt="xs">
          <Button size="xs" variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}

/** By when they have to leave, without what there is nothing of. */
function byDay(rows: readonly OrderRow[], today: string) {
  const [tomorrow, week] = [daysFrom(today, 1), daysFrom(today, DAYS)];
  const due = (fits: (day: string) => boolean): OrderRow[] => rows.filter(({ dueDate }) => dueDate !== null && fits(dueDate));
  const groups = [
    { title: 'Due today', of: due((day) => day === today) },
    { title: 'Due tomorrow', of: due((day) => day === tomorrow) },
    { title: 'Due in seven days', of: due((day) => day > tomorrow && day < week) },
    { title: 'Due later', of: due((day) => day >= week) },
  ];
  return groups.filter(({ of }) => of.length > 0);
}
