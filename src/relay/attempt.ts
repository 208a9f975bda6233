import type { Database } from '../db/database';
import type { Clock } from '../clock';
import { LEASE_SECONDS, type AttemptResult, type ClaimedDelivery } from '../db/repositories/relay';
import { signingSecrets } from '../db/repositories/webhook-endpoints';
import { ATTEMPT_TIMEOUT_MS, delayBeforeAttempt } from '../domain/webhook-rules';
import type { AttemptOutcome, WebhookSender } from '../webhooks/send';
import type { EndpointCache } from './endpoint-cache';

/** Reserved for recording the result before the lease ends. */
const RECORDING_RESERVE_MS = 2_000;
/** An attempt starts only if at least this much of the lease is left. */
const MIN_LEASE_MS = ATTEMPT_TIMEOUT_MS + RECORDING_RESERVE_MS;

interface AttemptDeps {
  database: Database;
  clock: Clock;
  webhookSender: WebhookSender;
  webhookRetryScheduleMs: readonly number[];
  endpointCache: EndpointCache;
}

/** A claim, with the monotonic time before it was requested. The lease counts from then. */
export interface LeasedDelivery {
  delivery: ClaimedDelivery;
  requestedAtMs: number;
}

/** The result of the POST, or the reason why nothing was sent: the endpoint is disabled, or too little of the lease is left. */
type SendResult = { result: AttemptResult } | { switchedOff: true } | { lapsed: true };

/**
 * Sends one signed POST to the endpoint's current URL with its current secrets. Before the first byte is sent, the endpoint's row must be at
 * most one second old and enough of the lease must be left. Otherwise both are checked again.
 */
export async function sendAttempt(deps: AttemptDeps, leased: LeasedDelivery, attemptNumber: number): Promise<SendResult> {
  const { delivery } = leased;
  deps.endpointCache.retain(delivery.endpoint_id);
  try {
    while (remainingLeaseMs(leased) >= MIN_LEASE_MS) {
      const endpoint = await deps.endpointCache.get(delivery.endpoint_id);
      if (endpoint === null || endpoint.state === 'disabled' || endpoint.deleted_at !== null) return { switchedOff: true };
      const now = deps.clock.now();
      const outcome = await deps.webhookSender.send({
        endpointId: endpoint.id,
        url: endpoint.url,
        secrets: signingSecrets(endpoint.signing, now),
        eventId: delivery.event_id,
        eventType: delivery.event_type,
        rawBody: delivery.body,
        nowMs: now.getTime(),
        mayStillSend: () => deps.endpointCache.isCurrent(endpoint) && remainingLeaseMs(leased) > RECORDING_RESERVE_MS,
      });
      if (outcome !== null) return { result: toAttemptResult(deps, delivery, attemptNumber, endpoint.epoch, outcome) };
    }
    return { lapsed: true };
  } finally {
    deps.endpointCache.release(delivery.endpoint_id);
  }
}

function remainingLeaseMs({ requestedAtMs }: LeasedDelivery): number {
  return requestedAtMs + LEASE_SECONDS * 1000 - performance.now();
}

function toAttemptResult(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  attemptNumber: number,
  epoch: number,
  outcome: AttemptOutcome,
): AttemptResult {
  const delayMs = outcome.ok ? null : delayBeforeAttempt(deps.webhookRetryScheduleMs, attemptNumber + 1);
  return {
    deliveryId: delivery.id,
    endpointId: delivery.endpoint_id,
    chain: delivery.chain,
    claim: delivery.claim,
    number: attemptNumber,
    trigger: delivery.trigger,
    epoch,
    at: new Date(outcome.sentAtMs),
    ok: outcome.ok,
    status: outcome.status,
    errorCode: outcome.errorCode,
    timings: outcome.timings,
    replyExcerpt: outcome.replyExcerpt,
    nextAttemptAt: delayMs === null ? null : new Date(outcome.sentAtMs + delayMs),
  };
}
