import { Group, List, Paper, Text, VisuallyHidden } from '@mantine/core';
import { useMay } from '../../session/session';
import { Offered } from '../../shared/action';
import { known } from '../../shared/known';
import { wordsOf } from '../../shared/status';
import { ACTION_TYPES, ACTIONS } from './action-table';
import { AddParcel } from './actions/AddParcel';
import { consequences } from './actions/consequences';
import { Fold } from './actions/fields';
import { Milestone } from './actions/Milestone';
import { CreditNote, RecordPayment } from './actions/money';
import { Remake } from './actions/Remake';
import { TakeBack } from './actions/TakeBack';
import { nextOf, whyNot } from './next';
import { actionOf, type ActionType, isOpen, type Order, type OrderAction } from './order';

export function Actions({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const may = (type: string): boolean => mayOffice || known(ACTIONS, type)?.about === 'work';
  const next = nextOf(order);
  const shown = ACTION_TYPES.filter((type) => ACTIONS[type].button === 'actions' && may(type)).toSorted(
    (one, other) => Number(other === next) - Number(one === next),
  );
  return (
    <Paper component="section" withBorder p="sm" aria-label="What can be done" className="actions">
      <VisuallyHidden role="heading" aria-level={2}>
        What can be done
      </VisuallyHidden>
      <Group gap="xs">
        {shown.map((type) => (
          <Offered key={type} value={isOpen(actionOf(order, type))}>
            <Button order={order} type={type} isNext={type === next} />
          </Offered>
        ))}
        {mayOffice && <TakeBackLatest order={order} />}
        <Offered value={isOpen(actionOf(order, 'cancelled'))}>
          <div className="apart">
            <Button order={order} type="cancelled" isNext={false} />
          </div>
        </Offered>
      </Group>
      <NotNow order={order} actions={order.actions.filter((action) => isNotNow(action) && may(action.type))} />
    </Paper>
  );
}

/** What was told last by mistake is taken back where it was told. Each entry keeps its own dialog, also once it is not the latest. */
function TakeBackLatest({ order }: { order: Order }) {
  const latest = order.timeline.findLast(({ correctable }) => correctable);
  return order.timeline
    .filter(({ outcome, corrects }) => outcome === 'applied' && corrects === null)
    .map((entry) => (
      <Offered key={`${entry.type} ${entry.milestoneId}`} value={entry === latest}>
        <TakeBack order={order} entry={entry} />
      </Offered>
    ));
}

function Button({ order, type, isNext }: { order: Order; type: ActionType; isNext: boolean }) {
  const mayOffice = useMay('office');
  switch (type) {
    case 'parcel_added':
      return <AddParcel order={order} isNext={isNext} />;
    case 'remake':
      return <Remake order={order} />;
    case 'payment_recorded':
      return <RecordPayment order={order} />;
    case 'credit_noted':
      return order.invoice === null ? null : <CreditNote order={order} invoice={order.invoice} />;
    case 'corrected':
    case 'parcel_voided':
    case 'payment_reversed':
    case 'credit_note_reversed':
    case 'artwork_rejected':
      return null; // beside what it is about
    default:
      return (
        <Milestone
          order={order}
          action={{ ...actionOf(order, type), type }}
          says={consequences(order, type, mayOffice)}
          {...(isNext ? { button: { variant: 'filled' } } : {})}
        />
      );
  }
}

/** A correction is of one entry, wherever it leads: it is beside that. */
const isNotNow = (action: OrderAction): boolean => (action.type === 'corrected' ? !action.allowed : !isOpen(action));

function NotNow({ order, actions }: { order: Order; actions: readonly OrderAction[] }) {
  if (actions.length === 0) return null;
  return (
    <Text component="div" size="sm" mt="xs">
      <Fold label={`Not now, because … (${actions.length})`}>
        <List size="sm">
          {actions.map((action) => (
            <List.Item key={action.type}>
              <b>{known(ACTIONS, action.type)?.label ?? wordsOf(action.type)}</b>: {whyNot(order, action)}
            </List.Item>
          ))}
        </List>
      </Fold>
    </Text>
  );
}
