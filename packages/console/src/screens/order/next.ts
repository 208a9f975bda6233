import { unpackedOf } from '../../shared/pieces';
import { reasonInWords } from '../../shared/words';
import type { ActionType, Order, OrderAction } from './order';

/** The step that an order like this mostly takes next; none while it needs nothing. */
export function nextOf(order: Order): ActionType | null {
  const { baseStatus, status, facts } = order;
  const isPacked = (): boolean => unpackedOf(order).every((left) => left === 0);
  switch (baseStatus) {
    case 'received':
      // Parcels were told of before the floor told of anything: what is left to send is what matters then.
      if (status === 'shipped') return isPacked() ? null : 'parcel_added';
      return 'production_started';
    case 'in_production':
      if (!facts.printed) return 'printed';
      return status === 'shipped' && isPacked() ? 'completed' : 'parcel_added';
    case 'on_hold':
      return 'released';
    case 'completed':
    case 'cancelled':
    default: // what came after this build
      return null;
  }
}

/** Why something cannot be done now; beneath what its parcels make it read the order is something else, which nobody sees. */
export function whyNot({ status, baseStatus }: Pick<Order, 'status' | 'baseStatus'>, { reason }: Pick<OrderAction, 'reason'>): string {
  const words = reason ?? 'it is not allowed';
  return reasonInWords(status === baseStatus ? words : words.replace(`, it is ${baseStatus}`, ''));
}
