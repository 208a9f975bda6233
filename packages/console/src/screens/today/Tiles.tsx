import { Paper, SimpleGrid, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Schema } from '../../api/studio';
import { formatAmount } from '../../shared/amount';
import { formatCount } from '../../shared/counts';
import { addDays } from '../../shared/local-time';
import { loadCharts } from './load-charts';

const RevenueSparkline = lazy(async () => ({ default: (await loadCharts()).RevenueSparkline }));

/** The figures of the day. Each one leads to the list that it counts. */
export function Tiles({ today: { date, dueToday, late, toStart, onHold, money } }: { today: Schema<'Today'> }) {
  const board = (search: Record<string, string>): LinkProps => ({ to: '/board', search });
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: money === null ? 4 : 6 }} spacing="sm">
      <Tile
        title="Due today"
        figure={formatCount(dueToday)}
        link={board({ dueFrom: date, dueBefore: addDays(date, 1), sort: 'dueDate' })}
      />
      <Tile title="Late" figure={formatCount(late)} link={board({ late: 'true', sort: 'dueDate' })} isBad={late > 0} />
      <Tile title="To start" figure={formatCount(toStart)} link={board({ status: 'received', sort: 'dueDate' })} />
      <Tile title="On hold" figure={formatCount(onHold)} link={board({ status: 'on_hold', sort: 'dueDate' })} />
      {money !== null && (
        <>
          <Tile title="Outstanding (AUD)" figure={formatAmount(money.outstandingCents)} link={{ to: '/invoices' }} />
          <Tile title="Revenue this month (AUD)" figure={formatAmount(money.revenueCents)}>
            <Suspense fallback={null}>
              <RevenueSparkline days={money.days} />
            </Suspense>
          </Tile>
        </>
      )}
    </SimpleGrid>
  );
}

interface TileProps {
  title: string;
  figure: string;
  link?: LinkProps;
  isBad?: boolean;
  children?: React.ReactNode;
}

function Tile({ title, figure, link, isBad = false, children }: TileProps) {
  return (
    <Paper
      className="mantine-focus-auto"
      withBorder
      p="sm"
      td="none"
      c="inherit"
      {...(link && { renderRoot: (props: object) => <Link {...props} {...link} /> })}
    >
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="xl" fw={600} className="money" {...(isBad && { c: 'red' })}>
        {figure}
      </Text>
      {children}
    </Paper>
  );
}
