import type { AttentionCode } from '../src/domain/attention';
import type { ErrorCode, ErrorDetails } from '../src/domain/errors';
import type { OrderSettings } from '../workflows/messages';
import type { OrderFacts, OrderStatus, OrderState } from '../src/domain/order-status';
import type { OrderMessage } from '../src/domain/order-message-types';

/** What the workflows may ask of the world. Each takes one object, returns plain data and is safe to run twice. */
export interface OrderActivities {
  /** The order as the database has it, with the settings its workflow needs; null where there is none. */
  loadOrder(input: { orderId: string }): Promise<StoredOrder | null>;
  /** One transaction that confirms a decision and stores what it changes: order row, parcel or payment, invoice, timeline, event. */
  applyChange(input: DecidedMessage): Promise<ApplyOutcome>;
  /** Puts what could not be applied into the order's timeline and raises attention. */
  recordRefusal(input: OrderRefusal): Promise<void>;
  /** Sends the customer the one confirmation, if it has not been sent. */
  sendConfirmation(input: { orderId: string }): Promise<void>;
  /** Looks for artwork that was not there at placing; answers when to look again (RFC 3339), null where nothing is awaited any more. */
  completeArtwork(input: { orderId: string }): Promise<string | null>;
}

export interface StoredOrder {
  state: OrderState;
  settings: OrderSettings;
}

/** What was sent to an order and could not be applied. */
export interface OrderRefusal {
  orderId: string;
  message: unknown;
  /** The key of a message that could be read; absent: it could not. */
  messageKey?: string;
  reason: string;
  /** Says what it was where its `type` does not: a signal of another name, the Web UI's request to cancel. */
  sentAs?: string;
  attention?: AttentionCode;
}

/** The facts afterwards, and the status to tell clients of (ruling 29). */
export interface Change {
  facts: OrderFacts;
  eventStatus: OrderStatus | null;
}

/**
 * What the rules decide about a message: a change, a refusal, or nothing to do. What rests on the timeline is decided where that is
 * (ruling 56).
 */
export type Decision = Change | { refused: string; code: ErrorCode } | { unchanged: true } | { byTimeline: true };

export interface DecidedMessage {
  orderId: string;
  orderNumber: string;
  expectedVersion: number;
  message: OrderMessage;
  decision: Decision;
}

/** The database's answer to a decision, which has the last word (ruling 48). */
export type ApplyOutcome =
  /** Stored; with the facts afterwards where the timeline decided, and when to look for artwork (RFC 3339) where that changed. */
  | { outcome: 'applied'; version: number; facts?: OrderFacts; artworkDue?: string | null }
  /** Nothing to store, and the decision rests on what is stored. */
  | { outcome: 'confirmed' }
  /** This very message has been applied before; with what is stored where that is not what the workflow knew. */
  | { outcome: 'repeated'; stored?: OrderState }
  /**
   * Refused for what only the database knows: taken back since, the order has its fill of this kind, or the account not the credit;
   * the message's own code unless said.
   */
  | { outcome: 'refused'; reason: string; code?: ErrorCode; details?: ErrorDetails }
  /** The message's id was applied with another content. */
  | { outcome: 'reused' }
  /** The decision rests on other facts than those stored. */
  | { outcome: 'stale'; stored: OrderState }
  | { outcome: 'gone' };

export interface QuoteActivities {
  /** What became of a quote whose hold is over; an unspent one is marked expired. */
  endHold(input: { quoteId: string }): Promise<'ordered' | 'expired' | 'gone'>;
}

export interface SweepActivities {
  /** Hands over again what waits for an attempt that is overdue: the workflow of such a delivery was lost. */
  handOverDeliveries(): Promise<{ deliveries: number }>;
  /** Resumes orders whose run Temporal has lost. Starting a running workflow changes nothing. */
  resumeLostOrders(): Promise<LostOrdersResult>;
  /** Sends the mails about failing endpoints that were not sent yet. */
  mailFailingEndpoints(): Promise<void>;
  /** Deletes what has outlived its use, such as idempotency records and rate windows. */
  forgetExpired(): Promise<{ idempotencyRecords: number; rateWindows: number }>;
  /** Numbers the events of feeds that no client has read for an hour. Returns how many got a number. */
  assignEventPositions(): Promise<{ events: number }>;
  /** Makes the comparisons of artwork that are due. Returns the number of orders. */
  compareArtwork(): Promise<{ compared: number }>;
  /** Removes unused artwork. Returns how many uploads were retired and removed, and how many stored objects had no upload. */
  sweepArtwork(): Promise<{ retired: number; removed: number; orphans: number }>;
}

export interface LostOrdersResult {
  /** Orders whose workflow did not run. */
  orders: number;
  /** Open orders that were checked. */
  looked: number;
  /** The last check of the first order, RFC 3339. Every open order was checked after it. Null without orders. */
  oldestCheckAt: string | null;
}

export interface RetentionActivities {
  /** Replaces the addresses of quotes that expired unordered longer ago than the setting says; answers how many. */
  forgetAddresses(): Promise<{ quotes: number }>;
}

export interface AttentionActivities {
  /** Mails the studio what needs a person, once a day; answers how much is open. */
  mailAttention(): Promise<{ open: number }>;
}
