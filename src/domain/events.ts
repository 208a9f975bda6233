import { ORDER_STATUSES, type OrderStatus } from './order-status';

/** What the studio sends to try an endpoint; it tells of no order. */
export const PING = 'ping';

export type OrderEventType = `order.${OrderStatus}`;
/** What is stored, delivered and retried: every type but the ping. One that tells of no status is added here. */
export type StoredEventType = OrderEventType;
export type EventType = StoredEventType | typeof PING;

/** An order's event is named after the status it tells of (specification "Events"). */
export const orderEventType = (status: OrderStatus): OrderEventType => `order.${status}`;

/** What an endpoint may choose from. */
export const STORED_EVENT_TYPES: readonly StoredEventType[] = ORDER_STATUSES.map(orderEventType);
export const EVENT_TYPES: readonly EventType[] = [...STORED_EVENT_TYPES, PING];
