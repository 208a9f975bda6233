import type { AttemptRow, OwnDeliveryRow, StudioDeliveryDetail, StudioDeliveryRow } from '../db/repositories/webhook-deliveries';
import type { DeliveryCount } from '../db/repositories/delivery-counts';
import type { Environment } from '../domain/limits';
import { fieldsOf } from './fields';
import { attemptsInChain, lastAttemptAt, UNDELIVERED_STATES, type UndeliveredState } from '../domain/webhook-rules';

/** A delivery in the studio API. `attemptCount` counts the current chain; the last attempt may be of any chain (studio API "Endpoints"). */
export function presentDeliveryRow(delivery: StudioDeliveryRow) {
  return {
    ...fieldsOf(delivery, 'id', 'endpoint_id', 'endpoint_url', 'account_id', 'account_name', 'environment', 'order_id', 'order_number'),
    ...fieldsOf(delivery, 'event_id', 'event_type', 'sequence', 'state', 'trigger', 'chain'),
    attemptCount: delivery.attempts,
    lastAttemptAt: delivery.last_at?.toISOString() ?? null,
    lastStatus: delivery.last_status,
    lastErrorCode: delivery.last_error,
    ...fieldsOf(delivery, 'next_attempt_at', 'created_at', 'completed_at'),
  };
}

/** A delivery in the trade API. */
export function presentOwnDelivery(delivery: OwnDeliveryRow) {
  return {
    ...fieldsOf(delivery, 'id', 'endpoint_id', 'order_id', 'event_id', 'event_type', 'sequence', 'state', 'trigger'),
    attemptCount: delivery.attempts,
    lastStatus: delivery.last_status,
    lastErrorCode: delivery.last_error,
    ...fieldsOf(delivery, 'next_attempt_at', 'created_at', 'completed_at'),
  };
}

interface DeliveryContext {
  /** Oldest first. */
  attempts: AttemptRow[];
  /** The delays between attempts, ms. */
  scheduleMs: readonly number[];
  /** Null if no workflow has retried the delivery. */
  workflowUrl: string | null;
}

/** A delivery with its event, all attempts, the planned attempts, and its workflow. */
export function presentDelivery(delivery: StudioDeliveryDetail, { attempts, scheduleMs, workflowUrl }: DeliveryContext) {
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
      // The exact text, because other JSON text would not match the signature.
      rawBody: delivery.body,
    },
    attempts: attempts.map(presentAttempt),
    attemptsDeletedUntil: delivery.deleted_attempt_at?.toISOString() ?? null,
    workflowUrl,
  };
}

const presentAttempt = (attempt: AttemptRow) => ({
  ...fieldsOf(attempt, 'chain', 'number', 'trigger', 'at', 'ok', 'status', 'error_code'),
  ...fieldsOf(attempt, 'timings', 'reply_excerpt', 'next_attempt_at'),
});

/** The number of deliveries in each state except `delivered` (studio API "Endpoints"). */
export function presentDeliveryCounts(environment: Environment, counted: readonly DeliveryCount[]) {
  const counts = UNDELIVERED_STATES.map((state) => [state, counted.find((row) => row.state === state)?.deliveries ?? 0]);
  return { environment, byState: Object.fromEntries(counts) as Record<UndeliveredState, number> };
}
