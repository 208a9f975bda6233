import { findOrdersByIdOrNumber, type OrderInBatch } from '../../../db/repositories/studio-orders';
import { validationError } from '../../../domain/errors';
import { assertTokenRateLimit } from './admission';
import type { StudioRequest } from './types';

const ORDERS_PER_REQUEST = 10;

/** Counts ten orders as one request. Admission has counted the first request. @throws ApiError RATE_LIMITED */
export async function chargeBatch({ deps, caller }: StudioRequest, endpoint: string, orders: number): Promise<void> {
  const furtherRequests = Math.ceil(orders / ORDERS_PER_REQUEST) - 1;
  if (furtherRequests > 0) await assertTokenRateLimit(deps, `studio ${endpoint}`, caller.tokenId, furtherRequests);
}

/**
 * The existing orders among these ids and numbers, all of one environment: the floor could print a test order among live ones.
 * @throws ApiError VALIDATION_ERROR at `path`, which names the test orders, if both environments are mixed
 */
export async function loadBatchOrders({ deps }: StudioRequest, path: string, names: readonly string[]): Promise<OrderInBatch[]> {
  const orders = await findOrdersByIdOrNumber(deps.database, names);
  const testOrders = orders.filter(({ environment }) => environment === 'test');
  if (testOrders.length === 0 || testOrders.length === orders.length) return orders;
  const numbers = testOrders.map(({ order_number: number }) => number).toSorted();
  throw validationError([
    { path, message: `must be orders of one environment; send these test orders separately from the live ones: ${numbers.join(', ')}` },
  ]);
}
