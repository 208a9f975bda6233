import type { components } from '../generated/trade.js';
import type { Known, Order } from '../types.js';

type Schemas = components['schemas'];
type OrderEventType = Known<Schemas['OrderEvent']['type']>;

/** An order has reached a status, or an issue appeared or ended. `data` is the order at that time. */
export type OrderEvent = {
  [Type in OrderEventType]: Omit<Schemas['OrderEvent'], 'type' | 'data'> & { type: Type; data: Order };
}[OrderEventType];

/** Sent to test an endpoint. */
export type PingEvent = Schemas['PingEvent'];

/**
 * An event of a type that this version does not know. It has the same fields, but the content of `data` is unknown. At run time, `type` is
 * any other string. For the compiler, `type` is a placeholder, so in a `switch` only the default branch has an UnknownEvent.
 */
export interface UnknownEvent extends Omit<Schemas['OrderEvent'], 'type' | 'data'> {
  type: 'a type that came later';
  data: unknown;
}

/** An event that a receiver gets. v1 may add types: keep a default branch for UnknownEvent and answer 2xx. */
export type WebhookEvent = OrderEvent | PingEvent | UnknownEvent;
