import type { OrderEventRow } from '../db/repositories/order-events';

/** An event of an order in short, with its deliveries; the event's text is with each delivery (studio API "Endpoints"). */
export function presentOrderEvent({ id, type, sequence, created_at: createdAt, deliveries }: OrderEventRow) {
  return {
    id,
    type,
    sequence,
    createdAt: createdAt.toISOString(),
    deliveries: deliveries.map((delivery) => ({
      id: delivery.id,
      endpointId: delivery.endpoint_id,
      state: delivery.state,
      attemptCount: delivery.attempts,
      nextAttemptAt: delivery.next_attempt_at?.toISOString() ?? null,
      completedAt: delivery.completed_at?.toISOString() ?? null,
    })),
  };
}
