import { Box, Paper, Stepper, Text } from '@mantine/core';
import { IconCircleCheck, IconInbox, IconMinus, IconPlayerPause, IconPrinter, IconTools, IconTruck, IconX } from '@tabler/icons-react';
import { ownValue } from '../../shared/own-value';
import { describeProgress } from '../../shared/progress';
import { Time } from '../../shared/time';
import { isApplied, type Order, undoneIds } from './order';

interface Step {
  label: string;
  icon: React.ReactNode;
  isDone: boolean;
  /** When it was done, or how far it is. */
  note: React.ReactNode;
}

/** The steps of the order with their times. Skipped steps are gray; the current step shows a hold or cancellation. */
export function Progress({ order }: { order: Order }) {
  const steps = stepsOf(order);
  const active = steps.findLastIndex(({ isDone }) => isDone) + 1;
  const stop = ownValue<Stop>(STOPS, order.baseStatus);
  return (
    <Paper withBorder p="sm">
      <Stepper
        active={active}
        size="sm"
        iconSize={32}
        labelPosition="bottom"
        wrap={false}
        styles={{ step: { flex: '1 1 0' }, separator: { marginInline: 2 } }}
        role="list"
        aria-label="Progress"
      >
        {steps.map(({ label, icon, isDone, note }, index) => {
          const isCurrent = index === active;
          const stopHere = isCurrent ? stop : undefined;
          const isSkipped = index < active && !isDone;
          return (
            <Stepper.Step
              key={label}
              // Nothing happens on a click.
              {...{ component: 'div' }}
              role="listitem"
              aria-current={isCurrent ? 'step' : undefined}
              label={
                <Text span inherit fz={{ base: 10, xs: 'xs', sm: 'sm' }}>
                  {label}
                </Text>
              }
              description={stopHere ? stopHere.note(order) : (note ?? (isSkipped && 'Not recorded'))}
              icon={icon}
              {...(isSkipped ? { color: 'gray', completedIcon: <IconMinus size={18} /> } : {})}
              {...(stopHere && { color: stopHere.color, progressIcon: stopHere.icon })}
            />
          );
        })}
      </Stepper>
    </Paper>
  );
}

interface Stop {
  note: (order: Order) => React.ReactNode;
  color: string;
  icon: React.ReactNode;
}
const STOPS: Readonly<Record<string, Stop>> = {
  on_hold: { note: () => 'On hold', color: 'yellow', icon: <IconPlayerPause size={18} /> },
  cancelled: { note: ({ cancelledAt }) => timeNote(cancelledAt, 'Cancelled'), color: 'gray', icon: <IconX size={18} /> },
};

/** An event with its time. Phones hide the time. */
const timeNote = (time: string | null | undefined, event?: string): React.ReactNode =>
  time && (
    <>
      {event}{' '}
      <Box component="span" visibleFrom="sm">
        <Time at={time} />
      </Box>
    </>
  );

function stepsOf(order: Order): Step[] {
  const { createdAt, baseStatus, status, facts, parcels } = order;
  const undone = undoneIds(order);
  const timeOf = (type: string): string | undefined =>
    order.timeline.find((entry) => entry.type === type && isApplied(entry) && !undone.has(entry.milestoneId))?.occurredAt;
  const partlyShippedNote = status === 'shipped' ? describeProgress(order) : null;
  const isShipped = status === 'shipped' && partlyShippedNote === null;
  const shippedAt = parcels.findLast(({ voidedAt }) => voidedAt === null)?.shippedAt;
  const started = timeOf('production_started');
  return [
    { label: 'Received', icon: <IconInbox size={18} />, isDone: true, note: timeNote(createdAt) },
    { label: 'In production', icon: <IconTools size={18} />, isDone: started !== undefined, note: timeNote(started) },
    { label: 'Printed', icon: <IconPrinter size={18} />, isDone: facts.printed, note: timeNote(timeOf('printed')) },
    { label: 'Shipped', icon: <IconTruck size={18} />, isDone: isShipped, note: isShipped ? timeNote(shippedAt) : partlyShippedNote },
    { label: 'Completed', icon: <IconCircleCheck size={18} />, isDone: baseStatus === 'completed', note: timeNote(timeOf('completed')) },
  ];
}
