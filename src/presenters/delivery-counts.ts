import type { DeliveryCount } from '../db/repositories/delivery-counts';
import type { Environment } from '../domain/limits';
import { UNDELIVERED, type Undelivered } from '../domain/webhook-rules';

/** How many deliveries there are now in each state but `delivered` (studio API "Endpoints"). */
export function presentDeliveryCounts(environment: Environment, found: readonly DeliveryCount[]) {
  const counts = UNDELIVERED.map((state) => [state, found.find((row) => row.state === state)?.deliveries ?? 0]);
  return { environment, byState: Object.fromEntries(counts) as Record<Undelivered, number> };
}
