import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { OrderFacts, OrderMessage } from '../src/domain/order-status';
import type { Environment } from '../src/domain/limits';

/** The contract of the order workflow, shared by client, worker and workflow. Payloads carry ids, never addresses. */
export const ORDERS_TASK_QUEUE = 'orders';

/** Workflow id of an order: `order/ord_…`. */
export const orderWorkflowId = (orderId: string): string => `order/${orderId}`;
/** Workflow id of a quote's hold: `quote/quo_…`. */
export const quoteWorkflowId = (quoteId: string): string => `quote/${quoteId}`;

export interface SubmitOrder {
  orderId: string;
  quoteId: string;
  accountId: string;
  environment: Environment;
  /** The claim that this submission finishes; also the update's id. */
  idempotencyRecordId: string;
  requestId: string;
}

/** Places the order, or fails with the error code as the failure's type. Answers when the order is stored. */
export const submitOrder = defineUpdate<{ orderId: string }, [SubmitOrder]>('submitOrder');

/** Applies one milestone, parcel or payment once; fails with MILESTONE_REFUSED or MILESTONE_ID_REUSED. */
export const applyMilestone = defineUpdate<{ orderId: string }, [OrderMessage]>('applyMilestone');

/** The account's cancel; fails with ORDER_NOT_CANCELLABLE. A cancelled order answers as it is. */
export const cancelOrder = defineUpdate<{ orderId: string }, [{ requestId: string }]>('cancelOrder');

/** The same payload as `applyMilestone`, fire and forget; what cannot be applied is recorded in the order's timeline. */
export const milestone = defineSignal<[unknown]>('milestone');

/** What the workflow holds at this moment, for people at the Temporal Web UI. */
export const orderFacts = defineQuery<OrderState | null>('orderFacts');

/** Tells a quote's hold that an order was made of it. */
export const quoteConsumed = defineSignal('quoteConsumed');

/** An order as its workflow knows it; `version` counts the changes stored. */
export interface OrderState {
  version: number;
  facts: OrderFacts;
  /** Applied messages: sender's id → canonical content, so that a repeat is told from a reuse. */
  applied: Record<string, string>;
  quoteId: string;
  /** The customer's one confirmation mail is still to be sent. */
  confirmationDue: boolean;
}

/**
 * Which commands the order workflow issues. A run keeps those it was started with, so that a release never changes the
 * history of a run under way (docs/workflows.md, "Changing a workflow").
 * 2: `placeOrder` tells the quote's hold, not the workflow; a run whose submission never comes ends; signals that a run begins
 *    with are applied before its updates.
 */
export const ORDER_REVISION = 2;

export interface OrderInput {
  /** Absent in runs from before revisions were counted: 1. */
  revision?: number;
  orderId: string;
  orderNumber: string;
  /** `submit`: waits for its `submitOrder`; `resume`: reads its facts from the database first. */
  startedFor: 'submit' | 'resume';
  /** A settled order's workflow closes after this long without news, ms. */
  quietPeriodMs: number;
  /** OrderStatus follows the order's status; false: it is not set at all. Absent in older runs: true. */
  statusAttribute?: boolean;
  /** Task queue of the webhook deliveries. */
  webhooksTaskQueue: string;
  /** Carried over by continue-as-new. */
  state?: OrderState;
}

export interface QuoteHoldInput {
  quoteId: string;
  /** RFC 3339. */
  expiresAt: string;
}
