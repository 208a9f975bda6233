import { defineSignal } from '@temporalio/workflow';
import type { DeliveryState } from '../src/domain/webhook-rules';

/** The contract of the webhook workflows, on a task queue of their own: a slow endpoint can never delay an order. */
export const WEBHOOKS_TASK_QUEUE = 'webhooks';

/** The task queue of the activity that sends pings: retries that hang may take all slots of the other one. */
export const pingsTaskQueue = (webhooksTaskQueue: string): string => `${webhooksTaskQueue}-pings`;

/** Workflow id of a delivery's retries: `webhook/dlv_…`. */
export const deliveryWorkflowId = (deliveryId: string): string => `webhook/${deliveryId}`;

/** Tells a delivery's workflow that this chain takes over: the workflow of an older chain ends, any other goes on. */
export const superseded = defineSignal<[{ chain: number }]>('superseded');

/** A delivery whose first attempt did not succeed, as its order's workflow takes it over. */
export interface DeliveryInput {
  deliveryId: string;
  /** Counts how often the chain was started; results of an older chain change nothing any more. */
  chain: number;
  /** The next attempt to make: 2 after the first; a chain taken over from a lost workflow begins later. */
  attempt: number;
  /** RFC 3339: counted from the start of the attempt before. */
  notBefore: string;
  endpointId: string;
  accountId: string;
  /** What it is about, in words: "order.shipped T-10001 → gallery.example". */
  title: string;
  /** How the attempt before ended: "answered 500", "timeout". */
  lastAnswer: string;
}

export type DeliveryEnd = Extract<DeliveryState, 'delivered' | 'held'> | 'superseded';
