import { BarChart } from '@mantine/charts';
import { ScrollArea } from '@mantine/core';
import { Rows } from '../../../shared/rows';
import { Day } from '../../../shared/when';
import { Framed } from './Framed';

interface PlotProps {
  title: string;
  period: string;
  sum: string;
  days: readonly { date: string; value: number }[];
  words: (value: number) => string;
  colour: string;
}

/** One figure of every day of a period, as bars. */
export function Plot({ title, period, sum, days, words, colour }: PlotProps) {
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
          withYAxis={false}
          gridAxis="none"
          textColor="var(--mantine-color-text)"
          barProps={{ isAnimationActive: false }}
          tooltipAnimationDuration={0}
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

/** `22 Nov` */
function short(day: string): string {
  return new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(Date.parse(day));
}
