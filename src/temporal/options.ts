import { WorkflowExecutionAlreadyStartedError, type Client, type WorkflowStartOptions } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { OrderSettings } from '../../workflows/messages';
import type { CircuitBreaker } from './breaker';

export interface TemporalContext {
  client: Client;
  namespace: string;
  breaker: CircuitBreaker;
  ordersTaskQueue: string;
  artworkTaskQueue: string;
  settings: OrderSettings;
  timeouts: TemporalTimeouts;
}

/** How long a call waits, ms. */
export interface TemporalTimeouts {
  /** For a workflow's response. */
  responseMs: number;
  /** For the start of a workflow. */
  startMs: number;
  /** For a sign that Temporal answers. */
  probeMs: number;
}

export const TEMPORAL_TIMEOUTS: TemporalTimeouts = { responseMs: 15_000, startMs: 3_000, probeMs: 1_200 };

/** Starts a workflow. @returns false if it already exists */
export async function startUnlessExists<T extends Workflow>(
  { client, breaker, timeouts }: TemporalContext,
  type: string,
  options: WorkflowStartOptions<T>,
): Promise<boolean> {
  try {
    await breaker.run(() => client.withDeadline(Date.now() + timeouts.startMs, () => client.workflow.start<T>(type, options)));
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
