import { listStudioOrders, type StudioOrderFilter } from '../../../db/repositories/studio-orders';
import { ENVIRONMENTS } from '../../../domain/limits';
import { ORDER_STATUSES } from '../../../domain/order-status';
import { presentStudioOrder, presentStudioOrderRow } from '../../../presenters/studio-orders';
import { once, queryError } from '../../cursor';
import { textIssue } from '../../../domain/field-forms';
import type { Answer } from '../../types';
import { viewOrder } from '../order-view';
import { answerPage, markByAge } from '../paging';
import type { StudioRequest } from '../types';
import { idOf, oneOf } from '../query';

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
  const accountId = idOf(query, 'accountId', 'acc', 'an account');
  return {
    environment: oneOf(query, 'environment', ENVIRONMENTS) ?? 'live',
    status: oneOf(query, 'status', ORDER_STATUSES),
    accountId,
    text: searchText(query),
  };
}

function searchText(query: URLSearchParams): string | null {
  const given = once(query, 'q');
  const problem = given === null ? null : textIssue(given, 1, 200);
  if (problem !== null) throw queryError('q', problem);
  return given;
}
