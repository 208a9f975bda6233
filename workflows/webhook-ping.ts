import { proxyLocalActivities } from '@temporalio/workflow';
import type { PingResult, WebhookActivities } from '../activities/webhook-contract';

/** Local, because retries may take all slots of the worker's activities. */
const { pingEndpoint } = proxyLocalActivities<WebhookActivities>({ startToCloseTimeout: '20s', retry: { maximumAttempts: 2 } });

/** A signed `ping` to one endpoint, for the studio to see what comes back. */
export function webhookPing(input: { endpointId: string }): Promise<PingResult> {
  return pingEndpoint(input);
}
