import { Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { callApi, studio } from '../../api/studio';
import { ShortcutsButton } from '../../layout/Menu';
import { useEnvironment } from '../../session/environment';
import { useHasRole } from '../../session/session';
import { useOrderCounts } from '../../shared/counts';
import { EmptyState, Loaded, Loading } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { HolidaysNotice, StudioDetailsMissing } from '../../shared/settings';
import { useTitle } from '../../shared/title';
import { useToday } from '../../shared/today';
import { AttentionList } from './AttentionList';
import { FirstSteps } from './FirstSteps';
import { loadCharts } from './load-charts';
import { Tiles } from './Tiles';

const DueByDay = lazy(async () => ({ default: (await loadCharts()).DueByDay }));

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
      {hasNoOrders && <FirstSteps />}
      <Loaded query={today} what="Loading">
        {(figures) => (
          <>
            <Tiles today={figures} />
            <Panel title="Due by day">
              {figures.dueByDay.some(({ orders }) => orders > 0) ? (
                <Suspense fallback={<Loading what="Loading" />}>
                  <DueByDay days={figures.dueByDay} />
                </Suspense>
              ) : (
                <EmptyState>No orders are due in the next {figures.dueByDay.length} days.</EmptyState>
              )}
            </Panel>
          </>
        )}
      </Loaded>
      <AttentionList />
    </Stack>
  );
}
