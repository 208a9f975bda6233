import type { BodyOf, KnownValue, Schema } from '../../api/studio';
import type { ActionHandle } from '../../shared/action';

export type Order = Schema<'StudioOrder'>;
export type OrderAction = Schema<'OrderAction'>;
export type ActionType = KnownValue<OrderAction['type']>;
export type MilestoneType = BodyOf<'recordMilestone'>['type'];
export type JobLine = Schema<'Job'>['lines'][number];
export type TimelineEntry = Schema<'TimelineEntry'>;
export type Parcel = Schema<'Parcel'>;
export type Pieces = NonNullable<Parcel['lines']>[number];

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

/** The unpaid and uncredited amount in cents; 0 if the invoice is void. */
export function dueCents({ invoice }: Order): number {
  if (invoice === null || invoice.state === 'void') return 0;
  return Math.max(0, invoice.amountCents - invoice.paidCents - invoice.creditedCents);
}
