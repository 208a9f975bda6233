import type { Clock } from '../platform/clock';
import type { Database, Sql } from '../db/database';
import { writeAudit, type AuditActor } from '../db/repositories/audit';
import { resendDelivery as restart, type StudioDeliveryDetail } from '../db/repositories/webhook-deliveries';
import { lockEndpoint } from '../db/repositories/webhook-endpoints';
import { ApiError } from '../domain/errors';
import type { DeliveryNotifier } from './delivery-notifier';

export interface ResendDeps {
  database: Database;
  clock: Clock;
  deliveryNotifier: DeliveryNotifier;
}

export interface ResendRequest<T> {
  /** Reads the delivery; throws if the caller has no such delivery. */
  load: (sql: Sql) => Promise<StudioDeliveryDetail>;
  /** Reads what the caller gets afterwards. In the same transaction, because a 503 promises that nothing was stored. */
  present: (sql: Sql) => Promise<T>;
  by: Omit<AuditActor, 'at'>;
  /** The part of the error message that says how to enable the endpoint. */
  enableHint: string;
}

/**
 * Starts a new chain of attempts with the same event, whatever the state of the delivery. The relay makes the attempts as usual. Results of
 * older chains are ignored (specification "Delivery guarantees" 3).
 * @throws ApiError ENDPOINT_DISABLED
 */
export async function resendDelivery<T>({ database, clock, deliveryNotifier }: ResendDeps, request: ResendRequest<T>): Promise<T> {
  const presented = await database.transaction(async (sql) => {
    const { id, endpoint_id: endpointId, state, chain: before } = await request.load(sql);
    await requireEnabledEndpoint(sql, endpointId, request.enableHint);
    const at = clock.now();
    const chain = await restart(sql, id, at);
    await writeAudit(
      sql,
      { ...request.by, at },
      { action: 'delivery.resend', subject: id, before: { state, chain: before }, after: { state: 'pending', chain } },
    );
    return request.present(sql);
  });
  deliveryNotifier.notify();
  return presented;
}

/** Locks the endpoint, because it must not be disabled before the new chain starts. */
async function requireEnabledEndpoint(sql: Sql, endpointId: string, enableHint: string): Promise<void> {
  const endpoint = await lockEndpoint(sql, endpointId);
  if (endpoint === null || endpoint.deleted_at !== null) {
    throw new ApiError('ENDPOINT_DISABLED', 'the endpoint of this delivery was deleted; events can no longer be sent to it', {
      endpointId,
    });
  }
  if (endpoint.state === 'disabled') throw endpointDisabled(endpointId, enableHint);
}

export function endpointDisabled(endpointId: string, enableHint: string): ApiError {
  return new ApiError('ENDPOINT_DISABLED', `the endpoint is disabled; ${enableHint}`, { endpointId });
}
