import { ORDER_STATUSES, type OrderStatus } from './order-status';

/** The test event for an endpoint. It concerns no order. */
export const PING = 'ping';

export type OrderEventType = `order.${OrderStatus}`;
/** An issue of the order appeared or ended. Only endpoints that name these types receive them (ruling 94). */
export const ISSUE_RAISED = 'order.issue_raised';
export const ISSUE_RESOLVED = 'order.issue_resolved';
export const ISSUE_EVENT_TYPES = [ISSUE_RAISED, ISSUE_RESOLVED] as const;
export type IssueEventType = (typeof ISSUE_EVENT_TYPES)[number];
/** Events that are stored, delivered and retried: all types except the ping. Add new event types here. */
export type StoredEventType = OrderEventType | IssueEventType;
export type EventType = StoredEventType | typeof PING;

/** An order's event is named after its status (specification "Events"). */
export const orderEventType = (status: OrderStatus): OrderEventType => `order.${status}`;

/** The event types of an endpoint that names none. */
export const STATUS_EVENT_TYPES: readonly OrderEventType[] = ORDER_STATUSES.map(orderEventType);
/** The event types that an endpoint can select. */
export const STORED_EVENT_TYPES: readonly StoredEventType[] = [...STATUS_EVENT_TYPES, ...ISSUE_EVENT_TYPES];
export const EVENT_TYPES: readonly EventType[] = [...STORED_EVENT_TYPES, PING];
