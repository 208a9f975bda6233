import type { StoredEventType } from '../../domain/events';
import type { DeliveryState } from '../../domain/webhook-rules';
import { columns, integer, orNull, text, time, typed, type RowOf } from '../columns';

/** What the client was told of an order, and how each endpoint got it. */
export interface OrderEventRow extends RowOf<typeof EVENT> {
  deliveries: EventDeliveryRow[];
}

const DELIVERY = columns('webhook_deliveries', {
  id: text,
  endpoint_id: text,
  state: typed<DeliveryState>(),
  attempts: integer,
  next_attempt_at: orNull(time),
  completed_at: orNull(time),
});
export type EventDeliveryRow = RowOf<typeof DELIVERY>;

const EVENTS_SHOWN = 50;

const EVENT = columns('order_events', { id: text, type: typed<StoredEventType>(), sequence: integer, created_at: time });

/** Expression over `orders o`: its latest events, newest first. */
export const EVENTS = `(SELECT COALESCE(jsonb_agg(${EVENT.json('e')} || jsonb_build_object('deliveries', (
    SELECT COALESCE(jsonb_agg(${DELIVERY.json('d')} ORDER BY d.created_at, d.id), '[]') FROM webhook_deliveries d WHERE d.event_id = e.id)) ORDER BY e.sequence DESC), '[]')
   FROM (SELECT ${EVENT.list} FROM order_events WHERE order_id = o.id ORDER BY sequence DESC LIMIT ${EVENTS_SHOWN}) e)`;
