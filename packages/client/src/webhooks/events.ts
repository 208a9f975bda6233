import type { components } from '../generated/trade.js';
import type { Known, Order } from '../types.js';

type Schemas = components['schemas'];
type OrderEventType = Known<Schemas['OrderEvent']['type']>;

/** Tells of one status that an order has reached; `data` is the order as it was then. */
export type OrderEvent = {
  [Type in OrderEventType]: Omit<Schemas['OrderEvent'], 'type' | 'data'> & { type: Type; data: Order };
}[OrderEventType];

/** Sent by the studio to try an endpoint. */
export type PingEvent = Schemas['PingEvent'];

/**
 * A type that came after this version. It has the same fields; what `data` holds is for you to look at. `type` is any other string: the
 * compiler is told of one that no event has, so that a `case` for a known type leaves this out and the default arm is this alone.
 */
export interface UnknownEvent extends Omit<Schemas['OrderEvent'], 'type' | 'data'> {
  type: 'a type that came later';
  data: unknown;
}

/** What a receiver is sent. Types are added within v1: keep a default arm, where it is an UnknownEvent, and answer 2xx. */
export type WebhookEvent = OrderEvent | PingEvent | UnknownEvent;
