import type { Environment } from '../domain/limits';
import type { PresentedOrder } from './orders';
import type { OrderEventRow } from '../db/repositories/order-events';
import { PING, type EventType } from '../domain/events';
import { fieldsOf } from './fields';

interface EventInput {
  id: string;
  type: EventType;
  createdAt: Date;
  environment: Environment;
  /** Counts the events of an order from 1; 0 for a ping. */
  sequence: number;
  data: PresentedOrder | { endpointId: string };
}

/** The text of an event, fixed here because all attempts send the same bytes (specification "Events"). */
export function presentEvent(event: EventInput): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    createdAt: event.createdAt.toISOString(),
    environment: event.environment,
    apiVersion: 'v1',
    sequence: event.sequence,
    data: event.data,
  });
}

/** The body of a `ping`; `data` contains the endpoint id. */
export function presentPing({
  endpointId,
  ...ping
}: Pick<EventInput, 'id' | 'createdAt' | 'environment'> & { endpointId: string }): string {
  return presentEvent({ ...ping, type: PING, sequence: 0, data: { endpointId } });
}

/** An event of an order with its deliveries, without its text (studio API "Endpoints"). */
export function presentOrderEvent(event: OrderEventRow) {
  return {
    ...fieldsOf(event, 'id', 'type', 'sequence', 'created_at'),
    deliveries: event.deliveries.map((delivery) => ({
      ...fieldsOf(delivery, 'id', 'endpoint_id', 'state'),
      attemptCount: delivery.attempts,
      ...fieldsOf(delivery, 'next_attempt_at', 'completed_at'),
    })),
  };
}
