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
import { found, identifierIn, pathId } from '../path-id';
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
  const [order] = request.prefetched ?? [];
  return { data: presentOrder(found(request, 'ord', order)) };
}

/** `POST /orders/{id}/cancel`: the workflow decides. An order that already reads cancelled is answered as it is (ruling 30). */
export async function cancelOrder(request: TradeRequest): Promise<Answer> {
  const order = await loadOrder(request);
  if (order.status === 'cancelled') return { data: presentOrder(order) };
  const { deps, requestId } = request;
  await deps.temporal.orders.cancel(order.id, requestId);
  return { data: presentOrder(await loadOrder(request)) };
}

async function loadOrder(request: TradeRequest): Promise<OrderWithParcels> {
  const { deps, caller } = request;
  const order = await findOrder(deps.database, caller.accountId, caller.environment, pathId(request, 'ord'));
  return found(request, 'ord', order);
}
