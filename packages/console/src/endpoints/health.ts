import type { Schema } from '../api/studio';

export type EndpointWithHealth = Schema<'WebhookEndpointWithHealth'>;

export type Health = 'disabled' | 'failing' | 'waiting' | 'idle' | 'working';

type HealthData = Pick<EndpointWithHealth, 'state' | 'consecutiveFailures' | 'deliveries' | 'health'>;

/**
 * `failing`: nothing ever arrived, or the last delivery failed and events are still missing. `waiting`: deliveries arrive again, but
 * earlier ones are pending or held. `idle`: there is no recent attempt.
 */
export function healthOf({ state, consecutiveFailures, deliveries, health }: HealthData): Health {
  if (state === 'disabled') return 'disabled';
  const { lastSuccessAt, lastFailureAt, pending } = health;
  const neverWorked = lastFailureAt !== null && lastSuccessAt === null;
  const failedLast = lastFailureAt !== null && lastSuccessAt !== null && lastFailureAt > lastSuccessAt;
  if (consecutiveFailures > 0 || neverWorked || (failedLast && pending + deliveries.failed > 0)) return 'failing';
  const isRetrying = pending > 0 && lastFailureAt !== null;
  if (isRetrying || deliveries.held > 0) return 'waiting';
  return lastSuccessAt === null ? 'idle' : 'working';
}
