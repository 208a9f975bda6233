import type { Known, Of } from '../../api/types';
import { without } from '../../shared/pieces';

export type Order = Of<'StudioOrder'>;
export type OrderAction = Of<'OrderAction'>;
export type ActionType = Known<OrderAction['type']>;
export type JobLine = Of<'Job'>['lines'][number];
export type TimelineEntry = Of<'TimelineEntry'>;
export type Parcel = Of<'Parcel'>;
export type Payment = Of<'Payment'>;
export type CreditNote = Of<'WholeInvoice'>['creditNotes'][number];
export type Pieces = NonNullable<Parcel['lines']>[number];

export const pathOf = ({ orderId }: Order) => ({ path: { id: orderId } });

export function actionOf({ actions }: Order, type: ActionType): OrderAction {
  return actions.find((action) => action.type === type) ?? { type, allowed: false, reason: 'the API does not know it', tells: null };
}

export const isOpen = ({ allowed, reason }: OrderAction): boolean => allowed && reason === null;

/** How many pieces of each line are in no parcel yet, as far as parcels say what they hold. */
export function leftOver({ job, parcels }: Order): number[] {
  return without(
    job.lines,
    parcels.filter(({ voidedAt }) => voidedAt === null),
  );
}

/** What is neither paid nor credited; nothing of a void invoice. Cents. */
export function dueCents({ invoice }: Order): number {
  if (invoice === null || invoice.state === 'void') return 0;
  return Math.max(0, invoice.amountCents - invoice.paidCents - invoice.creditedCents);
}
