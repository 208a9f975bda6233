import { BarChart } from '@mantine/charts';
import type { Of } from '../../../api/types';
import { Rows } from '../../../shared/rows';
import { wordsOf } from '../../../shared/status';
import { Framed } from './Framed';

type Made = Of<'Stats'>['deliveries'];
type State = Exclude<keyof Made, 'deliveredBps'>;
const COLOURS: Readonly<Record<State, string>> = { delivered: 'green.7', failed: 'red.7', pending: 'indigo.5', held: 'yellow.7' };

/** How many webhooks of a period arrived, failed, are still tried or wait. */
export function Arrived({ deliveries, period }: { deliveries: Made; period: string }) {
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
          withYAxis={false}
          withBarValueLabel
          gridAxis="none"
          textColor="var(--mantine-color-text)"
          barProps={{ isAnimationActive: false }}
          tooltipAnimationDuration={0}
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
