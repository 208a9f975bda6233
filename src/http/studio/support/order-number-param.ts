import type { Sql } from '../../../db/database';
import { findOrderIdByNumber } from '../../../db/repositories/studio-orders';
import { ORDER_NUMBER } from '../../../domain/order-number';

type Params = Record<string, string>;

/**
 * Replaces an order number in the path with the id of the order, for all endpoints below `/orders/{id}`. An unknown number stays, so the
 * endpoint returns NOT_FOUND.
 */
export async function resolveOrderNumber(sql: Sql, path: string, params: Params): Promise<Params> {
  const { id } = params;
  if (id === undefined || !/^\/orders\/:id(\/|$)/.test(path) || !ORDER_NUMBER.test(id)) return params;
  return { ...params, id: (await findOrderIdByNumber(sql, id)) ?? id };
}
