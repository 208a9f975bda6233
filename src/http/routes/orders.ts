import type { Prefetch } from '../../db/repositories/admission';
import {
  findOrder,
  listOrders as listOrderRows,
  newestOrdersOfCaller,
  orderOfCaller,
  type OrderFilter,
} from '../../db/repositories/orders';
import type { OrderWithParcels } from '../../db/rows';
import { presentOrder } from '../../presenters/orders';
import { readLimit } from '../cursor';
import { answerPage, markByAge } from '../paging';
import type { Answer, RequestHead, TradeRequest } from '../types';
import { found, identifierIn } from '../path-id';
import { hasOrderFilter, readOrderFilter } from './order-filter';

/**
 * The first page of all orders is read together with the admission. Later ones are not: whether a cursor is genuine depends on who sends
 * it.
 */
export function pageOne({ query }: RequestHead): Prefetch<OrderWithParcels> | null {
  const limit = query.has('cursor') || hasOrderFilter(query) ? null : readLimit(query);
  return limit === null ? null : newestOrdersOfCaller(limit + 1);
}

/** The order is read together with the admission, in one round trip. */
export function orderNamed({ params }: RequestHead): Prefetch<OrderWithParcels> | null {
  const id = identifierIn(params, 'ord');
  return id === null ? null : orderOfCaller(id);
}

/** `GET /orders`: orders of this account and environment, newest first; a cursor keeps the filters (rulings 10 and 61). */
export async function listOrders(request: TradeRequest<unknown, OrderWithParcels>): Promise<Answer> {
  const { deps, caller, prefetched, query } = request;
  const { accountId, environment } = caller;
  const asked = readOrderFilter(query);
  return answerPage(request, {
    name: `orders/${accountId}/${environment}`,
    filters: asked === null ? null : JSON.stringify(asked),
    find: async (limit, after, filters) =>
      prefetched ?? listOrderRows(deps.database, caller, filters === '' ? {} : (JSON.parse(filters) as OrderFilter), { limit, after }),
    mark: markByAge,
    present: presentOrder,
  });
}

export async function getOrder(request: TradeRequest<unknown, OrderWithParcels>): Promise<Answer> {
  return { data: presentOrder(orderOf(request)) };
}

/** The order that the path names, as it was read with the admission. @throws ApiError NOT_FOUND */
export function orderOf<B>(request: TradeRequest<B, OrderWithParcels>): OrderWithParcels {
  return found(request, 'ord', request.prefetched?.[0]);
}

/** `POST /orders/{id}/cancel`: the workflow decides. An order that already reads cancelled is answered as it is (ruling 30). */
export async function cancelOrder(request: TradeRequest<unknown, OrderWithParcels>): Promise<Answer> {
  const order = orderOf(request);
  if (order.status === 'cancelled') return { data: presentOrder(order) };
  const { deps, requestId } = request;
  await deps.temporal.orders.cancel(order.id, requestId);
  return { data: presentOrder(await reloadOrder(request, order)) };
}

/** The same order as it is by now. */
export async function reloadOrder({ deps, caller }: TradeRequest, { id }: OrderWithParcels): Promise<OrderWithParcels> {
  const order = await findOrder(deps.database, caller.accountId, caller.environment, id);
  if (order === null) throw new Error(`order ${id} is gone`);
  return order;
}
