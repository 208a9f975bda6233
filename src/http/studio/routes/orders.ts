import { ATTENTION_ABOUT, codesAbout, type AttentionCode } from '../../../domain/attention';
import type { Environment } from '../../../domain/limits';
import type { OrderStatus } from '../../../domain/order-status';
import { readSearch } from '../../../domain/search-text';
import type { StudioOrderFilter } from '../../../db/repositories/order-list';
import { listStudioOrders } from '../../../db/repositories/studio-order-list';
import type { ListedOrderRow } from '../../../db/repositories/studio-orders';
import { presentStudioOrder, presentStudioOrderRow } from '../../../presenters/studio-orders';
import { ORDER_CSV } from '../../../presenters/csv-columns';
import type { Answer } from '../../types';
import { answerCsv } from '../csv';
import { answerFiltered, type FilteredList, type Filters } from '../filters';
import { timesOf } from '../period';
import { studioDay, viewOrder } from '../order-view';
import { ORDER_FILTERS, ORDER_SORTS } from '../schemas/filters';
import type { StudioRequest } from '../types';

type OrderFilters = Filters<typeof ORDER_FILTERS>;

/** `GET /orders`: the floor's job list is live orders; test orders only when asked for (studio API "Refusals"). */
export async function listOrders(request: StudioRequest): Promise<Answer> {
  return answerFiltered(request, await orderList(request));
}

/** `GET /orders.csv` (ruling 64). */
export async function exportOrders(request: StudioRequest): Promise<Answer> {
  return answerCsv(request, await orderList(request), ORDER_CSV);
}

async function orderList(
  request: StudioRequest,
): Promise<FilteredList<ListedOrderRow, typeof ORDER_FILTERS, ReturnType<typeof presentStudioOrderRow>>> {
  const today = await studioDay(request);
  return {
    name: 'orders',
    schemas: ORDER_FILTERS,
    find: async (filters, page) => {
      const filter = await filterOf(request, filters, today);
      return filter === null ? [] : listStudioOrders(request.deps.database, filter, page);
    },
    mark: (order, { sort }) => ({ createdAt: sort === 'dueDate' ? new Date(order.due_date ?? 0) : order.created_at, id: order.id }),
    present: (order) => presentStudioOrderRow(order, today),
  };
}

/** `GET /orders/{id}`, of any account and environment. */
export async function getOrder(request: StudioRequest): Promise<Answer> {
  return { data: presentStudioOrder(await viewOrder(request)) };
}

function attentionOf({ attention }: OrderFilters): StudioOrderFilter['attention'] {
  if (attention === undefined || attention === 'any') return attention;
  const about = ATTENTION_ABOUT.find((known) => known === attention);
  return about === undefined ? [attention as AttentionCode] : codesAbout(about);
}

/** Null where nothing can match. */
async function filterOf({ deps }: StudioRequest, filters: OrderFilters, today: string): Promise<StudioOrderFilter | null> {
  const environment = (filters.environment ?? 'live') as Environment;
  const searched = filters.q === undefined ? undefined : readSearch(filters.q, environment);
  if (searched === null) return null;
  const [dueBefore] = [filters.dueBefore, filters.late === undefined ? undefined : today].filter((day) => day !== undefined).toSorted();
  const filter = {
    environment,
    status: filters.status as OrderStatus | undefined,
    accountId: filters.accountId,
    attention: attentionOf(filters),
    ...(await timesOf({ deps }, filters)),
    dueFrom: filters.dueFrom,
    dueBefore,
    partShipped: filters.partShipped === undefined ? undefined : true,
    searched,
    sort: ORDER_SORTS.find((sort) => sort === filters.sort),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as unknown as StudioOrderFilter;
}
