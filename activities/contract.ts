import type { OrderFacts, OrderMessage, OrderStatus } from '../src/domain/order-status';
import type { OrderState, SubmitOrder } from '../workflows/messages';

/** What the workflows may ask of the world. Each takes one object, returns plain data and is safe to run twice. */
export interface OrderActivities {
  /**
   * One transaction: account row locked, quote spent, credit checked, order, invoice, `order.received` event and the
   * finished idempotency record. Run twice, it answers the order it made the first time.
   * Fails with the error code as type (specification "POST /orders").
   */
  placeOrder(input: SubmitOrder & { orderNumber: string }): Promise<OrderState & ToDeliver>;
  /** The order as the database has it, or null where there is none. */
  loadOrder(input: { orderId: string }): Promise<OrderState | null>;
  /** One transaction: order row, parcel or payment, invoice, timeline and event. `stale` carries newer facts to decide on again. */
  applyChange(input: OrderChange): Promise<({ applied: true; version: number } & ToDeliver) | { stale: OrderState }>;
  /** Puts a message that could not be applied into the order's timeline. */
  recordRefusal(input: { orderId: string; message: unknown; reason: string }): Promise<void>;
  /** Sends the customer the one confirmation, if it has not been sent. */
  sendConfirmation(input: { orderId: string }): Promise<void>;
}

/** Ids of webhook deliveries whose workflows are to be started; absent where there are none. */
export interface ToDeliver {
  deliveries?: string[];
}

export interface OrderChange {
  orderId: string;
  expectedVersion: number;
  message: OrderMessage;
  /** The facts after the change, as decided. */
  facts: OrderFacts;
  /** Status whose event is written, or null (ruling 29). */
  eventStatus: OrderStatus | null;
}

export interface QuoteActivities {
  /** Marks the quote expired unless it was ordered. */
  expireQuote(input: { quoteId: string }): Promise<void>;
}

export interface SweepActivities {
  /** Starts the workflows that rows are waiting for; answers how many of each were started. */
  startMissing(): Promise<{ quoteHolds: number; orders: number; deliveries: number }>;
  /** Deletes what has outlived its use: idempotency records, empty rate windows. */
  forgetExpired(): Promise<{ idempotencyRecords: number; rateWindows: number }>;
}
