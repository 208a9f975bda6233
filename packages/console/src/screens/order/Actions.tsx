import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useRef } from 'react';
import { IssueCreditNote } from '../../billing/IssueCreditNote';
import { RecordPayment } from '../../billing/RecordPayment';
import { useHasRole } from '../../session/session';
import { type ActionHandle, ActionButtons } from '../../shared/action';
import { useStages } from '../../shared/stage-settings';
import { isStage } from '../../shared/stages';
import { capitalize } from '../../shared/words';
import {
  ACTION_TYPES,
  actionLabel,
  actionOf,
  ACTIONS,
  type ActionType,
  dueCents,
  isOpen,
  type MilestoneType,
  type Order,
  type OrderActionProps,
} from './studio-order';
import { AddParcel } from './actions/AddParcel';
import { Change } from './actions/Change';
import { clientCancelConsequences } from './actions/consequences';
import { Milestone } from './actions/Milestone';
import { Remake } from './actions/Remake';
import { notOfferedReason, usualNextAction, likelyOtherAction, unavailableReason } from './next';

/** The next step, the most likely other action, and a menu of the others. All dialogs stay mounted, so an open dialog survives an update of the order. */
export function Actions({ order }: { order: Order }) {
  const isOffice = useHasRole('office');
  const dialogs = useRef(new Map<string, ActionHandle>());
  const dialogRef = (name: string) => (handle: ActionHandle | null) => {
    if (handle !== null) dialogs.current.set(name, handle);
  };
  const open = (name: string) => () => dialogs.current.get(name)?.open();
  const stages = useStages();
  const isUsed = (type: ActionType): boolean => !isStage(type) || type === 'printed' || stages.includes(type);
  const isVisible = (type: ActionType): boolean =>
    ACTIONS[type].button === 'header' && isUsed(type) && (isOffice || ACTIONS[type].about === 'work');
  const isAvailable = (type: ActionType): boolean => isOpen(actionOf(order, type)) && notOfferedReason(order, type, isOffice) === null;
  const types = ACTION_TYPES.filter(isVisible);
  const next = usualNextAction(order, stages);
  const buttons = [next, likelyOtherAction(order, stages, isVisible)].filter(
    (type): type is ActionType => type !== null && isVisible(type),
  );
  const others = types.filter((type) => !buttons.includes(type) && type !== 'cancelled');
  return (
    <>
      {buttons.map((type) => (
        <Button key={type} size="xs" variant={type === next ? 'filled' : 'default'} disabled={!isAvailable(type)} onClick={open(type)}>
          {actionLabel(order, type)}
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
              {actionLabel(order, type)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {isAvailable('cancelled') && (
            <Menu.Item c="var(--mantine-color-error)" onClick={open('cancelled')}>
              {ACTIONS.cancelled.label}
            </Menu.Item>
          )}
          {types
            .filter((type) => !actionOf(order, type).allowed || notOfferedReason(order, type, isOffice) !== null)
            .map((type) => (
              <Menu.Item key={type} disabled styles={{ item: { opacity: 1, color: 'var(--mantine-color-dimmed)' } }}>
                {ACTIONS[type].label}
                <Text size="xs" inherit={false}>
                  {notOfferedReason(order, type, isOffice) ?? `${capitalize(unavailableReason(order, actionOf(order, type)))}.`}
                </Text>
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      <ActionButtons shown={false}>
        {types.map((type) => (
          <ActionDialog key={type} order={order} type={type} ref={dialogRef(type)} />
        ))}
      </ActionButtons>
    </>
  );
}

function ActionDialog({ order, type, ref }: OrderActionProps & { type: ActionType }) {
  const invoice = order.invoice && { ...order.invoice, currency: order.currency, dueCents: dueCents(order) };
  switch (type) {
    case 'parcel_added':
      return <AddParcel order={order} ref={ref} />;
    case 'changed':
      return <Change order={order} ref={ref} />;
    case 'remake':
      return <Remake order={order} ref={ref} />;
    case 'payment_recorded':
      return invoice && <RecordPayment payer={order} invoice={invoice} warnings={clientCancelConsequences(order)} ref={ref} />;
    case 'credit_noted':
      return invoice && <IssueCreditNote invoice={invoice} ref={ref} />;
    default:
      return <Milestone order={order} type={type as MilestoneType} ref={ref} />;
  }
}
