import type { KnownValue, Schema } from '../api/studio';
import { ownValue } from './own-value';

export type OrderStatus = KnownValue<Schema<'StudioOrderRow'>['status']>;

interface StatusRules {
  colour: string;
  /** It can be due and late. */
  isToBeShipped: boolean;
}

/** In the order of production. A missing status does not compile. */
export const ORDER_STATUSES: Readonly<Record<OrderStatus, StatusRules>> = {
  received: { colour: 'indigo', isToBeShipped: true },
  in_production: { colour: 'violet', isToBeShipped: true },
  on_hold: { colour: 'yellow', isToBeShipped: true },
  shipped: { colour: 'teal', isToBeShipped: false },
  completed: { colour: 'green', isToBeShipped: false },
  cancelled: { colour: 'gray', isToBeShipped: false },
};
export const STATUSES = Object.keys(ORDER_STATUSES) as OrderStatus[];

/** Whether orders of this status can be due. True without a status. */
export const canBeDue = (status = ''): boolean => ownValue(ORDER_STATUSES, status)?.isToBeShipped !== false;

/** Whether an order of this status can be due and late. False for statuses that this build does not know. */
export const isToBeShipped = (status: string): boolean => ownValue(ORDER_STATUSES, status)?.isToBeShipped === true;
