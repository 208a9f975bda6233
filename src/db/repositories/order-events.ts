import type { StoredEventType } from '../../domain/events';
import type { DeliveryState } from '../../domain/webhook-rules';
import type { Sql } from '../database';
import { columns, integer, nullable, text, time, typed, type RowOf } from '../columns';

/** A webhook event of an order with its deliveries. */
export interface OrderEventRow extends RowOf<typeof EVENT_COLUMNS> {
  deliveries: RowOf<typeof EVENT_DELIVERY_COLUMNS>[];
}

const EVENT_DELIVERY_COLUMNS = columns('webhook_deliveries', {
  id: text,
  endpoint_id: text,
  state: typed<DeliveryState>(),
  attempts: integer,
  next_attempt_at: nullable(time),
  completed_at: nullable(time),
});

const MAX_EVENTS = 50;

const EVENT_COLUMNS = columns('order_events', { id: text, type: typed<StoredEventType>(), sequence: integer, created_at: time });

/** Expression over `orders o`: its latest events, newest first. */
export const LATEST_EVENTS = `(SELECT COALESCE(jsonb_agg(${EVENT_COLUMNS.json('e')} || jsonb_build_object('deliveries', (
    SELECT COALESCE(jsonb_agg(${EVENT_DELIVERY_COLUMNS.json('d')} ORDER BY d.created_at, d.id), '[]') FROM webhook_deliveries d WHERE d.event_id = e.id)) ORDER BY e.sequence DESC, e.part DESC), '[]')
   FROM (SELECT ${EVENT_COLUMNS.list}, part FROM order_events WHERE order_id = o.id ORDER BY sequence DESC, part DESC LIMIT ${MAX_EVENTS}) e)`;

/** The trace of the order's placing, for spans of its workflow. */
export function findTraceOfOrder(sql: Sql, orderId: string): Promise<{ trace_context: string | null; created_at: Date } | null> {
  return sql.row('SELECT trace_context, created_at FROM order_events WHERE order_id = $1 AND sequence = 1 AND part = 0', [orderId]);
}
