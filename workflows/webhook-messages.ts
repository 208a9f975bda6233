/** The contract of the webhook workflows, on a task queue of their own: a slow endpoint can never delay an order. */
export const WEBHOOKS_TASK_QUEUE = 'webhooks';

/** Workflow id of a delivery: `webhook/dlv_…`. */
export const deliveryWorkflowId = (deliveryId: string): string => `webhook/${deliveryId}`;

export interface DeliveryInput {
  deliveryId: string;
  /** Which start of the retry chain this is; an older one changes nothing any more. */
  chain: number;
  /** The first attempt to make, from 1; a chain taken over from a lost workflow begins later. */
  attempt: number;
  /** RFC 3339; absent: at once. */
  notBefore?: string;
}

export type DeliveryEnd = 'delivered' | 'failed' | 'held' | 'superseded';

export interface RecoverInput {
  endpointId: string;
  /** RFC 3339, inclusive and exclusive; of the delivery's creation. */
  since: string;
  until: string;
  states: ('failed' | 'held')[];
  /** Carried over by continue-as-new: what has been started, and up to where. */
  progress?: RecoverProgress;
}

export interface RecoverProgress {
  started: number;
  after: string | null;
}
