import { BarChart } from '@mantine/charts';
import { Button, Group, Paper, ScrollArea, SegmentedControl, SimpleGrid, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ask, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { formatMoney } from '../../shared/amount';
import { Rows } from '../../shared/list';
import { wordsOf } from '../../shared/status';
import { useToday } from '../../shared/today';
import { Refused, Waiting } from '../../shared/told';
import { Day } from '../../shared/when';
import { addDays } from '../../shared/zoned';
import { Part } from './Part';

const PERIODS = ['7', '30', '90'] as const;

export function Plots() {
  const [environment] = useEnvironment();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const days = PERIODS.find((each) => each === search.days) ?? '30';
  const to = useToday();
  const from = addDays(to, 1 - Number(days));
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

interface FramedProps {
  title: string;
  period: string;
  sum: string;
  plot: React.ReactNode;
  table: React.ReactNode;
}

/** A plot with its period and its sum in words; whoever does not see it, or wants figures, has a table instead. */
function Framed({ title, period, sum, plot, table }: FramedProps) {
  const [asTable, { toggle }] = useDisclosure(false);
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="xs">
        <div>
          <Title order={3} size="h5">
            {title}
          </Title>
          <Text size="sm">{sum}</Text>
        </div>
        <Button flex="none" size="compact-xs" variant="default" onClick={toggle} aria-pressed={asTable} aria-label={`${title} as a table`}>
          As a table
        </Button>
      </Group>
      {asTable ? (
        table
      ) : (
        <div role="img" aria-label={`${title}, ${period}: ${sum}. “As a table” has its figures.`}>
          {plot}
        </div>
      )}
    </Paper>
  );
}

const PLAIN = {
  withYAxis: false,
  gridAxis: 'none',
  textColor: 'var(--mantine-color-text)',
  barProps: { isAnimationActive: false },
  tooltipAnimationDuration: 0,
} as const;

interface PlotProps {
  title: string;
  period: string;
  sum: string;
  days: readonly { date: string; value: number }[];
  words: (value: number) => string;
  colour: string;
}

function Plot({ title, period, sum, days, words, colour }: PlotProps) {
  return (
    <Framed
      title={title}
      period={period}
      sum={sum}
      plot={
        <BarChart
          h={180}
          data={days.map(({ date, value }) => ({ day: short(date), [title]: value }))}
          dataKey="day"
          series={[{ name: title, color: colour }]}
          valueFormatter={words}
          {...PLAIN}
        />
      }
      table={
        <ScrollArea.Autosize mah={300} type="auto" viewportProps={{ tabIndex: 0 }}>
          <Rows
            label={`${title}, ${period}`}
            rows={days.toReversed()}
            columns={[
              { heading: 'Day', cell: ({ date }) => <Day day={date} /> },
              { heading: title, right: true, cell: ({ value }) => words(value) },
            ]}
            keyOf={({ date }) => date}
            empty=""
          />
        </ScrollArea.Autosize>
      }
    />
  );
}

function short(day: string): string {
  return new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(Date.parse(day));
}

type Made = Of<'Stats'>['deliveries'];
type State = Exclude<keyof Made, 'deliveredBps'>;
const COLOURS: Readonly<Record<State, string>> = { delivered: 'green.7', failed: 'red.7', pending: 'indigo.5', held: 'yellow.7' };

function Arrived({ deliveries, period }: { deliveries: Made; period: string }) {
  const title = 'Webhooks that arrived';
  const rows = (Object.keys(COLOURS) as State[]).map((state) => ({
    state: wordsOf(state),
    count: deliveries[state],
    colour: COLOURS[state],
  }));
  return (
    <Framed
      title={title}
      period={period}
      sum={sumOf(deliveries)}
      plot={
        <BarChart
          h={180}
          data={rows.map(({ state, count, colour }) => ({ state, Webhooks: count, color: colour }))}
          dataKey="state"
          series={[{ name: 'Webhooks', color: 'gray.6' }]}
          valueFormatter={(value) => value.toLocaleString('en-AU')}
          withBarValueLabel
          {...PLAIN}
        />
      }
      table={
        <Rows
          label={`${title}, ${period}`}
          rows={rows}
          columns={[
            { heading: 'State', cell: ({ state }) => state },
            { heading: 'Webhooks', right: true, cell: ({ count }) => count.toLocaleString('en-AU') },
          ]}
          keyOf={({ state }) => state}
          empty=""
        />
      }
    />
  );
}

/** What is still tried has not ended, and is said beside it. */
function sumOf({ deliveredBps, pending, held }: Made): string {
  const waits = [pending > 0 && `${pending.toLocaleString('en-AU')} still tried`, held > 0 && `${held.toLocaleString('en-AU')} held`];
  const said = waits.filter((words) => words !== false).join(', ');
  if (deliveredBps === null) return said === '' ? 'None has been sent yet' : `None has arrived or been given up yet: ${said}`;
  return `${(deliveredBps / 100).toFixed(2)} % of those that have ended${said === '' ? '' : `; ${said}`}`;
}
