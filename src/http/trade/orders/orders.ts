import { findOrder, listOrders as listOrderRows, type OrderFilter } from '../../../db/repositories/orders';
import type { OrderWithParcels } from '../../../db/rows';
import { timeIssue } from '../../../domain/field-formats';
import { LIMITS } from '../../../domain/limits';
import { ORDER_STATUSES } from '../../../domain/order-status';
import { presentOrder } from '../../../presenters/orders';
import { ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { ORDER } from '../../openapi/resources';
import { readFilters } from '../../filters';
import { respondWithPage, cursorByAge } from '../../paging';
import { requireFound, pathId } from '../../path-id';
import { PAGE_PARAMETERS } from '../../schemas/paging';
import { checkedField, type Field, machineTextField, oneOfField } from '../../schemas/text';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';

/** A time in a query, where a plus sign means a space. */
const queryTimeField = (): Field =>
  checkedField({ kind: 'timestamp' }, (value) => {
    const issue = timeIssue(value);
    return issue !== null && String(value).includes(' ') ? `${issue}; a plus sign is sent as %2B` : issue;
  });

/** Ruling 61. */
const ORDER_FILTERS = {
  status: oneOfField(ORDER_STATUSES).description('orders that have it now'),
  createdAfter: queryTimeField().description('orders created then or later'),
  createdBefore: queryTimeField().description('orders created earlier than that'),
  externalReference: machineTextField(0, LIMITS.externalReferenceLength).description('orders with a line of exactly this reference'),
} as const;

export const ORDERS_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/orders',
    scope: 'orders:read',
    perMinute: 120,
    id: 'listOrders',
    summary: "The account's orders of the key's environment, newest first",
    description:
      'Filters narrow together. A cursor keeps the filters it was given for: send it alone or with the same ones; with others it is refused.',
    response: json.list(ORDER),
    paged: true,
    query: { ...PAGE_PARAMETERS, ...ORDER_FILTERS },
    handler: listOrders,
  },
  {
    method: 'GET',
    path: '/orders/:id',
    scope: 'orders:read',
    perMinute: 120,
    id: 'getOrder',
    summary: 'One order as it is now',
    response: ORDER,
    handler: getOrder,
  },
  {
    method: 'POST',
    path: '/orders/:id/cancel',
    scope: 'orders:write',
    perMinute: 30,
    id: 'cancelOrder',
    summary: 'Cancel an order that was not shipped, printed or paid',
    description: 'Cancelling a cancelled order is 200 with the order. No body is read.',
    response: ORDER,
    errorCodes: ['ORDER_NOT_CANCELLABLE', 'TEMPORAL_AWAY'],
    example: {
      ...ORDER_EXAMPLE,
      status: 'cancelled',
      cancellable: { now: false, blockers: ['cancelled'] },
      cancelledAt: '2026-03-02T02:00:00.000Z',
    },
    handler: cancelOrder,
  },
];

/** A cursor keeps the filters (rulings 10 and 61). */
async function listOrders(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller, query } = request;
  const { accountId, environment } = caller;
  const filter = readOrderFilter(query);
  return respondWithPage(request, {
    name: `orders/${accountId}/${environment}`,
    filters: filter === null ? null : JSON.stringify(filter),
    find: async (limit, after, filters) =>
      listOrderRows(deps.database, caller, filters === '' ? {} : (JSON.parse(filters) as OrderFilter), { limit, after }),
    cursorOf: cursorByAge,
    present: presentOrder,
  });
}

async function getOrder(request: TradeRequest): Promise<HandlerResponse> {
  return { data: presentOrder(await loadOrder(request)) };
}

/** The order that the path names. @throws ApiError NOT_FOUND */
export async function loadOrder<B>(request: TradeRequest<B>): Promise<OrderWithParcels> {
  const { deps, caller } = request;
  return requireFound(request, 'ord', await findOrder(deps.database, caller.accountId, caller.environment, pathId(request, 'ord')));
}

/** The workflow decides (ruling 30). */
async function cancelOrder(request: TradeRequest): Promise<HandlerResponse> {
  const order = await loadOrder(request);
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

/** The filters that a request names, or null where it names none. @throws ApiError VALIDATION_ERROR with all that is wrong with them */
export function readOrderFilter(query: URLSearchParams): OrderFilter | null {
  const entries = Object.entries(readFilters(query, ORDER_FILTERS)).map(([name, text]) => [name, isTime(name) ? roundUpToMs(text) : text]);
  return entries.length === 0 ? null : (Object.fromEntries(entries) as OrderFilter);
}

const isTime = (name: string): boolean => name === 'createdAfter' || name === 'createdBefore';

/** Times of orders have milliseconds: what is after or before a part of one is so of the next whole one. */
function roundUpToMs(time: string): string {
  const subMsDigits = /\.\d{3}(\d+)/.exec(time)?.[1] ?? '';
  return new Date(Date.parse(time) + (/[1-9]/.test(subMsDigits) ? 1 : 0)).toISOString();
}
