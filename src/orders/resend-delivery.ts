import type { Clock } from '../clock';
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

export interface ResendRequest {
  /** Reads the delivery; throws where whoever asks has no such delivery. */
  load: (sql: Sql) => Promise<StudioDeliveryDetail>;
  by: Omit<AuditActor, 'at'>;
  /** What to do about a disabled endpoint, in words for whoever asks. */
  enableHint: (endpointId: string) => string;
}

/**
 * Starts a new chain of attempts with the same event, whatever state the delivery is in. The relay takes it up like any other; attempts of
 * an older chain change nothing any more (specification "Delivery guarantees" 3).
 * @throws ApiError ENDPOINT_DISABLED
 */
export async function resendDelivery({ database, clock, deliveryNotifier }: ResendDeps, request: ResendRequest): Promise<void> {
  await database.transaction(async (sql) => {
    const { id, endpoint_id: endpointId, state, chain: before } = await request.load(sql);
    await requireEnabledEndpoint(sql, endpointId, request.enableHint);
    const at = clock.now();
    const chain = await restart(sql, id, at);
    await writeAudit(
      sql,
      { ...request.by, at },
      { action: 'delivery.resend', subject: id, before: { state, chain: before }, after: { state: 'pending', chain } },
    );
  });
  deliveryNotifier.notify();
}

/** Locks the endpoint, so that nobody disables it before the new chain has started. */
async function requireEnabledEndpoint(sql: Sql, endpointId: string, enableHint: ResendRequest['enableHint']): Promise<void> {
  const endpoint = await lockEndpoint(sql, endpointId);
  if (endpoint === null || endpoint.deleted_at !== null) {
    throw new ApiError('ENDPOINT_DISABLED', 'the endpoint of this delivery is deleted: nothing can be sent there any more', { endpointId });
  }
  if (endpoint.state === 'disabled') throw endpointDisabled(endpointId, enableHint(endpointId));
}

export function endpointDisabled(endpointId: string, enableHint: string): ApiError {
  return new ApiError('ENDPOINT_DISABLED', `the endpoint is disabled; ${enableHint}`, { endpointId });
}
