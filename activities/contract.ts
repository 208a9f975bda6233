import type { AttentionCode } from '../src/domain/attention';
import type { ErrorCode, ErrorDetails } from '../src/domain/errors';
import type { OrderSettings } from '../workflows/messages';
import type { OrderFacts, OrderStatus, OrderState } from '../src/domain/order-status';
import type { OrderMessage } from '../src/domain/order-message-types';

/** The activities of the workflows. Each takes one object, returns plain data and is idempotent. */
export interface OrderActivities {
  /** Loads the order with the settings of its workflow. Null if the order does not exist. */
  loadOrder(input: { orderId: string }): Promise<StoredOrder | null>;
  /** Confirms a decision and stores the change in one transaction: order row, parcel or payment, invoice, timeline, event. */
  applyChange(input: DecidedMessage): Promise<ApplyOutcome>;
  /** Adds a refused message to the order's timeline and raises attention. */
  recordRefusal(input: OrderRefusal): Promise<void>;
  /** Sends the customer's single confirmation, unless it was already sent. */
  sendConfirmation(input: { orderId: string }): Promise<void>;
  /** Checks for artwork that was missing at placing. Returns the time of the next check (RFC 3339), or null if none is missing. */
  completeArtwork(input: { orderId: string }): Promise<string | null>;
}

export interface StoredOrder {
  state: OrderState;
  settings: OrderSettings;
}

/** A message to an order that could not be applied. */
export interface OrderRefusal {
  orderId: string;
  message: unknown;
  /** The key of the message. Absent if the message could not be parsed. */
  messageKey?: string;
  reason: string;
  /** The kind of message if `type` does not say it: a signal of another name, or a cancellation request of the Web UI. */
  sentAs?: string;
  attention?: AttentionCode;
}

/** The facts after the change, and the status of the event for clients (ruling 29). */
export interface Change {
  facts: OrderFacts;
  eventStatus: OrderStatus | null;
}

/**
 * The rules' decision about a message: a change, a refusal or no change. Decisions that depend on the timeline are left to the database
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

/** The database's final decision (ruling 48). */
export type ApplyOutcome =
  /** Stored. `facts` is set if the timeline decided, `artworkDue` (RFC 3339) if the time of the next artwork check changed. */
  | { outcome: 'applied'; version: number; facts?: OrderFacts; artworkDue?: string | null }
  /** There is nothing to store, and the decision is based on the stored facts. */
  | { outcome: 'confirmed' }
  /** This message was applied before. `stored` is set if it differs from the workflow's state. */
  | { outcome: 'repeated'; stored?: OrderState }
  /**
   * Refused for a reason that only the database knows, such as a voided parcel, a full order or too little credit. Without `code` the
   * message's own code applies.
   */
  | { outcome: 'refused'; reason: string; code?: ErrorCode; details?: ErrorDetails }
  /** The id was used for a message with other content. */
  | { outcome: 'reused' }
  /** The decision is based on outdated facts. */
  | { outcome: 'stale'; stored: OrderState }
  | { outcome: 'gone' };

export interface QuoteActivities {
  /** Returns the state of a quote whose hold has ended. An unordered quote is marked expired. */
  endHold(input: { quoteId: string }): Promise<'ordered' | 'expired' | 'gone'>;
}

export interface SweepActivities {
  /** Hands overdue deliveries over again: their workflows were lost. */
  handOverDeliveries(): Promise<{ deliveries: number }>;
  /** Resumes orders whose workflow run is lost. Starting a running workflow changes nothing. */
  resumeLostOrders(): Promise<LostOrdersResult>;
  /** Sends pending mails about failing endpoints. */
  mailFailingEndpoints(): Promise<void>;
  /** Deletes expired records, such as idempotency records and rate windows. */
  forgetExpired(): Promise<{ idempotencyRecords: number; rateWindows: number }>;
  /** Numbers the events of feeds that were not read for an hour. Returns the number of numbered events. */
  assignEventPositions(): Promise<{ events: number }>;
  /** Compares artwork that is due. Returns the number of orders. */
  compareArtwork(): Promise<{ compared: number }>;
  /** Removes unused artwork. Returns how many uploads were retired, how many were removed, and how many stored objects had no upload. */
  sweepArtwork(): Promise<{ retired: number; removed: number; orphans: number }>;
}

export interface LostOrdersResult {
  /** Orders whose workflow was not running. */
  orders: number;
  /** Open orders that were checked. */
  looked: number;
  /** The previous check of the first order, RFC 3339. The run has checked every older order. Null without orders. */
  oldestCheckAt: string | null;
}

export interface RetentionActivities {
  /** Erases the addresses of expired quotes after the configured period. Returns the number of quotes. */
  forgetAddresses(): Promise<{ quotes: number }>;
}

export interface AttentionActivities {
  /** Sends the studio the daily mail about open attention. Returns the number of open entries. */
  mailAttention(): Promise<{ open: number }>;
}
