import type { Sql } from '../db/data-source';
import { insertEvent } from '../db/repositories/webhook-deliveries';
import type { OrderWithParcels } from '../db/rows';
import { presentEvent } from '../presenters/events';
import { presentOrder } from '../presenters/orders';
import { newId } from '../security/ids';

/**
 * Writes the event of the order's present status with its frozen body, and one delivery per endpoint that listens, in the
 * caller's transaction (ruling 35).
 * @returns how many deliveries wait for a relay: where there are any, the caller rings for it once the transaction is committed.
 */
export function writeEvent(sql: Sql, order: OrderWithParcels, sequence: number, now: Date): Promise<number> {
  const id = newId('evt');
  const type = `order.${order.status}`;
  const body = presentEvent({ id, type, createdAt: now, environment: order.environment, sequence, data: presentOrder(order) });
  return insertEvent(sql, { id, orderId: order.id, accountId: order.account_id, environment: order.environment, sequence, type, body, createdAt: now });
}
