import { type AttentionFilter, listOpenAttention, resolveAttention, summarizeOpenAttention } from '../../db/repositories/attention';
import { lockAccount } from '../../db/repositories/accounts';
import { clearRepeatedPayments, PAYMENT_REPEATED } from '../../db/repositories/repeated-payments';
import { ATTENTION_CODES, codesAbout } from '../../domain/attention';
import { notFoundError } from '../../domain/errors';
import { ORDER_STATUSES } from '../../domain/order-status';
import { ATTENTION_CSV } from '../../presenters/csv-columns';
import { presentAttentionCount, presentOpenAttention } from '../../presenters/order-records';
import { presentStudioOrder } from '../../presenters/studio-orders';
import { ORDER_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import { type BodyOf, bodySchema, oneOfField, textField } from '../schemas/text';
import { afterChange } from '../overload';
import type { HandlerResponse } from '../types';
import { audited } from './support/audited';
import { defineList } from './support/lists';
import { type Filters, readFilters } from '../filters';
import { ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME } from './support/examples';
import { loadStudioOrder, loadOrderView } from './support/order-view';
import { aboutField, accountIdField, AGE_SORTS, environmentField, TIME_RANGE_FILTERS, resolveTimeRange } from './support/query-filters';
import { ATTENTION_FIELDS, STUDIO_ORDER } from './support/order-resources';
import { ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const resolveRequest = bodySchema({ note: textField(1, 2000).description('the solution, for the audit log') });

const ATTENTION_FILTERS = {
  environment: environmentField,
  code: oneOfField(ATTENTION_CODES).description('only this code'),
  about: aboutField,
  accountId: accountIdField,
  ...TIME_RANGE_FILTERS,
  sort: oneOfField(AGE_SORTS).description('the default is `oldest`'),
} as const;

type OpenAttention = ReturnType<typeof presentOpenAttention>;

const OPEN_ATTENTION = json.resource<OpenAttention>('OpenAttention', {
  ...ATTENTION_FIELDS,
  orderId: [json.id('ord'), ORDER_EXAMPLE.orderId],
  orderNumber: [json.string(), ORDER_EXAMPLE.orderNumber],
  status: [json.openEnum(ORDER_STATUSES), 'shipped'],
  environment: [ENVIRONMENT, 'live'],
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
});

const ATTENTION_COUNT_FILTERS = { environment: environmentField, about: aboutField } as const;

const ATTENTION_COUNT = json.resource<ReturnType<typeof presentAttentionCount>>('AttentionCount', {
  code: [json.openEnum(ATTENTION_CODES), 'ARTWORK_MISSING'],
  open: [json.integer('the open entries'), 3],
  orders: [json.integer('the orders with such entries'), 2],
  oldestSince: [json.time('when the oldest entry was raised'), EXAMPLE_TIME],
});

export const ATTENTION_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...defineList({
    path: '/attention',
    role: 'floor',
    filters: ATTENTION_FILTERS,
    id: 'listAttention',
    summary: 'List open attention',
    description:
      'Lists problems that a person must resolve, the oldest first. It covers live orders unless `environment` is `test`. Cleared entries are not listed.',
    entry: OPEN_ATTENTION,
    links: {
      readOrder: { operationId: 'getOrder', parameters: { id: '$response.body#/data/0/orderId' }, description: 'Retrieves its order.' },
      resolveIt: {
        operationId: 'resolveAttention',
        parameters: { id: '$response.body#/data/0/orderId', code: '$response.body#/data/0/code' },
        description: 'Resolves it.',
      },
    },
    list: (request) => ({
      find: async (filters, page) => listOpenAttention(request.deps.database, await toAttentionFilter(request, filters), page),
      cursorOf: ({ raised_at, id }) => ({ createdAt: raised_at, id: String(id) }),
      present: presentOpenAttention,
    }),
    csv: { id: 'exportAttention', summary: 'Export open attention as CSV', columns: ATTENTION_CSV },
  }),
  {
    method: 'GET',
    path: '/attention/counts',
    role: 'floor',
    query: ATTENTION_COUNT_FILTERS,
    id: 'countAttention',
    summary: 'Count open attention by code',
    description: 'Lists the codes with open attention, the longest open first. It covers live orders unless `environment` is `test`.',
    response: json.list(ATTENTION_COUNT),
    handler: getAttentionCounts,
  },
  {
    method: 'POST',
    path: '/orders/:id/attention/:code/resolve',
    role: 'office',
    body: resolveRequest,
    id: 'resolveAttention',
    summary: 'Resolve attention',
    description:
      'Clears every open entry with this code on the order. The service keeps the actor and the note. `PAYMENT_REPEATED` is cleared on every order that has the payment.',
    response: STUDIO_ORDER,
    errorCodes: ['SERVICE_UNAVAILABLE'],
    requestExample: { note: 'the courier brings it back' },
    handler: postResolution,
  },
];

async function getAttentionCounts({ deps, query }: StudioRequest): Promise<HandlerResponse> {
  const { environment = 'live', about } = readFilters(query, ATTENTION_COUNT_FILTERS);
  const codes = about === undefined ? null : codesAbout(about);
  return { data: (await summarizeOpenAttention(deps.database, { environment, codes }, 0)).map(presentAttentionCount) };
}

async function toAttentionFilter(request: StudioRequest, filters: Filters<typeof ATTENTION_FILTERS>): Promise<AttentionFilter> {
  const { from = null, to = null } = await resolveTimeRange(request, filters);
  return {
    environment: filters.environment ?? 'live',
    codes: requestedCodes(filters),
    accountId: filters.accountId ?? null,
    from,
    to,
    newestFirst: filters.sort === 'newest',
  };
}

/** Null means no filter. */
function requestedCodes({ code, about }: Filters<typeof ATTENTION_FILTERS>): AttentionFilter['codes'] {
  if (code === undefined && about === undefined) return null;
  const codes = about === undefined ? ATTENTION_CODES : codesAbout(about);
  return codes.filter((each) => code === undefined || each === code);
}

/** @throws ApiError NOT_FOUND if the order has no open attention with the code */
async function postResolution(request: StudioRequest<BodyOf<typeof resolveRequest>>): Promise<HandlerResponse> {
  const { deps, caller, body, params } = request;
  const { id: orderId, account_id: accountId, environment } = await loadStudioOrder(deps.database, request);
  const code = ATTENTION_CODES.find((known) => known === params.code);
  if (code === undefined) throw notFoundError(`attention code; the codes are ${ATTENTION_CODES.join(', ')}`);
  await audited(request, async (sql, record) => {
    if (code === PAYMENT_REPEATED) await lockAccount(sql, accountId); // it is cleared on other orders of the account too
    const open = await resolveAttention(sql, { orderId, code }, { name: caller.name, note: body.note, at: deps.clock.now() });
    if (code === PAYMENT_REPEATED) {
      const subjects = open.map(({ subject }) => subject);
      await clearRepeatedPayments(sql, { accountId, environment, subjects }, [], {
        name: caller.name,
        note: body.note,
        at: deps.clock.now(),
      });
    }
    if (open.length === 0) throw notFoundError(`open attention with the code ${code} on this order`);
    const before = { code, open: open.map(({ subject, raised_at: since }) => ({ subject, since: since.toISOString() })) };
    await record({ action: 'attention.resolve', subject: orderId, before, after: { code, open: [], note: body.note } });
  });
  return { data: presentStudioOrder(await afterChange(() => loadOrderView(request))) };
}
