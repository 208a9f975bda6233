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
  /** Per order, from 1; 0 of a ping. */
  sequence: number;
  data: PresentedOrder | { endpointId: string };
}

/** An event's body as text. It is fixed here, so that attempts and resends send the same bytes (specification "Events", ruling 35). */
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

/** Body of the `ping` the studio sends to try an endpoint; `data` names the endpoint. */
export function presentPing({
  endpointId,
  ...ping
}: {
  id: string;
  createdAt: Date;
  environment: Environment;
  endpointId: string;
}): string {
  return presentEvent({ ...ping, type: PING, sequence: 0, data: { endpointId } });
}

/** An event of an order in short, with its deliveries; the event's text is with each delivery (studio API "Endpoints"). */
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
