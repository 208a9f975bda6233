import type { AttentionCode } from '../src/domain/attention';
import type { ErrorCode, ErrorDetails } from '../src/domain/errors';
import type { MessageReference, OrderSettings } from '../workflows/messages';
import type { SendState, StatementRunState } from '../src/domain/sends';
import type { OrderFacts, OrderState } from '../src/domain/order-status';
import type { Decision, SentMessage } from '../src/domain/order-messages';

/** The activities of the workflows. Each takes one object, returns plain data and is idempotent. */
export interface OrderActivities {
  /** Loads the order, and the settings for its workflow. Null if the order does not exist. */
  loadOrder(input: { orderId: string }): Promise<StoredOrder | null>;
  /** Loads a message that an API has stored. If its row is deleted, loads the order, which may have the message from an earlier attempt. */
  loadMessage(input: { orderId: string } & MessageReference): Promise<SentMessage | { stored: StoredOrder | null }>;
  /**
   * Checks a decision against the database and stores the change in one transaction: order row, parcel or payment, invoice, timeline,
   * event.
   */
  applyChange(input: DecidedMessage): Promise<ApplyOutcome>;
  /** Adds a refused message to the order's timeline and raises attention. */
  recordRefusal(input: OrderRefusal): Promise<void>;
  /** Sends the customer's single confirmation, unless it was already sent. */
  sendConfirmation(input: { orderId: string }): Promise<void>;
  /**
   * Checks whether artwork that was missing when the order was placed has arrived. Returns the time of the next check (RFC 3339), or null
   * if no artwork is missing.
   */
  checkMissingArtwork(input: { orderId: string }): Promise<string | null>;
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
  /**
   * The kind of a message without a known `type`: the name of an unknown signal, or `cancellation_requested` for a request from the Web UI.
   */
  sentAs?: string;
  attention?: AttentionCode;
}

export interface DecidedMessage extends SentMessage {
  orderId: string;
  /** The order's account, which never changes. */
  accountId: string;
  orderNumber: string;
  expectedVersion: number;
  decision: Decision;
  /** The trace of the request, for telemetry. */
  traceparent?: string;
}

/** The database's final answer to a decision. */
export type ApplyOutcome =
  /** Stored. `facts` is set if the timeline decided, `artworkDue` (RFC 3339) if the time of the next artwork check changed. */
  | { outcome: 'applied'; version: number; facts?: OrderFacts; artworkDue?: string | null }
  /** The decision is based on the current facts, and there is nothing to store. */
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
  /** Marks a quote expired unless it was ordered. Returns the quote's state, or `gone` if it does not exist. */
  markExpired(input: { quoteId: string }): Promise<'ordered' | 'expired' | 'gone'>;
}

export interface SweepActivities {
  /** Hands over deliveries again whose retry is overdue because their workflow was lost. */
  handOverDeliveries(): Promise<{ deliveries: number }>;
  /** Resumes orders whose workflow run is lost. Starting a running workflow changes nothing. */
  resumeLostOrders(): Promise<LostOrdersResult>;
  /** Sends pending mails about failing endpoints. */
  mailFailingEndpoints(): Promise<void>;
  /** Sends the mails about orders that are ready to collect or need other artwork. Returns their number. */
  mailAboutOrders(): Promise<{ mails: number }>;
  /** Deletes expired records, such as idempotency records and rate windows. */
  forgetExpired(): Promise<{ idempotencyRecords: number; rateWindows: number }>;
  /** Numbers the events of feeds that were not read for an hour. Returns the number of events. */
  assignEventPositions(): Promise<{ events: number }>;
  /** Compares the artwork of orders with the stored files where the first comparison failed. Returns the number of orders. */
  compareArtwork(): Promise<{ compared: number }>;
  /**
   * Removes unused artwork. Returns how many uploads were marked for removal, how many were removed, and how many stored files without an
   * upload were removed.
   */
  sweepArtwork(): Promise<{ retired: number; removed: number; orphans: number }>;
  /** Starts the workflows of pending mails again if they are lost. Returns how many were lost. */
  resumeSends(): Promise<{ sends: number }>;
}

export interface SendActivities {
  /** Sends a pending mail with its document, rendered now. Returns the state of the mail, or `gone` if it does not exist. */
  sendDocument(input: { sendId: string }): Promise<SendState | 'gone'>;
  /** Makes the reminders of today. Returns the number of mails. */
  createReminders(): Promise<{ reminders: number }>;
  /** The state of a statement run, and its next pending mails. */
  nextSends(input: { runId: string; after: string }): Promise<{ state: StatementRunState | 'gone'; sendIds: string[] }>;
  /** Completes a running statement run without pending mails. Returns whether it is completed. */
  finishRun(input: { runId: string }): Promise<boolean>;
}

export interface LostOrdersResult {
  /** Orders whose workflow was not running. */
  orders: number;
  /** Open orders that were checked. */
  looked: number;
  /**
   * When the first order of this run was last checked before, RFC 3339. Every order was checked later than this. Null if no order was
   * checked.
   */
  oldestCheckAt: string | null;
}

export interface RetentionActivities {
  /** Erases the addresses of quotes that expired without an order, after the configured period. Returns the number of quotes. */
  eraseQuoteAddresses(): Promise<{ quotes: number }>;
  /** Deletes webhook attempts after the configured period. Returns their number. */
  deleteOldAttempts(): Promise<{ attempts: number }>;
}

export interface AttentionActivities {
  /** Sends the studio the daily mail about orders that need attention. Returns the number of open attention entries. */
  sendAttentionMail(): Promise<{ open: number }>;
}
