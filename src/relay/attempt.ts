import type { Database } from '../db/database';
import type { Clock } from '../platform/clock';
import { LEASE_SECONDS, type AttemptResult, type ClaimedDelivery } from '../db/repositories/relay';
import { signingSecrets } from '../db/repositories/webhook-endpoints';
import { ATTEMPT_TIMEOUT_MS, delayBeforeAttempt } from '../domain/webhook-rules';
import { OBJECTIVE_SECONDS, type ServiceMetrics } from '../telemetry/metrics';
import { activeTraceparent, continueOrLink, inSpan, linkTo, SpanKind, SpanStatusCode } from '../telemetry/tracing';
import type { AttemptOutcome, WebhookRequest, WebhookSender } from '../webhooks/send';
import type { EndpointCache } from './endpoint-cache';

/** The time that is left for recording the result before the lease ends. */
const RECORDING_RESERVE_MS = 2_000;
/** An attempt starts only if at least this much of the lease is left. */
const MIN_LEASE_MS = ATTEMPT_TIMEOUT_MS + RECORDING_RESERVE_MS;

interface AttemptDeps {
  metrics: ServiceMetrics;
  database: Database;
  clock: Clock;
  webhookSender: WebhookSender;
  webhookRetryScheduleMs: readonly number[];
  endpointCache: EndpointCache;
}

/** A claimed delivery, and the monotonic time just before the claim was requested. The lease counts from then. */
export interface LeasedDelivery {
  delivery: ClaimedDelivery;
  requestedAtMs: number;
}

/** The result of the POST, or the reason why nothing was sent: the endpoint is or was disabled, or too little of the lease is left. */
type SendResult = { result: AttemptResult } | { switchedOff: true } | { lapsed: true };

/**
 * Sends one signed POST to the endpoint's current URL with its current secrets. When the first byte is sent, the endpoint's row must be at
 * most one second old, and enough of the lease must be left. If not, both are checked again.
 * @throws the reason of `stop` if it aborts before the receiver answers
 */
export async function sendAttempt(
  deps: AttemptDeps,
  leased: LeasedDelivery,
  attemptNumber: number,
  stop: AbortSignal,
): Promise<SendResult> {
  const { delivery } = leased;
  deps.endpointCache.retain(delivery.endpoint_id);
  try {
    while (remainingLeaseMs(leased) >= MIN_LEASE_MS) {
      const endpoint = await deps.endpointCache.get(delivery.endpoint_id);
      if (endpoint === null || endpoint.state === 'disabled' || endpoint.deleted_at !== null) return { switchedOff: true };
      if (endpoint.epoch > delivery.epoch) return { switchedOff: true }; // it was disabled and enabled since the claim, so the delivery is held
      const now = deps.clock.now();
      const outcome = await sendInSpan(deps, delivery, now, attemptNumber, {
        endpointId: endpoint.id,
        url: endpoint.url,
        secrets: signingSecrets(endpoint.signing, now),
        eventId: delivery.event_id,
        eventType: delivery.event_type,
        rawBody: delivery.body,
        nowMs: now.getTime(),
        mayStillSend: () => deps.endpointCache.isCurrent(endpoint) && remainingLeaseMs(leased) > RECORDING_RESERVE_MS,
        stop,
      });
      if (outcome !== null) recordMetrics(deps.metrics, delivery, attemptNumber, outcome);
      if (outcome !== null) return { result: toAttemptResult(deps, delivery, attemptNumber, endpoint.epoch, outcome) };
    }
    return { lapsed: true };
  } finally {
    deps.endpointCache.release(delivery.endpoint_id);
  }
}

/** A span by OpenTelemetry's conventions for HTTP clients. It has no URL, because a URL may contain a client's secret. */
function sendInSpan(
  { webhookSender }: AttemptDeps,
  { endpoint_id, event_type, event_id, trace_context, created_at }: ClaimedDelivery,
  now: Date,
  attemptNumber: number,
  request: WebhookRequest,
): Promise<AttemptOutcome | null> {
  const attributes = {
    'http.request.method': 'POST',
    'trade_print.endpoint_id': endpoint_id,
    'trade_print.event_id': event_id,
    'trade_print.event_type': event_type,
    'trade_print.attempt': attemptNumber,
  };
  // A retry is part of its activity's trace.
  const origin = attemptNumber === 1 ? continueOrLink(trace_context, created_at, now.getTime()) : linkTo(trace_context);
  const options = { kind: SpanKind.CLIENT, attributes, ...origin };
  return inSpan('POST webhook', options, async (span) => {
    const outcome = await webhookSender.send({ ...request, traceparent: activeTraceparent() });
    const { status, errorCode } = outcome ?? { status: null, errorCode: null };
    if (status !== null) span.setAttribute('http.response.status_code', status);
    if (errorCode !== null) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', errorCode);
    return outcome;
  });
}

function remainingLeaseMs({ requestedAtMs }: LeasedDelivery): number {
  return requestedAtMs + LEASE_SECONDS * 1000 - performance.now();
}

function recordMetrics(metrics: ServiceMetrics, delivery: ClaimedDelivery, attemptNumber: number, outcome: AttemptOutcome): void {
  const isFirst = attemptNumber === 1 && delivery.chain === 1;
  metrics.deliveryAttempts.add(1, { result: outcome.errorCode ?? 'ok', attempt: isFirst ? 'first' : 'later' });
  if (!isFirst) return;
  const seconds = (outcome.sentAtMs - delivery.created_at.getTime()) / 1000;
  metrics.firstByteDuration.record(seconds);
  metrics.countObjective('webhooks', seconds <= OBJECTIVE_SECONDS.webhooks);
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
