import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { OrderSettings } from '../../workflows/messages';
import type { Breaker } from './breaker';

/** What all callers of Temporal share. */
export interface TemporalContext {
  client: Client;
  namespace: string;
  breaker: Breaker;
  ordersTaskQueue: string;
  artworkTaskQueue: string;
  settings: OrderSettings;
}

/** How long a caller waits for a workflow to answer, and for one to be started, ms. */
export const ANSWER_MS = 15_000;
export const START_MS = 3_000;

/** False where the workflow was there already. */
export async function unlessStarted(start: Promise<unknown>): Promise<boolean> {
  try {
    await start;
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
