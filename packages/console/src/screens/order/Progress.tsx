import { Box, Paper, Stepper, Text } from '@mantine/core';
import {
  IconChecks,
  IconCircleCheck,
  IconFrame,
  IconInbox,
  IconMinus,
  IconPackage,
  IconPlayerPause,
  IconPrinter,
  IconTools,
  IconTruck,
  IconX,
} from '@tabler/icons-react';
import { ownValue } from '../../shared/own-value';
import { describeProgress } from '../../shared/progress';
import { linesOfStage, openLines, OPTIONAL_STAGES, type OptionalStage, type Stage } from '../../shared/stages';
import { useStages } from '../../shared/stage-settings';
import { Time } from '../../shared/time';
import { statusLabel } from '../../shared/words';
import { COLLECTED, isApplied, isHandover, type Order, type TimelineEntry, undoneIds } from './studio-order';

interface Step {
  label: string;
  icon: React.ReactNode;
  isDone: boolean;
  /** When it was done, or how far it is. */
  note: React.ReactNode;
}

/** The steps of the order with their times. Skipped steps are gray; the current step shows a hold or cancellation. */
export function Progress({ order }: { order: Order }) {
  const steps = stepsOf(order, useStages());
  const active = steps.findLastIndex(({ isDone }) => isDone) + 1;
  const isLong = steps.length > 5;
  const stop = ownValue<Stop>(STOPS, order.baseStatus);
  return (
    <Paper withBorder p="sm">
      <Stepper
        active={active}
        size="sm"
        iconSize={32}
        labelPosition="bottom"
        wrap={isLong}
        styles={{ step: { flex: isLong ? '1 1 64px' : '1 1 0' }, separator: { marginInline: 2 } }}
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

const STAGE_ICONS: Readonly<Record<Stage, React.ReactNode>> = {
  printed: <IconPrinter size={18} />,
  framed: <IconFrame size={18} />,
  checked: <IconChecks size={18} />,
  ready: <IconPackage size={18} />,
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

function stepsOf(order: Order, stages: readonly OptionalStage[]): Step[] {
  const { createdAt, baseStatus, status, parcels } = order;
  const undone = undoneIds(order);
  const isOfType = (type: string) => (entry: TimelineEntry) => entry.type === type && isApplied(entry) && !undone.has(entry.milestoneId);
  const timeOf = (type: string): string | undefined => order.timeline.find(isOfType(type))?.occurredAt;
  /** The last line of the stage was done then. */
  const lastTimeOf = (stage: Stage): string | undefined => {
    const open = new Set(linesOfStage(order, stage));
    return order.timeline.filter(isOfType(stage)).find(({ lines }) => {
      for (const line of lines ?? [...open]) open.delete(line);
      return open.size === 0;
    })?.occurredAt;
  };
  const partlyShippedNote = status === 'shipped' ? describeProgress(order) : null;
  const isShipped = status === 'shipped' && partlyShippedNote === null;
  const shippedAt = parcels.findLast(({ voidedAt }) => voidedAt === null)?.shippedAt;
  const started = timeOf('production_started');
  const stepOf = (stage: Stage): Step => {
    const [all, open] = [linesOfStage(order, stage).length, openLines(order, stage).length];
    const isDone = open === 0;
    const note = isDone ? timeNote(lastTimeOf(stage)) : open < all && `${all - open} of ${all} lines`;
    return { label: statusLabel(stage), icon: STAGE_ICONS[stage], isDone, note };
  };
  // A stage that the studio does not use is shown once it has lines.
  const shownStages = OPTIONAL_STAGES.filter(
    (stage) => linesOfStage(order, stage).length > 0 && (stages.includes(stage) || order.stageLines[stage].length > 0),
  );
  const isCollected = isHandover(order, 'completed');
  const shipped = {
    label: 'Shipped',
    icon: <IconTruck size={18} />,
    isDone: isShipped,
    note: isShipped ? timeNote(shippedAt) : partlyShippedNote,
  };
  return [
    { label: 'Received', icon: <IconInbox size={18} />, isDone: true, note: timeNote(createdAt) },
    { label: 'In production', icon: <IconTools size={18} />, isDone: started !== undefined, note: timeNote(started) },
    ...(['printed', ...shownStages] as const).map(stepOf),
    ...(isCollected ? [] : [shipped]),
    {
      label: isCollected ? COLLECTED : 'Completed',
      icon: <IconCircleCheck size={18} />,
      isDone: baseStatus === 'completed',
      note: timeNote(timeOf('completed')),
    },
  ];
}
