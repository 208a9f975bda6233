import type { OrderCounts } from '../db/repositories/order-counts';
import type { Environment } from '../domain/limits';
import { ORDER_STATUSES, type OrderStatus } from '../domain/order-status';

/** How many orders there are now, of each status, late, and with something that needs a person (studio API "Finding orders"). */
export function presentOrderCounts(environment: Environment, { byStatus, late, attention }: OrderCounts) {
  const counts = ORDER_STATUSES.map((status) => [status, byStatus.find((row) => row.status === status)?.orders ?? 0]);
  return { environment, byStatus: Object.fromEntries(counts) as Record<OrderStatus, number>, late, attention };
}
