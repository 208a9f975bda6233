import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { OrderMessage } from '../src/domain/order-message-types';
import type { OrderState } from '../src/domain/order-status';
import type { DeliveryInput } from './webhook-messages';

/** The contract of the order workflow, shared by client, worker and workflow. Payloads carry ids, never addresses. */
export const ORDERS_TASK_QUEUE = 'orders';

/** Workflow id of an order: `order/ord_…`. */
export const orderWorkflowId = (orderId: string): string => `order/${orderId}`;
/** Workflow id of a quote's hold: `quote/quo_…`. */
export const quoteWorkflowId = (quoteId: string): string => `quote/${quoteId}`;

/** Applies one milestone, parcel or payment once; fails with MILESTONE_REFUSED or MILESTONE_ID_REUSED. */
export const applyMessage = defineUpdate<{ orderId: string }, [OrderMessage]>('applyMessage');

/** The account's cancel; fails with ORDER_NOT_CANCELLABLE. A cancelled order answers as it is. */
export const cancelOrder = defineUpdate<{ orderId: string }, [{ requestId: string }]>('cancelOrder');

/** Takes over the retries of a delivery whose first attempt failed; answers once its workflow has begun. */
export const retryDelivery = defineUpdate<{ orderId: string }, [DeliveryInput]>('retryDelivery');

/** The same payload as `applyMessage`, fire and forget; what cannot be applied is recorded in the order's timeline. */
export const milestone = defineSignal<[unknown]>('milestone');

/** Makes the workflow read its order again. Needed after a restored backup, when an order was placed anew under an id that still runs. */
export const reload = defineSignal('reload');

/** What the workflow holds at this moment, for people at the Temporal Web UI. */
export const orderState = defineQuery<OrderState | null>('orderState');

/** How the service is set, the same for every order. */
export interface OrderSettings {
  /** A settled order's workflow closes after this long without news, ms. */
  quietPeriodMs: number;
  /** A live order is this old when it is confirmed to the customer, ms. */
  confirmationDelayMs: number;
  webhooksTaskQueue: string;
}

/** Only the API and continue-as-new send `state` and `settings`. Without them the workflow loads both first. */
export interface OrderInput {
  orderId: string;
  state?: OrderState;
  settings?: OrderSettings;
}

export interface QuoteHoldInput {
  quoteId: string;
  /** RFC 3339. */
  expiresAt: string;
}
