import type { AttemptRow, OwnDeliveryRow, StudioDeliveryDetail, StudioDeliveryRow } from '../db/repositories/webhook-deliveries';
import type { DeliveryCount } from '../db/repositories/delivery-counts';
import type { Environment } from '../domain/limits';
import { attemptsInChain, lastAttemptAt, UNDELIVERED, type Undelivered } from '../domain/webhook-rules';

/** A delivery as the studio lists it; `attemptCount` counts its present chain only, the last attempt is of any (studio API "Endpoints"). */
export function presentDeliveryRow(delivery: StudioDeliveryRow) {
  return {
    id: delivery.id,
    endpointId: delivery.endpoint_id,
    endpointUrl: delivery.endpoint_url,
    accountId: delivery.account_id,
    accountName: delivery.account_name,
    environment: delivery.environment,
    orderId: delivery.order_id,
    orderNumber: delivery.order_number,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    sequence: delivery.sequence,
    state: delivery.state,
    trigger: delivery.trigger,
    chain: delivery.chain,
    attemptCount: delivery.attempts,
    lastAttemptAt: delivery.last_at?.toISOString() ?? null,
    lastStatus: delivery.last_status,
    lastErrorCode: delivery.last_error,
    nextAttemptAt: delivery.next_attempt_at?.toISOString() ?? null,
    createdAt: delivery.created_at.toISOString(),
    completedAt: delivery.completed_at?.toISOString() ?? null,
  };
}

/** A delivery as its account sees it (specification "GET /webhook-deliveries"). */
export function presentOwnDelivery(delivery: OwnDeliveryRow) {
  return {
    id: delivery.id,
    endpointId: delivery.endpoint_id,
    orderId: delivery.order_id,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    sequence: delivery.sequence,
    state: delivery.state,
    trigger: delivery.trigger,
    attemptCount: delivery.attempts,
    lastStatus: delivery.last_status,
    lastErrorCode: delivery.last_error,
    nextAttemptAt: delivery.next_attempt_at?.toISOString() ?? null,
    createdAt: delivery.created_at.toISOString(),
    completedAt: delivery.completed_at?.toISOString() ?? null,
  };
}

/** Beside a delivery: every attempt so far, oldest first; the waits between them, ms; its workflow, null where none had to be repeated. */
interface DeliveryView {
  attempts: AttemptRow[];
  scheduleMs: readonly number[];
  workflowUrl: string | null;
}

/** With its event, how often it is tried in all and until when, every attempt so far, and its workflow in the Temporal Web UI. */
export function presentDelivery(delivery: StudioDeliveryDetail, { attempts, scheduleMs, workflowUrl }: DeliveryView) {
  const nextAt = delivery.next_attempt_at;
  return {
    ...presentDeliveryRow(delivery),
    attemptsInChain: attemptsInChain(scheduleMs),
    lastAttemptDueAt: nextAt === null ? null : lastAttemptAt(scheduleMs, delivery.attempts, nextAt).toISOString(),
    event: {
      id: delivery.event_id,
      type: delivery.event_type,
      sequence: delivery.sequence,
      createdAt: delivery.event_created_at.toISOString(),
      // The exact text: parsed and written again, it would not match the signature any more (ruling 35).
      rawBody: delivery.body,
    },
    attempts: attempts.map(presentAttempt),
    workflowUrl,
  };
}

function presentAttempt(attempt: AttemptRow) {
  return {
    chain: attempt.chain,
    number: attempt.number,
    trigger: attempt.trigger,
    at: attempt.at.toISOString(),
    ok: attempt.ok,
    status: attempt.status,
    errorCode: attempt.error_code,
    timings: attempt.timings,
    replyExcerpt: attempt.reply_excerpt,
    nextAttemptAt: attempt.next_attempt_at?.toISOString() ?? null,
  };
}

/** How many deliveries there are now in each state but `delivered` (studio API "Endpoints"). */
export function presentDeliveryCounts(environment: Environment, found: readonly DeliveryCount[]) {
  const counts = UNDELIVERED.map((state) => [state, found.find((row) => row.state === state)?.deliveries ?? 0]);
  return { environment, byState: Object.fromEntries(counts) as Record<Undelivered, number> };
}
