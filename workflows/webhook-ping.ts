import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { PingResult, WebhookActivities } from '../activities/webhook-contract';
import { pingsTaskQueue } from './webhook-messages';

/** Sends a signed `ping` to one endpoint and returns the answer for the studio. */
export function webhookPing(input: { endpointId: string }): Promise<PingResult> {
  const { pingEndpoint } = proxyActivities<WebhookActivities>({
    taskQueue: pingsTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '20s',
    retry: { maximumAttempts: 2 },
  });
  return pingEndpoint(input);
}
