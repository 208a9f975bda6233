import type { Clock } from '../clock';
import type { Database, Sql } from '../db/database';
import { writeAudit, type AuditActor } from '../db/repositories/audit';
import { resendDelivery as restart, type StudioDeliveryDetail } from '../db/repositories/webhook-deliveries';
import { lockEndpoint } from '../db/repositories/webhook-endpoints';
import { ApiError } from '../domain/errors';
import type { DeliveryBell } from './delivery-bell';

export interface ResendingDeps {
  database: Database;
  clock: Clock;
  deliveryBell: DeliveryBell;
}

export interface Resending {
  /** Reads the delivery; throws where whoever asks has no such delivery. */
  load: (sql: Sql) => Promise<StudioDeliveryDetail>;
  by: Omit<AuditActor, 'at'>;
  /** What to do about a disabled endpoint, in words for whoever asks. */
  howToEnable: (endpointId: string) => string;
}

/**
 * Starts a new chain of attempts with the same event, whatever state the delivery is in. The relay takes it up like any other; attempts of
 * an older chain change nothing any more (specification "Delivery guarantees" 3).
 * @throws ApiError ENDPOINT_DISABLED
 */
export async function resendDelivery({ database, clock, deliveryBell }: ResendingDeps, resending: Resending): Promise<void> {
  await database.transaction(async (sql) => {
    const { id, endpoint_id: endpointId, state, chain: before } = await resending.load(sql);
    await requireWorkingEndpoint(sql, endpointId, resending.howToEnable);
    const at = clock.now();
    const chain = await restart(sql, id, at);
    await writeAudit(
      sql,
      { ...resending.by, at },
      { action: 'delivery.resend', subject: id, before: { state, chain: before }, after: { state: 'pending', chain } },
    );
  });
  deliveryBell.ring();
}

/** Locks the endpoint, so that nobody disables it before the new chain has started. */
async function requireWorkingEndpoint(sql: Sql, endpointId: string, howToEnable: Resending['howToEnable']): Promise<void> {
  const endpoint = await lockEndpoint(sql, endpointId);
  if (endpoint === null || endpoint.deleted_at !== null) {
    throw new ApiError('ENDPOINT_DISABLED', 'the endpoint of this delivery is deleted: nothing can be sent there any more', { endpointId });
  }
  if (endpoint.state === 'disabled') throw disabledEndpoint(endpointId, howToEnable(endpointId));
}

export function disabledEndpoint(endpointId: string, howToEnable: string): ApiError {
  return new ApiError('ENDPOINT_DISABLED', `the endpoint is disabled; ${howToEnable}`, { endpointId });
}
