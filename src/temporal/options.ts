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
}

/** Timeouts for a workflow's response and for a workflow start, ms. */
export const RESPONSE_TIMEOUT_MS = 15_000;
export const START_TIMEOUT_MS = 3_000;

/** Starts a workflow. @returns false if it already exists */
export async function startUnlessExists<T extends Workflow>(
  { client, breaker }: TemporalContext,
  type: string,
  options: WorkflowStartOptions<T>,
): Promise<boolean> {
  try {
    await breaker.run(() => client.withDeadline(Date.now() + START_TIMEOUT_MS, () => client.workflow.start<T>(type, options)));
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
