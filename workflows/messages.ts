import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { OrderState } from '../src/domain/order-status';
import type { DeliveryInput } from './webhook-messages';

/** The contract of the order workflow, shared by client, worker and workflow. Payloads carry ids, never addresses. */
export const ORDERS_TASK_QUEUE = 'orders';

/**
 * Timeout of one attempt of a local activity. After eight seconds the SDK would send a workflow task heartbeat, which adds events to the
 * history.
 */
export const LOCAL_ACTIVITY_TIMEOUT_MS = 5_000;

/** Workflow id of an order: `order/ord_…`. */
export const orderWorkflowId = (orderId: string): string => `order/${orderId}`;
/** Workflow id of a quote's expiry timer: `quote/quo_…`. */
export const quoteWorkflowId = (quoteId: string): string => `quote/${quoteId}`;

/** Workflow id of a mail with a document: `send/snd_…`. */
export const sendWorkflowId = (sendId: string): string => `send/${sendId}`;

export interface SendInput {
  sendId: string;
}

/** Workflow id of a statement run: `statements/run_…`. */
export const statementRunWorkflowId = (runId: string): string => `statements/${runId}`;

export interface StatementRunInput {
  runId: string;
  /** The last mail of the run before this one. */
  after?: string;
}

/** Makes a paused statement run read its state again. */
export const runChanged = defineSignal('runChanged');

/** `changed` is false if the message was repeated, or if the order already was in that state. */
export interface ApplyResult {
  orderId: string;
  changed: boolean;
}

/**
 * Names a message that an API has stored (`order_messages`). Only the row has the content and the sender, so clients of Temporal cannot
 * choose them. `traceparent` is the trace of the request, for telemetry.
 */
export interface MessageReference {
  messageId: string;
  traceparent?: string;
}

/** Applies a stored message once. Fails with the code of the refusal, such as MILESTONE_REFUSED or ORDER_NOT_CANCELLABLE. */
export const applyMessage = defineUpdate<ApplyResult, [MessageReference]>('applyMessage');

/** Starts the retries of a delivery whose first attempt failed. Returns once the delivery's workflow has started. */
export const retryDelivery = defineUpdate<{ orderId: string }, [DeliveryInput]>('retryDelivery');

/** A milestone, parcel or payment of a floor system, without an answer. Refused messages are recorded in the order's timeline. */
export const milestone = defineSignal<[unknown]>('milestone');

/**
 * Makes the workflow load its order again. After a restored backup, an order can be placed again while a workflow with its id is running.
 */
export const reload = defineSignal('reload');

/** The workflow's current state, for the Temporal Web UI. */
export const orderState = defineQuery<OrderState | null>('orderState');

/** Settings of the service that all orders share. */
export interface OrderSettings {
  /** The workflow of a settled order closes after this time without messages, ms. */
  quietPeriodMs: number;
  /** The customer gets the confirmation of a live order when it has this age, ms. */
  confirmationDelayMs: number;
  webhooksTaskQueue: string;
}

/** Only the API and continue-as-new send `state` and `settings`. Otherwise the workflow loads them. */
export interface OrderInput {
  orderId: string;
  state?: OrderState;
  settings?: OrderSettings;
}

export interface QuoteExpiryInput {
  quoteId: string;
  /** RFC 3339. */
  expiresAt: string;
}
