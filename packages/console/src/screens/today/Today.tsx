import { Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { callApi, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';
import { useHasRole } from '../../session/session';
import { useOrderCounts } from '../../shared/counts';
import { EmptyState, ErrorAlert, Loading } from '../../shared/feedback';
import { ShortcutsButton } from '../../shared/shortcuts';
import { Panel } from '../../shared/layout';
import { HolidaysNotice, StudioDetailsMissing } from '../../shared/settings';
import { useTitle } from '../../shared/title';
import { useToday } from '../../shared/today';
import { AttentionList } from './AttentionList';
import { FirstSteps } from './FirstSteps';
import { Tiles } from './Tiles';

const DueByDay = lazy(() => import('./charts').then((charts) => ({ default: charts.DueByDay })));

/** The dashboard: figures of the day, due orders, and problems. */
export function Today() {
  useTitle('Today');
  const isOffice = useHasRole('office');
  const [environment] = useEnvironment();
  const date = useToday();
  const today = useQuery({
    queryKey: ['today', environment, date],
    queryFn: () => callApi(studio.GET('/today', { params: { query: { environment } } })),
  });
  const counts = useOrderCounts(environment).data;
  const hasNoOrders = counts !== undefined && Object.values(counts.byStatus).every((count) => count === 0);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1}>Today</Title>
        <ShortcutsButton />
      </Group>
      {isOffice && <StudioDetailsMissing />}
      {isOffice && <HolidaysNotice />}
      {today.isPending && <Loading what="Loading" />}
      <ErrorAlert error={today.error} retry={() => void today.refetch()} />
      {hasNoOrders && <FirstSteps />}
      {today.isSuccess && <Tiles today={today.data} />}
      {today.isSuccess && (
        <Panel title="Due by day">
          {today.data.dueByDay.some(({ orders }) => orders > 0) ? (
            <Suspense fallback={<Loading what="Loading" />}>
              <DueByDay days={today.data.dueByDay} />
            </Suspense>
          ) : (
            <EmptyState>No orders are due in the next {today.data.dueByDay.length} days.</EmptyState>
          )}
        </Panel>
      )}
      <AttentionList />
    </Stack>
  );
}
