import { continueAsNew, defineQuery, proxyActivities, setCurrentDetails, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import type { PingResult, WebhookActivities } from '../activities/webhook-contract';
import type { RecoverInput, RecoverProgress } from './webhook-messages';

const { pingEndpoint } = proxyActivities<WebhookActivities>({ startToCloseTimeout: '20s', retry: { maximumAttempts: 2 } });
const { recoverBatch } = proxyActivities<WebhookActivities>({ startToCloseTimeout: '1m', retry: { maximumInterval: '1m' } });

export const recoverProgress = defineQuery<RecoverProgress>('recoverProgress');

/** Deliveries started a second, so that an endpoint that has just come back is not buried. */
const BATCH = 20;

/** A signed `ping` to one endpoint, for the studio to see what comes back. */
export function webhookPing(input: { endpointId: string }): Promise<PingResult> {
  return pingEndpoint(input);
}

/** Starts the chains of an endpoint's held or failed deliveries of a span of time, at a bounded rate (ruling 37). */
export async function webhookRecover(input: RecoverInput): Promise<RecoverProgress> {
  let progress = input.progress ?? { started: 0, after: null };
  setHandler(recoverProgress, () => progress);
  for (;;) {
    const batch = await recoverBatch({ ...input, after: progress.after, limit: BATCH });
    progress = { started: progress.started + batch.started, after: batch.after };
    setCurrentDetails(`${progress.started} deliveries started again`);
    if (batch.after === null) return progress;
    await sleep('1s');
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof webhookRecover>({ ...input, progress });
  }
}
