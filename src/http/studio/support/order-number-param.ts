import type { Sql } from '../../../db/database';
import { findOrderIdByNumber } from '../../../db/repositories/studio-orders';
import { readNumber } from '../../../domain/order-number';

type Params = Record<string, string>;

/**
 * Replaces an order number in the path with the id of the order, for all endpoints below `/orders/{id}/`. Digits alone are a live order. An
 * unknown number stays, so the endpoint returns NOT_FOUND.
 */
export async function resolveOrderNumber(sql: Sql, path: string, params: Params): Promise<Params> {
  const { id } = params;
  if (id === undefined || !path.startsWith('/orders/:id/')) return params;
  const number = readNumber('order', id, 'live');
  return number === null ? params : { ...params, id: (await findOrderIdByNumber(sql, number)) ?? id };
}
