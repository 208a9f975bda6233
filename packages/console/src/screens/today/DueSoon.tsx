import { Button, Group, Stack, Title } from '@mantine/core';
import { useEnvironment } from '../../session/environment';
import { useSession } from '../../session/session';
import type { OrderRow } from '../../shared/orders';
import { Rows } from '../../shared/rows';
import { Nothing, Refused, Waiting } from '../../shared/told';
import { todayIn } from '../../shared/when';
import { BoardLink } from './BoardLink';
import { daysFrom } from './days';
import { DUE_COLUMNS } from './due-columns';
import { useDue } from './orders';
import { Part } from './Part';

const ROWS_OF_A_PAGE = 50;
const DAYS = 7;

/** What has to leave in the next seven days: today, tomorrow, and the days after. */
export function DueSoon() {
  const [environment] = useEnvironment();
  const today = todayIn(useSession().timeZone);
  const within = { dueFrom: today, dueBefore: daysFrom(today, DAYS) };
  const list = useDue(environment, { ...within, limit: ROWS_OF_A_PAGE });
  const rows = list.data?.pages.flatMap((each) => each.rows) ?? [];
  return (
    <Part
      title="Due in seven days"
      about="By the day that was promised, or else by the standard turnaround."
      beside={<BoardLink search={{ ...within, sort: 'dueDate' }}>These on the board</BoardLink>}
    >
      {list.isPending && <Waiting what="Reading" />}
      <Refused error={list.error} retry={() => void list.refetch()} />
      {list.isSuccess && rows.length === 0 && <Nothing>Nothing is due in the next seven days.</Nothing>}
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
    </Part>
  );
}

/** By when they have to leave, without what there is nothing of. */
function byDay(rows: readonly OrderRow[], today: string) {
  const tomorrow = daysFrom(today, 1);
  const groups = [
    { title: 'Today', of: rows.filter(({ dueDate }) => dueDate === today) },
    { title: 'Tomorrow', of: rows.filter(({ dueDate }) => dueDate === tomorrow) },
    { title: 'In the days after', of: rows.filter(({ dueDate }) => dueDate !== null && dueDate > tomorrow) },
  ];
  return groups.filter(({ of }) => of.length > 0);
}
