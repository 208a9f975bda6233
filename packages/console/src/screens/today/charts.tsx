import '@mantine/charts/styles.css';
import { BarChart, Sparkline } from '@mantine/charts';
import { useNavigate } from '@tanstack/react-router';
import type { Schema } from '../../api/studio';
import { addDays } from '../../shared/local-time';

type Today = Schema<'Today'>;

/** A chart keeps its width for a moment after the window becomes narrower. */
const CLIPPED = { overflow: 'hidden' };

export function RevenueSparkline({ days }: { days: readonly { revenueCents: number }[] }) {
  return <Sparkline h={20} data={days.map(({ revenueCents }) => revenueCents)} color="teal.6" curveType="linear" style={CLIPPED} />;
}

const shortDay = (day: string): string =>
  new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', weekday: 'short', day: 'numeric' }).format(Date.parse(day));

/** The orders that are due on each day. A bar leads to its orders. */
export function DueByDay({ days }: { days: Today['dueByDay'] }) {
  const navigate = useNavigate();
  const words = days.filter(({ orders }) => orders > 0).map(({ date, orders }) => `${shortDay(date)}: ${orders}`);
  return (
    <div role="img" aria-label={words.length === 0 ? 'No order is due' : `Orders due: ${words.join(', ')}`}>
      <BarChart
        h={150}
        style={CLIPPED}
        data={days.map(({ date, orders }) => ({ date, day: shortDay(date), Orders: orders }))}
        dataKey="day"
        series={[{ name: 'Orders', color: 'indigo.6' }]}
        withYAxis={false}
        gridAxis="none"
        withBarValueLabel
        barChartProps={{ margin: { top: 20 } }}
        textColor="var(--mantine-color-text)"
        tooltipAnimationDuration={0}
        barProps={{
          isAnimationActive: false,
          cursor: 'pointer',
          onClick: ({ payload }: { payload?: { date?: string } }) => {
            const date = payload?.date;
            if (date !== undefined)
              void navigate({ to: '/board', search: { dueFrom: date, dueBefore: addDays(date, 1), sort: 'dueDate' } });
          },
        }}
      />
    </div>
  );
}
