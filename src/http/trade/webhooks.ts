import type { Sql } from '../../db/database';
import { findOwnDelivery, findStudioDelivery, listOwnDeliveries, type OwnDeliveryRow } from '../../db/repositories/webhook-deliveries';
import { type EndpointView, listEndpoints } from '../../db/repositories/webhook-endpoints';
import { EVENT_TYPES, PING } from '../../domain/events';
import { DELIVERY_STATES, type DeliveryState } from '../../domain/webhook-rules';
import { resendDelivery } from '../../orders/resend-delivery';
import { presentOwnDelivery } from '../../presenters/deliveries';
import { presentOwnEndpoint } from '../../presenters/webhook-endpoints';
import { once, queryError } from '../cursor';
import { EVENT_EXAMPLE, ORDER_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import { answerPage, markByAge } from '../paging';
import { found, pathId } from '../path-id';
import { DELIVERY_PAGE, PAGE } from '../schemas/paging';
import type { Answer, EndpointRow, TradeRequest } from '../types';

const OWN_ENDPOINT_EXAMPLE = {
  id: 'whe_33d8',
  url: 'https://shop.example/hooks/print',
  state: 'enabled',
  disabledReason: null,
  consecutiveFailures: 0,
  secretOverlapUntil: null,
  deliveries: { held: 0, failed: 1 },
  createdAt: '2026-03-01T00:00:00.000Z',
  updatedAt: '2026-03-01T00:00:00.000Z',
};

const OWN_DELIVERY_EXAMPLE = {
  id: 'dlv_70ae',
  endpointId: OWN_ENDPOINT_EXAMPLE.id,
  orderId: ORDER_EXAMPLE.orderId,
  eventId: EVENT_EXAMPLE.id,
  eventType: EVENT_EXAMPLE.type,
  sequence: 3,
  state: 'failed',
  trigger: 'automatic',
  attemptCount: 7,
  lastStatus: 500,
  lastErrorCode: 'bad_status',
  nextAttemptAt: null,
  createdAt: EVENT_EXAMPLE.createdAt,
  completedAt: '2026-03-04T20:21:07.000Z',
};

type OwnEndpoint = ReturnType<typeof presentOwnEndpoint>;

/** Specification "GET /webhook-endpoints", "GET /webhook-deliveries". */
const OWN_ENDPOINT = json.resourceWithExample<OwnEndpoint>('OwnWebhookEndpoint', OWN_ENDPOINT_EXAMPLE, {
  id: json.id('whe', 'names it in `endpointId` of deliveries'),
  url: json.uri('where events are sent'),
  state: json.oneOf(['enabled', 'disabled'], 'events are kept while it is disabled'),
  disabledReason: json.nullable(json.string('why it is disabled')),
  consecutiveFailures: json.integer('deliveries in a row that used up their attempts'),
  secretOverlapUntil: json.nullable(json.time('until when the secret before this one signs too')),
  deliveries: json.object<OwnEndpoint['deliveries']>(
    {
      held: json.integer('kept while it was disabled'),
      failed: json.integer('that used up their attempts'),
    },
    { description: 'how many are kept and can be sent' },
  ),
  createdAt: json.time('when the studio registered it'),
  updatedAt: json.time('when it was last changed'),
});

const OWN_DELIVERY = json.resourceWithExample<ReturnType<typeof presentOwnDelivery>>('OwnDelivery', OWN_DELIVERY_EXAMPLE, {
  id: json.id('dlv', 'for resending'),
  endpointId: json.id('whe', 'the endpoint'),
  orderId: json.id('ord', 'the order that the event is about'),
  eventId: json.id('evt', 'the event'),
  eventType: json.oneOf(
    EVENT_TYPES.filter((type) => type !== PING),
    'type of the event',
  ),
  sequence: json.integer('per order, from 1'),
  state: json.oneOf(DELIVERY_STATES, '`held`: kept, because its endpoint is disabled; `failed`: all attempts are used up'),
  trigger: json.oneOf(['automatic', 'resend', 'recover'], 'why it was last sent'),
  attemptCount: json.integer('since it was last sent anew'),
  lastStatus: json.nullable(json.integer('of the reply to the last attempt')),
  lastErrorCode: json.nullable(json.string('why the last attempt failed; codes may be added')),
  nextAttemptAt: json.nullable(json.time('when it is tried next; null where it is not')),
  createdAt: json.time('when the event was written'),
  completedAt: json.nullable(json.time('when it was delivered or given up')),
});

export const WEBHOOKS_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/webhook-deliveries',
    scope: 'orders:read',
    perMinute: 120,
    id: 'listWebhookDeliveries',
    summary: 'What was sent to them, is to be sent or could not be, newest first',
    answer: json.list(OWN_DELIVERY),
    paged: true,
    query: DELIVERY_PAGE,
    handler: listDeliveries,
  },
  {
    method: 'POST',
    path: '/webhook-deliveries/:id/resend',
    scope: 'orders:write',
    perMinute: 30,
    id: 'resendWebhookDelivery',
    summary: 'Send a delivery again, whatever became of it',
    description: 'A new chain of attempts with the same event: the same id and body, signed anew. No body is read.',
    answer: OWN_DELIVERY,
    refuses: ['ENDPOINT_DISABLED'],
    example: {
      ...OWN_DELIVERY_EXAMPLE,
      state: 'pending',
      trigger: 'resend',
      attemptCount: 0,
      nextAttemptAt: '2026-03-05T01:00:00.000Z',
      completedAt: null,
    },
    handler: resendOwnDelivery,
  },
  {
    method: 'GET',
    path: '/webhook-endpoints',
    scope: 'orders:read',
    perMinute: 120,
    id: 'listWebhookEndpoints',
    summary: "The account's endpoints of the key's environment, newest first; never their secrets",
    description: 'The studio registers and enables them.',
    answer: json.list(OWN_ENDPOINT),
    paged: true,
    query: PAGE,
    handler: listOwnEndpoints,
  },
];

/** `GET /webhook-endpoints`: those that hear of this account's orders in the key's environment, newest first; never their secrets. */
async function listOwnEndpoints(request: TradeRequest): Promise<Answer> {
  const { deps, caller } = request;
  const { accountId, environment } = caller;
  return answerPage(request, {
    name: `own-endpoints/${accountId}/${environment}`,
    find: (limit, after) => listEndpoints(deps.database, { accountId, environment }, limit, after),
    mark: markByAge,
    present: (endpoint: EndpointView) => presentOwnEndpoint(endpoint, deps.clock.now()),
  });
}

/** `GET /webhook-deliveries`: what was sent, is to be sent or could not be, newest first; a cursor keeps the filter (rulings 10 and 61). */
async function listDeliveries(request: TradeRequest): Promise<Answer> {
  const { deps, caller, query } = request;
  const { accountId, environment } = caller;
  return answerPage(request, {
    name: `own-deliveries/${accountId}/${environment}`,
    filters: readState(query),
    find: (limit, after, state) =>
      listOwnDeliveries(deps.database, caller, state === '' ? null : (state as DeliveryState), { limit, after }),
    mark: markByAge,
    present: (delivery: OwnDeliveryRow) => presentOwnDelivery(delivery),
  });
}

function readState(query: URLSearchParams): DeliveryState | null {
  const given = once(query, 'state');
  const known = DELIVERY_STATES.find((state) => state === given) ?? null;
  if (given !== null && known === null) throw queryError('state', `must be one of ${DELIVERY_STATES.join(', ')}`);
  return known;
}

/**
 * `POST /webhook-deliveries/{id}/resend`: as the studio resends. The audit log has the key that asked for it.
 * @throws ApiError NOT_FOUND, ENDPOINT_DISABLED
 */
async function resendOwnDelivery(request: TradeRequest): Promise<Answer> {
  const { deps, caller, requestId } = request;
  const id = pathId(request, 'dlv');
  await resendDelivery(deps, {
    load: (sql) => loadOwn(request, sql, id),
    by: { tokenId: caller.keyId, name: 'account', requestId },
    howToEnable: () => 'ask the studio to enable it',
  });
  return { data: presentOwnDelivery(found(request, 'dlv', await findOwnDelivery(deps.database, id))) };
}

async function loadOwn(request: TradeRequest, sql: Sql, id: string) {
  const delivery = await findStudioDelivery(sql, id);
  const { accountId, environment } = request.caller;
  return found(request, 'dlv', delivery?.account_id === accountId && delivery.environment === environment ? delivery : null);
}
