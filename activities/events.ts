import type { Sql } from '../src/db/data-source';
import type { OrderWithParcels } from '../src/db/rows';
import { presentEvent } from '../src/presenters/events';
import { presentOrder } from '../src/presenters/orders';
import { newId } from '../src/security/ids';

/** Writes the event of the order's present status with its frozen body, in the caller's transaction (ruling 35). */
export async function writeEvent(sql: Sql, order: OrderWithParcels, sequence: number, now: Date): Promise<void> {
  const id = newId('evt');
  const type = `order.${order.status}`;
  const body = presentEvent({ id, type, createdAt: now, environment: order.environment, sequence, data: presentOrder(order) });
  await sql.query(
    `INSERT INTO order_events (id, order_id, account_id, environment, sequence, type, body, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, order.id, order.account_id, order.environment, sequence, type, body, now],
  );
}
