import { Group, List, Paper, Text, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { AddParcel } from './actions/AddParcel';
import { consequences } from './actions/consequences';
import { CreditNote } from './actions/CreditNote';
import { Fold } from './actions/Fold';
import { Milestone, type MilestoneType } from './actions/Milestone';
import { RecordPayment } from './actions/RecordPayment';
import { Remake } from './actions/Remake';
import { type ActionType, actionOf, isOpen, type Order, type OrderAction } from './order';
import { ACTIONS } from './words';

const MILESTONES: readonly MilestoneType[] = ['production_started', 'printed', 'held', 'released', 'completed', 'cancelled'];
/** What the API takes from the office alone. */
const OFFICE: ReadonlySet<ActionType> = new Set(['corrected', 'remake', 'payment_recorded', 'payment_reversed', 'credit_noted']);

/** What can be done now, what one mostly does next first; and what cannot, with the reason. */
export function Actions({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const { invoice } = order;
  const may = (type: ActionType): boolean => isOpen(actionOf(order, type));
  const next = nextOf(order);
  const milestones = MILESTONES.map((type) => ({ ...actionOf(order, type), type })).filter(isOpen);
  const first = milestones.filter(({ type }) => type === next);
  const others = milestones.filter(({ type }) => type !== next && type !== 'cancelled');
  const last = milestones.filter(({ type }) => type === 'cancelled');
  const button = (action: OrderAction & { type: MilestoneType }) => (
    <Milestone
      key={action.type}
      order={order}
      action={action}
      says={consequences(order, action.type, mayOffice)}
      isNext={action.type === next}
    />
  );
  return (
    <Paper component="section" withBorder p="sm" aria-label="What can be done">
      <Title order={2} className="unseen">
        What can be done
      </Title>
      <Group gap="xs">
        {first.map(button)}
        {may('parcel_added') && <AddParcel order={order} isNext={next === 'parcel_added'} />}
        {others.map(button)}
        {mayOffice && may('remake') && <Remake order={order} />}
        {mayOffice && may('payment_recorded') && <RecordPayment order={order} />}
        {mayOffice && invoice !== null && may('credit_noted') && <CreditNote order={order} invoice={invoice} />}
        {last.map(button)}
      </Group>
      <NotNow actions={order.actions.filter((action) => isNotNow(action) && (mayOffice || !OFFICE.has(action.type)))} />
    </Paper>
  );
}

/** A correction is of one entry, wherever it leads: it is beside that. */
const isNotNow = (action: OrderAction): boolean => (action.type === 'corrected' ? !action.allowed : !isOpen(action));

/** The step that an order like this mostly takes next; none while it needs nothing. */
function nextOf({ baseStatus, status, facts }: Order): ActionType | null {
  if (baseStatus === 'on_hold') return 'released';
  if (baseStatus === 'received') return 'production_started';
  if (baseStatus !== 'in_production') return null;
  if (!facts.printed) return 'printed';
  return status === 'shipped' ? 'completed' : 'parcel_added';
}

function NotNow({ actions }: { actions: readonly OrderAction[] }) {
  if (actions.length === 0) return null;
  return (
    <Text component="div" size="sm" mt="xs">
      <Fold label={`Not now, because … (${actions.length})`}>
        <List size="sm">
          {actions.map(({ type, reason }) => (
            <List.Item key={type}>
              <b>{ACTIONS[type]}</b>: {reason ?? 'it is not allowed'}
            </List.Item>
          ))}
        </List>
      </Fold>
    </Text>
  );
}
