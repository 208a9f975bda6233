import type { Sql } from '../../../db/database';
import { findOrderIdByNumber } from '../../../db/repositories/studio-orders';
import { ORDER_NUMBER } from '../../../domain/order-number';

type Params = Record<string, string>;

/**
 * The same names, where an order is named by its number by its id: the one place for all endpoints below `/orders/{id}`. A number that no
 * order has stays, and names nothing.
 */
export async function resolveOrderNumber(sql: Sql, path: string, params: Params): Promise<Params> {
  const { id } = params;
  if (id === undefined || !/^\/orders\/:id(\/|$)/.test(path) || !ORDER_NUMBER.test(id)) return params;
  return { ...params, id: (await findOrderIdByNumber(sql, id)) ?? id };
}
