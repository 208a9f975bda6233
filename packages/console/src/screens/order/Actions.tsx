import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useRef } from 'react';
import { IssueCreditNote } from '../../billing/IssueCreditNote';
import { useMay } from '../../session/session';
import { type ActionHandle, ActionsAvailable } from '../../shared/action';
import { capitalize } from '../../shared/status';
import { ACTION_TYPES, ACTIONS } from './action-table';
import { AddParcel } from './actions/AddParcel';
import { consequences } from './actions/consequences';
import { Milestone } from './actions/Milestone';
import { RecordPayment } from './actions/money';
import { Remake } from './actions/Remake';
import { UndoMilestone } from './actions/UndoMilestone';
import { consoleRefusal, nextOf, secondOf, whyNot } from './next';
import { actionOf, type ActionType, dueCents, isOpen, type MilestoneType, type Order, type OrderActionProps } from './order';
import { entryTitle } from './words';

/** The next step, the most likely other action, and a menu of the others. All dialogs stay mounted, so an update closes none. */
export function Actions({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const dialogs = useRef(new Map<string, ActionHandle>());
  const dialogRef = (name: string) => (handle: ActionHandle | null) => {
    if (handle !== null) dialogs.current.set(name, handle);
  };
  const open = (name: string) => () => dialogs.current.get(name)?.open();
  const isVisible = (type: ActionType): boolean => ACTIONS[type].button === 'header' && (mayOffice || ACTIONS[type].about === 'work');
  const isAvailable = (type: ActionType): boolean => isOpen(actionOf(order, type)) && consoleRefusal(order, type, mayOffice) === null;
  const types = ACTION_TYPES.filter(isVisible);
  const buttons = [nextOf(order), secondOf(order, isVisible)].filter((type): type is ActionType => type !== null && isVisible(type));
  const others = types.filter((type) => !buttons.includes(type) && type !== 'cancelled');
  const milestones = mayOffice ? order.timeline.filter(({ outcome, corrects }) => outcome === 'applied' && corrects === null) : [];
  const latest = milestones.findLast(({ correctable }) => correctable);
  return (
    <>
      {buttons.map((type) => (
        <Button
          key={type}
          size="xs"
          variant={type === nextOf(order) ? 'filled' : 'default'}
          disabled={!isAvailable(type)}
          onClick={open(type)}
        >
          {ACTIONS[type].label}
        </Button>
      ))}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false} styles={{ item: { minHeight: 40 } }}>
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} />}>
            More actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown maw={320}>
          {others.filter(isAvailable).map((type) => (
            <Menu.Item key={type} onClick={open(type)}>
              {ACTIONS[type].label}
            </Menu.Item>
          ))}
          {latest !== undefined && (
            <Menu.Item onClick={open(latest.milestoneId)}>{`Undo ${entryTitle(latest.type).toLowerCase()}`}</Menu.Item>
          )}
          <Menu.Divider />
          {isAvailable('cancelled') && (
            <Menu.Item c="var(--mantine-color-error)" onClick={open('cancelled')}>
              {ACTIONS.cancelled.label}
            </Menu.Item>
          )}
          {types
            .filter((type) => !actionOf(order, type).allowed || consoleRefusal(order, type, mayOffice) !== null)
            .map((type) => (
              <UnavailableItem key={type} order={order} type={type} />
            ))}
        </Menu.Dropdown>
      </Menu>
      <ActionsAvailable value={false}>
        {types.map((type) => (
          <ActionDialog key={type} order={order} type={type} ref={dialogRef(type)} />
        ))}
        {milestones.map((entry) => (
          <UndoMilestone key={entry.milestoneId} order={order} entry={entry} ref={dialogRef(entry.milestoneId)} />
        ))}
      </ActionsAvailable>
    </>
  );
}

function UnavailableItem({ order, type }: { order: Order; type: ActionType }) {
  const mayOffice = useMay('office');
  return (
    <Menu.Item disabled styles={{ item: { opacity: 1, color: 'var(--mantine-color-dimmed)' } }}>
      {ACTIONS[type].label}
      <Text size="xs" inherit={false}>
        {consoleRefusal(order, type, mayOffice) ?? `${capitalize(whyNot(order, actionOf(order, type)))}.`}
      </Text>
    </Menu.Item>
  );
}

function ActionDialog({ order, type, ref }: OrderActionProps & { type: ActionType }) {
  const mayOffice = useMay('office');
  switch (type) {
    case 'parcel_added':
      return <AddParcel order={order} ref={ref} />;
    case 'remake':
      return <Remake order={order} ref={ref} />;
    case 'payment_recorded':
      return <RecordPayment order={order} ref={ref} />;
    case 'credit_noted':
      if (order.invoice === null) return null;
      return <IssueCreditNote invoice={{ ...order.invoice, currency: order.currency, dueCents: dueCents(order) }} ref={ref} />;
    default: {
      const milestone = type as MilestoneType;
      const action = { ...actionOf(order, type), type: milestone };
      return <Milestone order={order} action={action} consequences={consequences(order, milestone, mayOffice)} ref={ref} />;
    }
  }
}
