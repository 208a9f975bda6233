import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhook-contract';
import type { DeliveryEnd, DeliveryInput } from './webhook-messages';

/** Our own faults only: what the endpoint does is an outcome. */
const FAULTS = { startToCloseTimeout: '60s', retry: { initialInterval: '1s', maximumInterval: '1m' } } as const;
/** A killed worker's attempt is missed, and made again, after ten seconds. */
const ATTEMPT = { ...FAULTS, heartbeatTimeout: '10s' } as const;

/** First attempts go ahead of retries wherever the server honours priorities. */
const first = proxyActivities<WebhookActivities>({ ...ATTEMPT, priority: { priorityKey: 2 } });
const later = proxyActivities<WebhookActivities>({ ...ATTEMPT, priority: { priorityKey: 4 } });
const { mailTrouble } = proxyActivities<WebhookActivities>({ ...FAULTS, priority: { priorityKey: 4 } });

/**
 * One event on its way to one endpoint: attempt, wait by the schedule, end delivered, failed or held (specification
 * "Delivery guarantees", rulings 36, 37). Started for a row that exists already; the row decides what is still to be done.
 */
export async function webhookDelivery(input: DeliveryInput): Promise<DeliveryEnd> {
  if (input.notBefore !== undefined) await waitUntil(Date.parse(input.notBefore), `Attempt ${input.attempt}`);
  for (let attempt = input.attempt; ; attempt += 1) {
    const result = await attemptInTurn(input, attempt);
    if (result.outcome === 'retry') {
      await waitUntil(Date.now() + result.delayMs, `Attempt ${attempt + 1}`);
      continue;
    }
    if (result.outcome === 'failed' && result.alertAtFailures !== null) {
      await mailTrouble({ deliveryId: input.deliveryId, failures: result.alertAtFailures });
    }
    setCurrentDetails(`Ended: ${result.outcome} after ${attempt} attempts`);
    return result.outcome;
  }
}

/** Asks until the endpoint has room; waiting for room is no attempt. */
async function attemptInTurn({ deliveryId, chain }: DeliveryInput, attempt: number) {
  for (;;) {
    const { attemptDelivery } = attempt === 1 ? first : later;
    const result = await attemptDelivery({ deliveryId, chain, attempt });
    if (result.outcome !== 'busy') return result;
    setCurrentDetails(`Attempt ${attempt} waits for room at the endpoint`);
    await sleep(result.delayMs);
  }
}

async function waitUntil(atMs: number, what: string): Promise<void> {
  const remainingMs = atMs - Date.now();
  if (remainingMs <= 0) return;
  setCurrentDetails(`${what} at ${new Date(atMs).toISOString()}`);
  await sleep(remainingMs);
}
