import type { NewEvent } from '../db/repositories/webhook-deliveries';
import type { OrderWithRelations } from '../db/rows';
import { presentEvent } from '../presenters/events';
import { presentOrder } from '../presenters/orders';
import { newId } from '../security/ids';
import { activeTraceparent } from '../telemetry/tracing';
import { orderEventType } from '../domain/events';

/** Creates the event about the order's current status. Every attempt sends its body unchanged. */
export const eventOf = (order: OrderWithRelations, sequence: number, now: Date): NewEvent =>
  createEvent(order, { type: orderEventType(order.status), sequence, part: 0 }, now);

/** Creates an event of any type, with the whole order. */
export function createEvent(
  order: OrderWithRelations,
  { type, sequence, part }: Pick<NewEvent, 'type' | 'sequence' | 'part'>,
  now: Date,
): NewEvent {
  const id = newId('evt');
  const body = presentEvent({ id, type, createdAt: now, environment: order.environment, sequence, data: presentOrder(order) });
  return {
    id,
    orderId: order.id,
    accountId: order.account_id,
    environment: order.environment,
    sequence,
    part,
    type,
    body,
    createdAt: now,
    traceContext: activeTraceparent(),
  };
}
