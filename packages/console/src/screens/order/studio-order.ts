import type { BodyOf, KnownValue, Schema } from '../../api/studio';
import type { ActionHandle } from '../../shared/action';

export type Order = Schema<'StudioOrder'>;
export type OrderAction = Schema<'OrderAction'>;
export type ActionType = KnownValue<OrderAction['type']>;
export type MilestoneType = BodyOf<'recordMilestone'>['type'];
export type JobLine = Schema<'Job'>['lines'][number];
export type TimelineEntry = Schema<'TimelineEntry'>;
export type Parcel = Schema<'Parcel'>;
export type LineQuantity = NonNullable<Parcel['lines']>[number];

/** Props of an action's dialog. `ref` opens it. */
export interface OrderActionProps {
  order: Order;
  ref?: React.Ref<ActionHandle>;
}

export const pathOf = ({ orderId }: Order) => ({ path: { id: orderId } });

export function actionOf({ actions }: Order, type: ActionType): OrderAction {
  return actions.find((action) => action.type === type) ?? { type, allowed: false, reason: 'the API does not know it', eventType: null };
}

export const isOpen = ({ allowed, reason }: OrderAction): boolean => allowed && reason === null;

export const isApplied = ({ outcome }: TimelineEntry): boolean => outcome === 'applied';

/** The ids of the undone milestones. */
export const undoneIds = ({ timeline }: Order) => new Set(timeline.filter(isApplied).map(({ corrects }) => corrects));

/** The hold that the order is on; undefined if it is not on hold. */
export function holdOf(order: Order): TimelineEntry | undefined {
  if (order.baseStatus !== 'on_hold') return undefined;
  const undone = undoneIds(order);
  return order.timeline.findLast((entry) => entry.type === 'held' && isApplied(entry) && !undone.has(entry.milestoneId));
}

/** The unpaid and uncredited amount in cents; 0 if the invoice is void. */
export function dueCents({ invoice }: Order): number {
  if (invoice === null || invoice.state === 'void') return 0;
  return Math.max(0, invoice.amountCents - invoice.paidCents - invoice.creditedCents);
}

interface ActionWords {
  label: string;
  /** Title of its timeline entry. */
  past: string;
  /** The floor may do the work. The office's actions and money are for the office. */
  about: 'work' | 'office' | 'money';
  /** `header`: a button or menu item of the order. `beside`: a button beside the parcel, payment or milestone. */
  button: 'header' | 'beside';
}
/** A missing action does not compile. The order is the order of the menu. */
export const ACTIONS: Readonly<Record<ActionType, ActionWords>> = {
  production_started: { label: 'Start production', past: 'Production started', about: 'work', button: 'header' },
  printed: { label: 'Mark printed', past: 'Printed', about: 'work', button: 'header' },
  framed: { label: 'Mark framed', past: 'Framed', about: 'work', button: 'header' },
  checked: { label: 'Mark checked', past: 'Checked', about: 'work', button: 'header' },
  ready: { label: 'Mark ready', past: 'Ready', about: 'work', button: 'header' },
  parcel_added: { label: 'Add parcel', past: 'Parcel shipped', about: 'work', button: 'header' },
  completed: { label: 'Complete', past: 'Completed', about: 'work', button: 'header' },
  released: { label: 'Release', past: 'Released', about: 'work', button: 'header' },
  held: { label: 'Hold', past: 'Put on hold', about: 'work', button: 'header' },
  artwork_rejected: { label: 'Reject artwork', past: 'Artwork rejected', about: 'work', button: 'beside' },
  artwork_fitted: { label: 'Choose fit', past: 'Artwork fit chosen', about: 'office', button: 'beside' },
  changed: { label: 'Change order', past: 'Order changed', about: 'office', button: 'header' },
  remake: { label: 'Remake', past: 'Remade', about: 'office', button: 'header' },
  payment_recorded: { label: 'Record payment', past: 'Payment recorded', about: 'money', button: 'header' },
  credit_noted: { label: 'Issue credit note', past: 'Credit note issued', about: 'money', button: 'header' },
  cancelled: { label: 'Cancel order', past: 'Cancelled', about: 'work', button: 'header' },
  corrected: { label: 'Undo milestone', past: 'Undone', about: 'office', button: 'beside' },
  parcel_voided: { label: 'Void parcel', past: 'Parcel voided', about: 'work', button: 'beside' },
  payment_reversed: { label: 'Reverse payment', past: 'Payment reversed', about: 'money', button: 'beside' },
  credit_note_reversed: { label: 'Reverse credit note', past: 'Credit note reversed', about: 'money', button: 'beside' },
};
export const ACTION_TYPES = Object.keys(ACTIONS) as ActionType[];

/** An order that its customer collects at the studio ends without a parcel, with the name of the person who took it. */
export const isHandover = ({ job, facts }: Order, type: ActionType): boolean =>
  type === 'completed' && job.isCollection && facts.liveParcels === 0;

export const COLLECTED = 'Collected';
/** The maximum of a name, as in the API. */
export const MAX_NAME_LENGTH = 100;
export const actionLabel = (order: Order, type: ActionType): string => (isHandover(order, type) ? COLLECTED : ACTIONS[type].label);
