import type { Sql } from '../src/db/data-source';
import { insertEvent } from '../src/db/repositories/webhook-deliveries';
import type { OrderWithParcels } from '../src/db/rows';
import { presentEvent } from '../src/presenters/events';
import { presentOrder } from '../src/presenters/orders';
import { newId } from '../src/security/ids';
import type { ToDeliver } from './contract';

/**
 * Writes the event of the order's present status with its frozen body, and one delivery per endpoint that listens, in the
 * caller's transaction (ruling 35).
 * @returns ids of the deliveries to start.
 */
export function writeEvent(sql: Sql, order: OrderWithParcels, sequence: number, now: Date): Promise<string[]> {
  const id = newId('evt');
  const type = `order.${order.status}`;
  const body = presentEvent({ id, type, createdAt: now, environment: order.environment, sequence, data: presentOrder(order) });
  return insertEvent(sql, { id, orderId: order.id, accountId: order.account_id, environment: order.environment, sequence, type, body, createdAt: now });
}

/** Adds the deliveries to start, where there are any: most orders have no endpoint, and their histories stay short. */
export function withDeliveries<T extends object>(result: T, deliveries: string[]): T & ToDeliver {
  return deliveries.length === 0 ? result : { ...result, deliveries };
}
