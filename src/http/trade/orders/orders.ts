import type Joi from 'joi';
import type { Prefetch } from '../../../db/repositories/admission';
import {
  findOrder,
  listOrders as listOrderRows,
  newestOrdersOfCaller,
  type OrderFilter,
  orderOfCaller,
} from '../../../db/repositories/orders';
import type { OrderWithParcels } from '../../../db/rows';
import { validationError, type ValidationIssue } from '../../../domain/errors';
import { timeIssue } from '../../../domain/field-forms';
import { LIMITS } from '../../../domain/limits';
import { ORDER_STATUSES } from '../../../domain/order-status';
import { presentOrder } from '../../../presenters/orders';
import { readLimit } from '../../cursor';
import { ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import type { Parameter } from '../../openapi/operation';
import { ORDER } from '../../openapi/resources';
import { answerPage, markByAge, ROWS_AT_ONCE } from '../../paging';
import { found, identifierIn } from '../../path-id';
import { PAGE } from '../../schemas/paging';
import { checked, oneOfField, textField } from '../../schemas/text';
import { type Answer, type EndpointRow, prefetching, type RequestHead, type TradeRequest } from '../../types';

/** A time in a query, where a plus sign means a space. */
const queryTime = (): Joi.Schema =>
  checked({ kind: 'timestamp' }, (value) => {
    const issue = timeIssue(value);
    return issue !== null && String(value).includes(' ') ? `${issue}; a plus sign is sent as %2B` : issue;
  });

/** What `GET /orders` filters by (specification "GET /orders", ruling 61). */
const ORDER_FILTERS = {
  status: oneOfField(ORDER_STATUSES).description('orders that have it now'),
  createdAfter: queryTime().description('orders created then or later'),
  createdBefore: queryTime().description('orders created earlier than that'),
  externalReference: textField(0, LIMITS.externalReferenceLength).description('orders with a line of exactly this reference'),
} as const;

export const orderIdParameter: Parameter = { schema: json.string(), description: 'of the order', example: ORDER_EXAMPLE.orderId };

export const ORDERS_ENDPOINTS: readonly EndpointRow[] = [
  prefetching({
    method: 'GET',
    path: '/orders',
    scope: 'orders:read',
    perMinute: 120,
    status: 200,
    prefetch: pageOne,
    contract: {
      id: 'listOrders',
      tag: 'Orders',
      summary: "The account's orders of the key's environment, newest first",
      description:
        'Filters narrow together. A cursor keeps the filters it was given for: send it alone or with the same ones; with others it is refused.',
      answer: { type: 'array', items: ORDER },
      paged: true,
      example: { answer: [ORDER_EXAMPLE] },
    },
    query: { ...PAGE, ...ORDER_FILTERS },
    handler: listOrders,
  }),
  prefetching({
    method: 'GET',
    path: '/orders/:id',
    scope: 'orders:read',
    perMinute: 120,
    status: 200,
    prefetch: orderNamed,
    contract: {
      id: 'getOrder',
      tag: 'Orders',
      summary: 'One order as it is now',
      params: { id: orderIdParameter },
      answer: ORDER,
      example: { answer: ORDER_EXAMPLE },
    },
    handler: getOrder,
  }),
  prefetching({
    method: 'POST',
    path: '/orders/:id/cancel',
    scope: 'orders:write',
    perMinute: 30,
    status: 200,
    prefetch: orderNamed,
    contract: {
      id: 'cancelOrder',
      tag: 'Orders',
      summary: 'Cancel an order that was not shipped, printed or paid',
      description: 'Cancelling a cancelled order is 200 with the order. No body is read.',
      params: { id: orderIdParameter },
      answer: ORDER,
      refuses: ['ORDER_NOT_CANCELLABLE'],
      example: { answer: { ...ORDER_EXAMPLE, status: 'cancelled', cancellable: { now: false, blockers: ['cancelled'] } } },
    },
    handler: cancelOrder,
  }),
];

/**
 * The first page of all orders is read together with the admission. Later ones are not: whether a cursor is genuine depends on who sends
 * it.
 */
function pageOne({ query }: RequestHead): Prefetch<OrderWithParcels> | null {
  const limit = query.has('cursor') || hasOrderFilter(query) ? null : readLimit(query);
  return limit === null ? null : newestOrdersOfCaller(Math.min(limit + 1, ROWS_AT_ONCE));
}

/** The order is read together with the admission, in one round trip. */
export function orderNamed({ params }: RequestHead): Prefetch<OrderWithParcels> | null {
  const id = identifierIn(params, 'ord');
  return id === null ? null : orderOfCaller(id);
}

/** `GET /orders`: orders of this account and environment, newest first; a cursor keeps the filters (rulings 10 and 61). */
async function listOrders(request: TradeRequest<unknown, OrderWithParcels>): Promise<Answer> {
  const { deps, caller, prefetched, query } = request;
  const { accountId, environment } = caller;
  const asked = readOrderFilter(query);
  return answerPage(request, {
    name: `orders/${accountId}/${environment}`,
    filters: asked === null ? null : JSON.stringify(asked),
    find: async (limit, after, filters) =>
      after === null && prefetched !== null
        ? prefetched
        : listOrderRows(deps.database, caller, filters === '' ? {} : (JSON.parse(filters) as OrderFilter), { limit, after }),
    mark: markByAge,
    present: presentOrder,
  });
}

async function getOrder(request: TradeRequest<unknown, OrderWithParcels>): Promise<Answer> {
  return { data: presentOrder(orderOf(request)) };
}

/** The order that the path names, as it was read with the admission. @throws ApiError NOT_FOUND */
export function orderOf<B>(request: TradeRequest<B, OrderWithParcels>): OrderWithParcels {
  return found(request, 'ord', request.prefetched?.[0]);
}

/** `POST /orders/{id}/cancel`: the workflow decides. An order that already reads cancelled is answered as it is (ruling 30). */
async function cancelOrder(request: TradeRequest<unknown, OrderWithParcels>): Promise<Answer> {
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

const FILTERS = Object.keys(ORDER_FILTERS) as (keyof OrderFilter)[];

const hasOrderFilter = (query: URLSearchParams): boolean => FILTERS.some((name) => query.has(name));

/** The filters that a request names, or null where it names none. @throws ApiError VALIDATION_ERROR with all that is wrong with them */
export function readOrderFilter(query: URLSearchParams): OrderFilter | null {
  const issues = FILTERS.flatMap((name) => issueOf(name, query.getAll(name)));
  if (issues.length > 0) throw validationError(issues);
  if (!hasOrderFilter(query)) return null;
  const named = FILTERS.flatMap((name) => query.getAll(name).map((text) => [name, isTime(name) ? wholeMs(text) : text]));
  return Object.fromEntries(named) as OrderFilter;
}

function issueOf(name: keyof OrderFilter, [text, more]: string[]): ValidationIssue[] {
  if (text === undefined) return [];
  const message = more === undefined ? ORDER_FILTERS[name].validate(text).error?.message : 'must be given once';
  return message === undefined ? [] : [{ path: `query.${name}`, message }];
}

const isTime = (name: keyof OrderFilter): boolean => name === 'createdAfter' || name === 'createdBefore';

/** Times of orders have milliseconds: what is after or before a part of one is so of the next whole one. */
function wholeMs(time: string): string {
  const beyondMs = /\.\d{3}(\d+)/.exec(time)?.[1] ?? '';
  return new Date(Date.parse(time) + (/[1-9]/.test(beyondMs) ? 1 : 0)).toISOString();
}
