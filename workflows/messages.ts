import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { OrderMessage } from '../src/domain/order-message-types';
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

/** `changed` is false if the message was repeated, or if the order already was in that state. */
export interface ApplyResult {
  orderId: string;
  changed: boolean;
}

/** Applies one milestone, parcel or payment once. Fails with MILESTONE_REFUSED or MILESTONE_ID_REUSED. */
export const applyMessage = defineUpdate<ApplyResult, [OrderMessage]>('applyMessage');

/** `traceparent` is the trace of the request, for telemetry. */
export interface CancelRequest {
  requestId: string;
  traceparent?: string;
}

/** The account's cancellation. Fails with ORDER_NOT_CANCELLABLE. An order that is already cancelled returns its state. */
export const cancelOrder = defineUpdate<{ orderId: string }, [CancelRequest]>('cancelOrder');

/** Starts the retries of a delivery whose first attempt failed. Returns once the delivery's workflow has started. */
export const retryDelivery = defineUpdate<{ orderId: string }, [DeliveryInput]>('retryDelivery');

/** Takes the same payload as `applyMessage`, without an answer. Refused messages are recorded in the order's timeline. */
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
