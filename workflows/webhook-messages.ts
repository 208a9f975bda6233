import { defineSignal } from '@temporalio/workflow';
import type { DeliveryState } from '../src/domain/webhook-rules';

/** The contract of the webhook workflows. They have their own task queue, because a slow endpoint must not delay an order. */
export const WEBHOOKS_TASK_QUEUE = 'webhooks';

/** The task queue of the ping activity. It is separate, because slow retries may use all slots of the webhooks queue. */
export const pingsTaskQueue = (webhooksTaskQueue: string): string => `${webhooksTaskQueue}-pings`;

/** Workflow id of a delivery's retries: `webhook/dlv_…`. */
export const deliveryWorkflowId = (deliveryId: string): string => `webhook/${deliveryId}`;

/**
 * Tells a delivery's workflow that a newer chain replaces it. A workflow that already belongs to that chain or a newer one ignores the
 * signal.
 */
export const superseded = defineSignal<[{ chain: number }]>('superseded');

/** A delivery whose first attempt failed, for its order's workflow. */
export interface DeliveryInput {
  deliveryId: string;
  /** The number of the delivery's chain: how often its retries were started. Results of an older chain are ignored. */
  chain: number;
  /** The number of the next attempt: 2 after the first attempt; higher if the chain's workflow was lost. */
  attempt: number;
  /** The earliest time of the next attempt, RFC 3339. The delay counts from the start of the previous attempt. */
  notBefore: string;
  endpointId: string;
  accountId: string;
  /** A description: "order.shipped T-10001 → gallery.example". */
  title: string;
  /** The result of the previous attempt: "answered 500", "timeout". */
  lastAnswer: string;
}

export type DeliveryEnd = Extract<DeliveryState, 'delivered' | 'held'> | 'superseded';
