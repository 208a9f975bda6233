import { countOrders } from '../../db/repositories/order-counts';
import type { StudioOrderFilter } from '../../db/repositories/order-list';
import { toSearchForm } from '../../db/repositories/order-search';
import { listStudioOrders } from '../../db/repositories/studio-order-list';
import type { Page } from '../../db/keyset';
import { findArtworkByUrl, type ListedOrderRow } from '../../db/repositories/studio-orders';
import { ATTENTION_ABOUT, ATTENTION_CODES, type AttentionCode, codesAbout } from '../../domain/attention';
import { CATALOGUE_ID } from '../../domain/catalogue';
import { type Material, MATERIAL_SECTIONS } from '../../domain/materials';
import { ApiError } from '../../domain/errors';
import { PREVIEW_SIZES } from '../../domain/inspection';
import { formatLine } from '../../domain/line-quantities';
import { parseOrderReference } from '../../domain/order-number';
import { ORDER_STATUSES } from '../../domain/order-status';
import { STAGES } from '../../domain/stages';
import { parseSearch } from '../../domain/search-text';
import { ORDER_CSV } from '../../presenters/csv-columns';
import { presentOrderCounts } from '../../presenters/stats';
import { presentStudioOrder, presentStudioOrderRow } from '../../presenters/studio-orders';
import * as json from '../openapi/json';
import { pathLine, requireFound } from '../path-id';
import { oneOfField, patternField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { defineList } from './support/lists';
import { type Filters, readFilters } from '../filters';
import { NO_ORDERS_BY_STATUS } from './support/examples';
import { dayField } from './support/fields';
import { studioToday } from './support/book-in-force';
import { loadStudioOrder, loadOrderView } from './support/order-view';
import {
  aboutField,
  accountIdField,
  environmentField,
  FORMER_NEWEST_SORT,
  TIME_RANGE_FILTERS,
  searchTextField,
  resolveTimeRange,
} from './support/query-filters';
import { countsSchema, ENVIRONMENT } from './support/resources';
import { STUDIO_ORDER, STUDIO_ORDER_FIELDS, type StudioOrderRow } from './support/order-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const ORDER_SORTS = ['newest', 'oldest', 'dueDate'] as const;

const MATERIAL_NAME = new RegExp(`^(${MATERIAL_SECTIONS.join('|')})/${CATALOGUE_ID.source.slice(1)}`);

export const ORDER_FILTERS = {
  environment: environmentField,
  status: oneOfField(ORDER_STATUSES).description('`completed` includes completed orders that read `shipped`; `shipped` excludes them'),
  accountId: accountIdField,
  attention: oneOfField(['any', ...ATTENTION_ABOUT, ...ATTENTION_CODES]).description(
    'orders with open attention: a code, `work`, `messages`, `money`, or `any`',
  ),
  ...TIME_RANGE_FILTERS,
  dueFrom: dayField().description('only unshipped orders due on that day or later'),
  dueBefore: dayField().description('only unshipped orders due before that day'),
  late: oneOfField(['true']).description("only unshipped orders due before today on the studio's calendar"),
  partShipped: oneOfField(['true']).description('only shipped, uncompleted orders with pieces that are in no parcel'),
  material: patternField(MATERIAL_NAME, 'a section of materials and an id, such as mouldings/moulding-oak-natural-20').description(
    'only orders with a line that still needs this material: section and id, such as `mouldings/moulding-oak-natural-20`',
  ),
  stage: oneOfField(['none', ...STAGES]).description(
    'only unshipped orders whose last complete stage is this one; `none` lists those that are not printed completely or further',
  ),
  q: searchTextField().description(
    'words in any order, each part of a number, recipient, address, phone number, account, reference, payment, amount or note; or a complete id',
  ),
  sort: oneOfField([...ORDER_SORTS, FORMER_NEWEST_SORT]).description(
    'the default is `newest`, also named `createdAt`; `dueDate` lists unshipped orders only, the earliest first',
  ),
} as const;

const ORDER_COUNT_FILTERS = { environment: environmentField, about: aboutField } as const;

const STUDIO_ORDER_ROW = json.resource<StudioOrderRow>('StudioOrderRow', STUDIO_ORDER_FIELDS);

type OrderCounts = ReturnType<typeof presentOrderCounts>;

const ORDER_COUNTS = json.resource<OrderCounts>('OrderCounts', {
  environment: [ENVIRONMENT, 'live'],
  byStatus: [
    { ...countsSchema(ORDER_STATUSES), description: 'each count stops at 10,000' },
    { ...NO_ORDERS_BY_STATUS, received: 3, in_production: 2, shipped: 4, completed: 10_000, cancelled: 1 },
  ],
  late: [json.integer('unshipped orders due before today; the count stops at 10,000'), 1],
  attention: [json.integer('orders with open attention; the count stops at 10,000'), 2],
});

const PREVIEW_QUERY = {
  size: oneOfField(PREVIEW_SIZES).description(
    'the default is `large`, with at most 1,600 pixels on the longer side; `small` has at most 320.',
  ),
} as const;

const FIRST_ORDER = '$response.body#/data/0/orderId';

export const ORDERS_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...defineList({
    path: '/orders',
    role: 'floor',
    filters: ORDER_FILTERS,
    id: 'listOrders',
    summary: 'List orders',
    description: 'Lists the newest first, of the live environment unless `environment` is `test`.',
    entry: STUDIO_ORDER_ROW,
    links: {
      readIt: { operationId: 'getOrder', parameters: { id: FIRST_ORDER }, description: 'Retrieves the newest order.' },
      reportIt: { operationId: 'recordMilestone', parameters: { id: FIRST_ORDER }, description: 'Records a milestone on it.' },
      packIt: { operationId: 'addParcel', parameters: { id: FIRST_ORDER }, description: 'Records a parcel of it.' },
      payIt: { operationId: 'recordPayment', parameters: { id: FIRST_ORDER }, description: 'Records a payment for it.' },
    },
    list: async (request) => {
      const { today, ...orders } = await listOrdersBy(request);
      return { ...orders, present: (order: ListedOrderRow) => presentStudioOrderRow(order, today) };
    },
    csv: { id: 'exportOrders', summary: 'Export orders as CSV', columns: ORDER_CSV },
  }),
  {
    method: 'GET',
    path: '/orders/counts',
    role: 'floor',
    query: ORDER_COUNT_FILTERS,
    id: 'countOrders',
    summary: 'Count orders by status',
    description:
      'Counts orders of any age, of the live environment unless `environment` is `test`. Each count stops at 10,000, which means 10,000 or more.',
    response: ORDER_COUNTS,
    handler: getOrderCounts,
  },
  {
    method: 'GET',
    path: '/orders/:id',
    role: 'floor',
    id: 'getOrder',
    summary: 'Retrieve an order',
    response: STUDIO_ORDER,
    handler: getOrder,
  },
  {
    method: 'GET',
    path: '/orders/:id/lines/:n/preview',
    role: 'floor',
    query: PREVIEW_QUERY,
    id: 'getLinePreview',
    summary: 'Download the preview of a line',
    description:
      'The picture is upright and in sRGB. Without a preview the response is 404 with the reason. Examples: the artwork is not inspected yet, is a TIFF with a rare compression, or is not a picture.',
    response: json.FILE,
    mediaType: 'image/webp',
    // The board shows previews of new orders although nobody may be at the page.
    unattended: true,
    handler: getLinePreview,
  },
];

type OrderFilters = Filters<typeof ORDER_FILTERS> & { readonly orderNumbers?: string };

/** The orders of a list with `ORDER_FILTERS`. */
export async function listOrdersBy(request: StudioRequest) {
  const today = await studioToday(request);
  return {
    today,
    find: async (filters: OrderFilters, page: Page): Promise<ListedOrderRow[]> => {
      const filter = await toOrderFilter(request, filters, today);
      return filter === null ? [] : listStudioOrders(request.deps.database, filter, page);
    },
    cursorOf: (
      { id, due_date: dueDate, created_at: createdAt }: Pick<ListedOrderRow, 'id' | 'due_date' | 'created_at'>,
      { sort }: OrderFilters,
    ) => ({
      createdAt: sort === 'dueDate' ? new Date(dueDate ?? 0) : createdAt,
      id,
    }),
  };
}

function requestedAttention({ attention }: OrderFilters): StudioOrderFilter['attention'] {
  if (attention === undefined || attention === 'any') return attention;
  const about = ATTENTION_ABOUT.find((known) => known === attention);
  return about === undefined ? [attention as AttentionCode] : codesAbout(about);
}

function toMaterial(name: string | undefined): Material | undefined {
  const [first, id = ''] = name?.split('/') ?? [];
  const section = MATERIAL_SECTIONS.find((known) => known === first);
  return section && { section, id };
}

/** Returns null if no order can match the filters. */
async function toOrderFilter(request: StudioRequest, filters: OrderFilters, today: string): Promise<StudioOrderFilter | null> {
  const environment = filters.environment ?? 'live';
  const search = filters.q === undefined ? undefined : parseSearch(await toSearchForm(request.deps.database, filters.q), environment);
  if (search === null) return null;
  const [dueBefore] = [filters.dueBefore, filters.late === undefined ? undefined : today].filter((day) => day !== undefined).toSorted();
  const filter = {
    environment,
    status: filters.status,
    accountId: filters.accountId,
    attention: requestedAttention(filters),
    ...(await resolveTimeRange(request, filters)),
    dueFrom: filters.dueFrom,
    dueBefore,
    partShipped: filters.partShipped === undefined ? undefined : true,
    material: toMaterial(filters.material),
    stage: filters.stage,
    orderNumbers: filters.orderNumbers?.split(','),
    search,
    sort: ORDER_SORTS.find((sort) => sort === filters.sort),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as unknown as StudioOrderFilter;
}

/** Finds the order by id or number in one round trip. */
async function getOrder(request: StudioRequest): Promise<HandlerResponse> {
  const by = requireFound(request, 'ord', parseOrderReference(request.params.id ?? ''));
  return { data: presentStudioOrder(await loadOrderView(request, by)) };
}

async function getOrderCounts(request: StudioRequest): Promise<HandlerResponse> {
  const { deps, query } = request;
  const { environment = 'live', about } = readFilters(query, ORDER_COUNT_FILTERS);
  const codes = about === undefined ? null : codesAbout(about);
  const today = await studioToday(request);
  return { data: presentOrderCounts(environment, await countOrders(deps.database, { environment, codes, today })) };
}

async function getLinePreview(request: StudioRequest): Promise<HandlerResponse> {
  const { size } = readFilters(request.query, PREVIEW_QUERY);
  const { database, storage } = request.deps;
  const order = await loadStudioOrder(database, request);
  const line = pathLine(request.params['n'], order.jobs.length);
  const url = order.jobs[line]?.imageUrl ?? null;
  const artwork = url === null ? null : await findArtworkByUrl(database, order.account_id, url);
  if (artwork === null) throw noPreviewError(line, 'it has no artwork');
  const { inspection } = artwork;
  if (inspection === null) throw noPreviewError(line, 'its artwork has not been inspected yet; try again a minute after the upload');
  if (inspection.reason !== null) throw noPreviewError(line, inspection.reason);
  const bytes = await storage.readPreview(artwork.storage_key, size ?? 'large');
  if (bytes === null) throw noPreviewError(line, 'the artwork store no longer has it; open artworkUrl of the job');
  return { file: { contentType: 'image/webp', bytes } };
}

function noPreviewError(line: number, reason: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no preview of ${formatLine(line)}: ${reason}.`);
}
