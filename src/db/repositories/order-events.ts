import type { StoredEventType } from '../../domain/events';
import type { DeliveryState } from '../../domain/webhook-rules';
import { columns } from '../columns';

/** What the client was told of an order, and how each endpoint got it. */
export interface OrderEventRow {
  id: string;
  type: StoredEventType;
  sequence: number;
  created_at: Date;
  deliveries: EventDeliveryRow[];
}

export interface EventDeliveryRow {
  id: string;
  endpoint_id: string;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: Date | null;
  completed_at: Date | null;
}

/** The latest of one order that are shown. */
const EVENTS_SHOWN = 50;

const EVENT = columns<Omit<OrderEventRow, 'deliveries'>>('order_events')('id', 'type', 'sequence', 'created_at');
const DELIVERY = columns<EventDeliveryRow>('webhook_deliveries')(
  'id',
  'endpoint_id',
  'state',
  'attempts',
  'next_attempt_at',
  'completed_at',
);

/** Expression over `orders o`: its latest events, newest first. */
export const EVENTS = `(SELECT COALESCE(jsonb_agg(${EVENT.json('e')} || jsonb_build_object('deliveries', (
    SELECT COALESCE(jsonb_agg(${DELIVERY.json('d')} ORDER BY d.created_at, d.id), '[]') FROM webhook_deliveries d WHERE d.event_id = e.id)) ORDER BY e.sequence DESC), '[]')
   FROM (SELECT ${EVENT.list} FROM order_events WHERE order_id = o.id ORDER BY sequence DESC LIMIT ${EVENTS_SHOWN}) e)`;
