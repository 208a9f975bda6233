import { queryOptions } from '@tanstack/react-query';
import { ask, studio } from '../../api/studio';
import type { Of } from '../../api/types';

/** Everything the studio knows of one order. */
export type Order = Of<'StudioOrder'>;
export type OrderAction = Of<'OrderAction'>;
export type ActionType = OrderAction['type'];

interface ActionRules {
  /** What it is about. The API takes the office's and money from the office alone, and shows the floor no money. */
  about: 'work' | 'office' | 'money';
  /** Where its button is: among the actions, in this order, or beside the parcel, payment or milestone that it is about. */
  button: 'actions' | 'apart' | 'beside';
}
/** An action that is missing here does not compile. */
export const ACTION_RULES: Readonly<Record<ActionType, ActionRules>> = {
  production_started: { about: 'work', button: 'actions' },
  printed: { about: 'work', button: 'actions' },
  parcel_added: { about: 'work', button: 'actions' },
  completed: { about: 'work', button: 'actions' },
  released: { about: 'work', button: 'actions' },
  held: { about: 'work', button: 'actions' },
  remake: { about: 'office', button: 'actions' },
  payment_recorded: { about: 'money', button: 'actions' },
  credit_noted: { about: 'money', button: 'actions' },
  cancelled: { about: 'work', button: 'apart' },
  corrected: { about: 'office', button: 'beside' },
  parcel_voided: { about: 'work', button: 'beside' },
  payment_reversed: { about: 'money', button: 'beside' },
};
export const ACTION_TYPES = Object.keys(ACTION_RULES) as ActionType[];
export type JobLine = Of<'Job'>['lines'][number];
export type TimelineEntry = Of<'TimelineEntry'>;
export type Parcel = Of<'Parcel'>;
export type Payment = Of<'Payment'>;
export type Invoice = Of<'WholeInvoice'>;
export type Pieces = NonNullable<Parcel['lines']>[number];

/** The order that an address names, by its number or its id. */
export const orderQuery = (named: string) =>
  queryOptions({
    queryKey: ['order', named],
    queryFn: () => ask(studio.GET('/orders/{id}', { params: { path: { id: named } } })),
  });

/** Its invoice with the credit notes, which the office alone may read. */
export const invoiceQuery = (number: string) =>
  queryOptions({
    queryKey: ['invoice', number],
    queryFn: () => ask(studio.GET('/invoices/{id}', { params: { path: { id: number } } })),
  });

export const pathOf = ({ orderId }: Order) => ({ path: { id: orderId } });

/** What the API says of an action on the order as it is. */
export function actionOf({ actions }: Order, type: ActionType): OrderAction {
  return actions.find((action) => action.type === type) ?? { type, allowed: false, reason: 'the API does not know it', tells: null };
}

/** Whether it can be done and would change something. */
export const isOpen = ({ allowed, reason }: OrderAction): boolean => allowed && reason === null;

/** How many pieces of each line are in no parcel yet, as far as parcels say what they hold. */
export function leftOver({ job, parcels }: Order): number[] {
  const packed = parcels.filter(({ voidedAt }) => voidedAt === null).flatMap(({ lines }) => lines ?? []);
  return job.lines.map(({ quantity }, line) =>
    packed.filter((pieces) => pieces.line === line).reduce((left, pieces) => left - pieces.quantity, quantity),
  );
}

/** What is neither paid nor credited; nothing of a void invoice. Cents. */
export function dueCents({ invoice }: Order): number {
  if (invoice === null || invoice.state === 'void') return 0;
  return Math.max(0, invoice.amountCents - invoice.paidCents - invoice.creditedCents);
}
