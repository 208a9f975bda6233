import { Box, Paper, Stepper, Text } from '@mantine/core';
import { IconCircleCheck, IconInbox, IconMinus, IconPlayerPause, IconPrinter, IconTools, IconTruck, IconX } from '@tabler/icons-react';
import { ownValue } from '../../shared/own-value';
import { describeProgress } from '../../shared/progress';
import { Time } from '../../shared/time';
import type { Order } from './order';

interface Step {
  label: string;
  icon: React.ReactNode;
  isDone: boolean;
  at?: string | null | undefined;
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
        {steps.map(({ label, icon, isDone, at }, index) => {
          const isCurrent = index === active;
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
              description={noteOf(order, { label, at, isSkipped, stop: isCurrent ? stop : undefined })}
              icon={icon}
              {...(isSkipped ? { color: 'gray', completedIcon: <IconMinus size={18} /> } : {})}
              {...(isCurrent && stop !== undefined ? { color: stop.color, progressIcon: stop.icon } : {})}
            />
          );
        })}
      </Stepper>
    </Paper>
  );
}

interface Stop {
  note: string;
  color: string;
  icon: React.ReactNode;
}
const STOPS: Readonly<Record<string, Stop>> = {
  on_hold: { note: 'On hold', color: 'yellow', icon: <IconPlayerPause size={18} /> },
  cancelled: { note: 'Cancelled', color: 'gray', icon: <IconX size={18} /> },
};

interface Note extends Pick<Step, 'label' | 'at'> {
  isSkipped: boolean;
  stop: Stop | undefined;
}

function noteOf(order: Order, { label, at, isSkipped, stop }: Note): React.ReactNode {
  if (stop !== undefined) return <>{stop.note} {order.cancelledAt !== null && <WideTime at={order.cancelledAt} />}</>; // prettier-ignore
  if (at) return <WideTime at={at} />;
  if (isSkipped) return 'Not recorded';
  return label === 'Shipped' ? shippedPieces(order) : null;
}

/** A time that phones have no room for. */
const WideTime = ({ at }: { at: string }) => (
  <Box component="span" visibleFrom="sm">
    <Time at={at} />
  </Box>
);

const shippedPieces = (order: Order): string | null => (order.status === 'shipped' ? describeProgress(order) : null);

function stepsOf(order: Order): Step[] {
  const { createdAt, baseStatus, status, facts, parcels } = order;
  const undone = new Set(order.timeline.map(({ corrects, outcome }) => (outcome === 'applied' ? corrects : null)));
  const timeOf = (type: string): string | undefined =>
    order.timeline.find((entry) => entry.type === type && entry.outcome === 'applied' && !undone.has(entry.milestoneId))?.occurredAt;
  const isShipped = status === 'shipped' && shippedPieces(order) === null;
  const shippedAt = parcels.findLast(({ voidedAt }) => voidedAt === null)?.shippedAt;
  const started = timeOf('production_started');
  return [
    { label: 'Received', icon: <IconInbox size={18} />, isDone: true, at: createdAt },
    { label: 'In production', icon: <IconTools size={18} />, isDone: started !== undefined, at: started },
    { label: 'Printed', icon: <IconPrinter size={18} />, isDone: facts.printed, at: timeOf('printed') },
    { label: 'Shipped', icon: <IconTruck size={18} />, isDone: isShipped, at: isShipped ? shippedAt : null },
    { label: 'Completed', icon: <IconCircleCheck size={18} />, isDone: baseStatus === 'completed', at: timeOf('completed') },
  ];
}
