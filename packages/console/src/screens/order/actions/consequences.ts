import { formatMoney } from '../../../shared/amount';
import { ofLines, unpackedOf } from '../../../shared/pieces';
import { ACTIONS } from '../action-table';
import type { Order } from '../order';
import type { MilestoneType } from './Milestone';

export interface Standing {
  baseStatus: Order['baseStatus'];
  heldFrom: Order['baseStatus'];
  printed: boolean;
}

export const MOVES: Readonly<Record<MilestoneType, (standing: Standing) => Partial<Standing>>> = {
  production_started: () => ({ baseStatus: 'in_production' }),
  printed: () => ({ printed: true }),
  held: ({ baseStatus }) => (baseStatus === 'on_hold' ? {} : { baseStatus: 'on_hold', heldFrom: baseStatus }),
  released: ({ heldFrom }) => ({ baseStatus: heldFrom }),
  artwork_rejected: () => ({}),
  completed: () => ({ baseStatus: 'completed' }),
  cancelled: () => ({ baseStatus: 'cancelled' }),
};

/** What will happen, a sentence each. The floor is told of no amounts. */
export function consequences(order: Order, type: MilestoneType, mayOffice: boolean): string[] {
  const { orderNumber } = order;
  switch (type) {
    case 'production_started':
      if (order.status === 'shipped') return [`It is recorded that production started; ${orderNumber} stays shipped.`];
      return [`${orderNumber} is in production from now on.`];
    case 'printed':
      return [`All of ${orderNumber} has been printed.`, ...noMoreCancel(order)];
    case 'held':
      return [`Nothing more is done for ${orderNumber} until somebody releases it.`];
    case 'released':
      return [`Work on ${orderNumber} goes on where it was when it was put on hold.`];
    case 'artwork_rejected':
      return order.remakeOf === null
        ? [`${order.accountName} can send other artwork until the order is printed. The order goes on otherwise.`]
        : ['The client does not see the remake: ask for other artwork, then take back the rejection.'];
    case 'completed':
      return [...inNoParcel(order), `${orderNumber} is done, and off the list of work.`];
    case 'cancelled':
      return [
        order.status === 'shipped'
          ? `A parcel has left: ${orderNumber} stays shipped, and the client sees when it was cancelled. This cannot be taken back.`
          : `${orderNumber} is not made. This cannot be taken back.`,
        ...invoiceOfCancel(order, mayOffice),
      ];
  }
}

function inNoParcel(order: Order): string[] {
  if (order.facts.liveParcels === 0) return ['⚠ Nothing of it has left: there is no parcel under way.'];
  const left = ofLines(unpackedOf(order));
  return left === '' ? [] : [`⚠ In no parcel yet: ${left}. “${ACTIONS.parcel_added.label}” first, if that is still to be sent.`];
}

/** Of a remake the client knows nothing that could be cancelled. */
export const noMoreCancel = ({ remakeOf, cancellable }: Order): string[] =>
  remakeOf === null && cancellable.now ? ['The client can no longer cancel it.'] : [];

function invoiceOfCancel({ invoice, currency, accountName, environment }: Order, mayOffice: boolean): string[] {
  if (invoice === null) return ['There is no invoice: nothing was charged.'];
  if (!mayOffice) return ['Its invoice becomes void; what has been paid on it becomes credit of the client.'];
  const credit = Math.max(0, Math.min(invoice.paidCents, invoice.amountCents - invoice.creditedCents));
  const isTest = environment === 'test' ? ' (a test invoice: nothing was charged)' : '';
  const voided = `Its invoice ${invoice.invoiceNumber}${isTest} becomes void: nothing is to be paid on it any more.`;
  if (credit === 0) return [voided];
  return [voided, `${formatMoney(credit, currency)} of what was paid on it becomes credit of ${accountName}, by a credit note.`];
}
