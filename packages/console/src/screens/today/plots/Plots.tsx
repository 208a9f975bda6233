import { SegmentedControl, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ask, studio } from '../../../api/studio';
import { useEnvironment } from '../../../session/environment';
import { formatMoney } from '../../../shared/amount';
import { Refused, Waiting } from '../../../shared/told';
import { useToday } from '../../../shared/today';
import { daysFrom } from '../days';
import { Part } from '../Part';
import { Arrived } from './Arrived';
import { Plot } from './Plot';

const PERIODS = ['7', '30', '90'] as const;

/** How it goes: orders and what they come to, a day at a time, and how well webhooks arrive. For the office. */
export function Plots() {
  const [environment] = useEnvironment();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const days = PERIODS.find((each) => each === search.days) ?? '30';
  const to = useToday();
  const from = daysFrom(to, 1 - Number(days));
  const stats = useQuery({
    queryKey: ['stats', environment, from, to],
    queryFn: () => ask(studio.GET('/stats', { params: { query: { environment, from, to } } })),
  });
  const choose = (chosen: string): void =>
    void navigate({ to: '/', search: { ...search, days: chosen }, replace: true, resetScroll: false });
  const period = `${from} to ${to}`;
  return (
    <Part
      title="How it goes"
      about={`${environment === 'live' ? 'Live' : 'Test'} orders placed from ${period}, both days included.`}
      beside={
        <SegmentedControl
          size="xs"
          aria-label="Period"
          value={days}
          onChange={choose}
          data={PERIODS.map((each) => ({ value: each, label: `${each} days` }))}
        />
      }
    >
      {stats.isPending && <Waiting what="Counting" />}
      <Refused error={stats.error} retry={() => void stats.refetch()} />
      {stats.isSuccess && (
        <SimpleGrid cols={{ base: 1, lg: 3 }}>
          <Plot
            title="Orders per day"
            period={period}
            sum={`${stats.data.orders.placed.toLocaleString('en-AU')} in all`}
            days={stats.data.days.map(({ date, orders }) => ({ date, value: orders }))}
            words={(value) => value.toLocaleString('en-AU')}
            colour="indigo.6"
          />
          <Plot
            title="Revenue per day"
            period={period}
            sum={`${formatMoney(stats.data.orders.revenueCents)} in all, without what is cancelled`}
            days={stats.data.days.map(({ date, revenueCents }) => ({ date, value: revenueCents }))}
            words={(value) => formatMoney(value)}
            colour="teal.6"
          />
          <Arrived deliveries={stats.data.deliveries} period={period} />
        </SimpleGrid>
      )}
    </Part>
  );
}
