import type { Sql } from '../../../db/database';
import { orderIdOfNumber } from '../../../db/repositories/studio-orders';
import { WHOLE_ORDER_NUMBER } from '../../../domain/order-number';

type Params = Record<string, string>;

/**
 * The same names, where an order is named by its number by its id: the one place for all endpoints below `/orders/{id}`. A number that no
 * order has stays, and names nothing.
 */
export async function namedOrder(sql: Sql, path: string, params: Params): Promise<Params> {
  const { id } = params;
  if (id === undefined || !/^\/orders\/:id(\/|$)/.test(path) || !WHOLE_ORDER_NUMBER.test(id)) return params;
  return { ...params, id: (await orderIdOfNumber(sql, id)) ?? id };
}
