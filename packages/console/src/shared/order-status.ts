import type { Known, Of } from '../api/types';
import { known } from './known';

export type OrderStatus = Known<Of<'StudioOrderRow'>['status']>;

interface StatusRules {
  colour: string;
  /** It can be due, and so late. */
  isToBeShipped: boolean;
  /** The client learns it in these words. */
  told: string;
  /** What an order is that its parcels make shipped. */
  beneath: string;
}

/** In the order of the work. A status that is missing here does not compile. */
export const ORDER_STATUSES: Readonly<Record<OrderStatus, StatusRules>> = {
  received: { colour: 'indigo', isToBeShipped: true, told: 'the order has been received', beneath: 'not in production' },
  in_production: { colour: 'violet', isToBeShipped: true, told: 'the order is in production', beneath: 'open and in production' },
  on_hold: { colour: 'yellow', isToBeShipped: true, told: 'the order is on hold', beneath: 'on hold' },
  shipped: { colour: 'teal', isToBeShipped: false, told: 'the order has been shipped', beneath: 'shipped' },
  completed: { colour: 'green', isToBeShipped: false, told: 'the order is completed', beneath: 'completed' },
  cancelled: { colour: 'gray', isToBeShipped: false, told: 'the order is cancelled', beneath: 'cancelled' },
};
export const STATUSES = Object.keys(ORDER_STATUSES) as OrderStatus[];
export const TO_BE_SHIPPED = STATUSES.filter((status) => ORDER_STATUSES[status].isToBeShipped);

/** True of an order that can be due, and so late; not of a status that came after this build. */
export const isToBeShipped = (status: string): boolean => known(ORDER_STATUSES, status)?.isToBeShipped === true;

/** What the client learns by an event, such as `order.shipped`, in words. */
export const eventInWords = (type: string): string => known(ORDER_STATUSES, type.replace(/^order\./, ''))?.told ?? type;
