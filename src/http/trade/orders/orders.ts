import { findOrder, listOrders as listOrderRows, type OrderFilter } from '../../../db/repositories/orders';
import type { OrderWithRelations } from '../../../db/rows';
import { clientCancel } from '../../../domain/order-messages/cancelled';
import { timeIssue } from '../../../domain/field-formats';
import { newId } from '../../../security/ids';
import { LIMITS } from '../../../domain/limits';
import { ORDER_STATUSES } from '../../../domain/order-status';
import { sendMessage } from '../../../orders/send-message';
import { presentOrder } from '../../../presenters/orders';
import { ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { ORDER } from '../../openapi/resources';
import { readFilters } from '../../filters';
import { afterChange } from '../../overload';
import { respondWithPage, cursorByAge } from '../../paging';
import { requireFound, pathId } from '../../path-id';
import { PAGE_PARAMETERS } from '../../schemas/paging';
import { checkedField, type Field, singleLineTextField, oneOfField } from '../../schemas/text';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';

/** A time in a query. If a plus sign of an offset was not encoded, it arrives as a space, and the error says so. */
const queryTimeField = (): Field =>
  checkedField({ kind: 'timestamp' }, (value) => {
    const issue = timeIssue(value);
    return issue !== null && String(value).includes(' ') ? `${issue}; encode a plus sign as %2B` : issue;
  });

const ORDER_FILTERS = {
  status: oneOfField(ORDER_STATUSES).description('only orders with this status'),
  createdAfter: queryTimeField().description('only orders created at this time or later'),
  createdBefore: queryTimeField().description('only orders created before this time'),
  reference: singleLineTextField(1, LIMITS.referenceLength).description('only orders with exactly this reference'),
  externalReference: singleLineTextField(0, LIMITS.externalReferenceLength).description(
    'only orders with a line of exactly this reference',
  ),
} as const;

export const ORDERS_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/orders',
    scope: 'orders:read',
    perMinute: 120,
    id: 'listOrders',
    summary: 'List orders',
    description:
      'Lists the orders in the environment of the key, the newest first. An order must match all filters. A cursor keeps its filters: send it alone or with the same filters. Other filters are refused.',
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
    summary: 'Retrieve an order',
    response: ORDER,
    handler: async (request) => ({ data: presentOrder(await loadOrder(request)) }),
  },
  {
    method: 'POST',
    path: '/orders/:id/cancel',
    scope: 'orders:write',
    queue: 'messages',
    perMinute: 30,
    id: 'cancelOrder',
    summary: 'Cancel an order',
    description:
      'An order can be cancelled until it is shipped, printed or paid. If the order is already cancelled, the response is 200 with the order. The request needs no body.',
    response: ORDER,
    errorCodes: ['ORDER_NOT_CANCELLABLE', 'SERVICE_UNAVAILABLE'],
    example: {
      ...ORDER_EXAMPLE,
      status: 'cancelled',
      cancellable: { now: false, blockers: ['cancelled'] },
      cancelledAt: '2026-03-02T02:00:00.000Z',
    },
    handler: cancelOrder,
  },
];

/** The cursor contains the filters. */
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

/** @throws ApiError NOT_FOUND */
export async function loadOrder<B>(request: TradeRequest<B>): Promise<OrderWithRelations> {
  const { deps, caller } = request;
  return requireFound(request, 'ord', await findOrder(deps.database, caller.accountId, caller.environment, pathId(request, 'ord')));
}

/** The order's workflow decides whether the order can be cancelled. */
async function cancelOrder(request: TradeRequest): Promise<HandlerResponse> {
  const order = await loadOrder(request);
  if (order.status === 'cancelled') return { data: presentOrder(order) };
  const { deps, caller, requestId } = request;
  const sender = { credentialId: caller.keyId, badgeId: null, requestId };
  await sendMessage(deps, { orderId: order.id, message: clientCancel(newId('msg')), sender });
  return { data: presentOrder(await afterChange(() => reloadOrder(request, order))) };
}

/** Reads the current state of the order. */
export async function reloadOrder({ deps, caller }: TradeRequest, { id }: OrderWithRelations): Promise<OrderWithRelations> {
  const order = await findOrder(deps.database, caller.accountId, caller.environment, id);
  if (order === null) throw new Error(`order ${id} is gone`);
  return order;
}

/** Null without filters. @throws ApiError VALIDATION_ERROR with all issues */
export function readOrderFilter(query: URLSearchParams): OrderFilter | null {
  const entries = Object.entries(readFilters(query, ORDER_FILTERS)).map(([name, text]) => [name, isTime(name) ? roundUpToMs(text) : text]);
  return entries.length === 0 ? null : (Object.fromEntries(entries) as OrderFilter);
}

const isTime = (name: string): boolean => name === 'createdAfter' || name === 'createdBefore';

/** Stored times have milliseconds, so a finer time is rounded up to the next one. */
function roundUpToMs(time: string): string {
  const subMsDigits = /\.\d{3}(\d+)/.exec(time)?.[1] ?? '';
  return new Date(Date.parse(time) + (/[1-9]/.test(subMsDigits) ? 1 : 0)).toISOString();
}
