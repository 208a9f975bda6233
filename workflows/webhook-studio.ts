import { proxyActivities } from '@temporalio/workflow';
import type { PingResult, WebhookActivities } from '../activities/webhook-contract';

const { pingEndpoint } = proxyActivities<WebhookActivities>({ startToCloseTimeout: '20s', retry: { maximumAttempts: 2 } });

/** A signed `ping` to one endpoint, for the studio to see what comes back. */
export function webhookPing(input: { endpointId: string }): Promise<PingResult> {
  return pingEndpoint(input);
}
