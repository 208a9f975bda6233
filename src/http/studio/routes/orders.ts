import { listStudioOrders, type StudioOrderFilter } from '../../../db/repositories/studio-orders';
import { isIdentifier } from '../../../domain/identifiers';
import { ENVIRONMENTS, type Environment } from '../../../domain/limits';
import { ORDER_STATUSES, type OrderStatus } from '../../../domain/order-status';
import { presentStudioOrder, presentStudioOrderRow } from '../../../presenters/studio-orders';
import { once, queryError } from '../../cursor';
import { textIssue } from '../../../domain/field-forms';
import type { Answer } from '../../types';
import { viewOrder } from '../order-view';
import { answerPage, markByAge } from '../paging';
import type { StudioRequest } from '../types';

/** `GET /orders`: the floor's job list is live orders; test orders only when asked for (studio API "Refusals"). */
export async function listOrders(request: StudioRequest): Promise<Answer> {
  const filter = readFilter(request.query);
  return answerPage(request, {
    name: `orders/${JSON.stringify(filter)}`,
    find: (limit, after) => listStudioOrders(request.deps.database, filter, limit, after),
    mark: markByAge,
    present: presentStudioOrderRow,
  });
}

/** `GET /orders/{id}`, of any account and environment. */
export async function getOrder(request: StudioRequest): Promise<Answer> {
  return { data: presentStudioOrder(await viewOrder(request)) };
}

function readFilter(query: URLSearchParams): StudioOrderFilter {
  const accountId = once(query, 'accountId');
  if (accountId !== null && !isIdentifier('acc', accountId))
    throw queryError('accountId', 'must be the id of an account, such as acc_0123abcd');
  return {
    environment: oneOf<Environment>(query, 'environment', ENVIRONMENTS) ?? 'live',
    status: oneOf<OrderStatus>(query, 'status', ORDER_STATUSES),
    accountId,
    text: searchText(query),
  };
}

function oneOf<T extends string>(query: URLSearchParams, name: string, values: readonly T[]): T | null {
  const given = once(query, name);
  if (given === null) return null;
  const known = values.find((value) => value === given);
  if (known === undefined) throw queryError(name, `must be one of ${values.join(', ')}`);
  return known;
}

function searchText(query: URLSearchParams): string | null {
  const given = once(query, 'q');
  const problem = given === null ? null : textIssue(given, 1, 200);
  if (problem !== null) throw queryError('q', problem);
  return given;
}
