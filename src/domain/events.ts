import { ORDER_STATUSES, type OrderStatus } from './order-status';

/** The test event for an endpoint. It concerns no order. */
export const PING = 'ping';

export type OrderEventType = `order.${OrderStatus}`;
/** Events that are stored, delivered and retried: all types except the ping. Add new event types that are not a status here. */
export type StoredEventType = OrderEventType;
export type EventType = StoredEventType | typeof PING;

/** An order's event is named after its status (specification "Events"). */
export const orderEventType = (status: OrderStatus): OrderEventType => `order.${status}`;

/** The event types that an endpoint can select. */
export const STORED_EVENT_TYPES: readonly StoredEventType[] = ORDER_STATUSES.map(orderEventType);
export const EVENT_TYPES: readonly EventType[] = [...STORED_EVENT_TYPES, PING];
