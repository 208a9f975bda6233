import Joi from 'joi';
import type { Sql } from '../../db/database';
import { findOwnDelivery, findStudioDelivery, listOwnDeliveries, type OwnDeliveryRow } from '../../db/repositories/webhook-deliveries';
import { type EndpointView, findEndpointView, listEndpoints, lockEndpoint } from '../../db/repositories/webhook-endpoints';
import { STORED_EVENT_TYPES, type StoredEventType } from '../../domain/events';
import { LIMITS } from '../../domain/limits';
import { DELIVERY_STATES, type DeliveryState } from '../../domain/webhook-rules';
import { chooseEventTypes } from '../../orders/choose-event-types';
import { resendDelivery } from '../../orders/resend-delivery';
import { presentOwnDelivery } from '../../presenters/deliveries';
import { presentOwnEndpoint } from '../../presenters/webhook-endpoints';
import { readFilters } from '../filters';
import { EVENT_EXAMPLE, ORDER_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import { EVENT_TYPES_SCHEMA } from '../openapi/resources';
import { answerPage, markByAge } from '../paging';
import { PING_EXAMPLE, PING_RESULT, pingEndpoint } from '../ping';
import { found, pathId } from '../path-id';
import { eventTypesField } from '../schemas/event-types';
import { DELIVERY_PAGE, PAGE } from '../schemas/paging';
import type { Answer, EndpointRow, TradeRequest } from '../types';

const OWN_ENDPOINT_EXAMPLE = {
  id: 'whe_33d8',
  url: 'https://shop.example/hooks/print',
  eventTypes: null,
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

/** Body of `PATCH /webhook-endpoints/{id}`. */
export const ownEndpointChange = Joi.object({ eventTypes: eventTypesField().required() });

interface OwnEndpointChange {
  eventTypes: StoredEventType[] | null;
}

type OwnEndpoint = ReturnType<typeof presentOwnEndpoint>;

/** Specification "GET /webhook-endpoints", "GET /webhook-deliveries". */
const OWN_ENDPOINT = json.resourceWithExample<OwnEndpoint>('OwnWebhookEndpoint', OWN_ENDPOINT_EXAMPLE, {
  id: json.id('whe', 'names it in `endpointId` of deliveries'),
  url: json.uri('where events are sent'),
  eventTypes: EVENT_TYPES_SCHEMA,
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
  eventType: json.oneOf(STORED_EVENT_TYPES, 'type of the event'),
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
  {
    method: 'PATCH',
    path: '/webhook-endpoints/:id',
    scope: 'orders:write',
    perMinute: 30,
    body: ownEndpointChange,
    bodyBytes: LIMITS.uploadBodyBytes,
    id: 'changeWebhookEndpoint',
    summary: 'Choose the events that an endpoint gets',
    description: 'From the next event on. The feed of events has all of them.',
    answer: OWN_ENDPOINT,
    requestExample: { eventTypes: ['order.shipped', 'order.cancelled'] },
    example: { ...OWN_ENDPOINT_EXAMPLE, eventTypes: ['order.shipped', 'order.cancelled'] },
    handler: changeOwnEndpoint,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/ping',
    scope: 'orders:write',
    perMinute: 10,
    isSlow: true,
    id: 'pingWebhookEndpoint',
    summary: 'Send a signed `ping` to an endpoint and see its reply',
    description: 'A disabled endpoint gets it too. It changes no count of failures and is not retried. No body is read.',
    answer: PING_RESULT,
    refuses: ['TEMPORAL_AWAY'],
    example: PING_EXAMPLE,
    handler: pingOwnEndpoint,
  },
];

/** `GET /webhook-endpoints`: those that hear of this account's orders in the key's environment, newest first; never their secrets. */
async function listOwnEndpoints(request: TradeRequest): Promise<Answer> {
  const { deps, caller } = request;
  const { accountId, environment } = caller;
  return answerPage(request, {
    name: `own-endpoints/${accountId}/${environment}`,
    find: (limit, after) => listEndpoints(deps.database, { accountId, environment }, { limit, after }),
    mark: markByAge,
    present: (endpoint: EndpointView) => presentOwnEndpoint(endpoint, deps.clock.now()),
  });
}

/** `PATCH /webhook-endpoints/{id}`. The audit log has the key that changed it. @throws ApiError NOT_FOUND */
async function changeOwnEndpoint(request: TradeRequest<OwnEndpointChange>): Promise<Answer> {
  const { deps, caller, requestId, body } = request;
  const changed = await chooseEventTypes(deps, {
    load: async (sql) => ownEndpoint(request, await lockEndpoint(sql, pathId(request, 'whe'))),
    eventTypes: body.eventTypes,
    by: { tokenId: caller.keyId, name: 'account', requestId },
  });
  return { data: presentOwnEndpoint(changed, deps.clock.now()) };
}

/** `POST /webhook-endpoints/{id}/ping`. @throws ApiError NOT_FOUND, TEMPORAL_AWAY */
async function pingOwnEndpoint(request: TradeRequest): Promise<Answer> {
  const { deps, caller, requestId } = request;
  const { id } = ownEndpoint(request, await findEndpointView(deps.database, pathId(request, 'whe')));
  return { data: await pingEndpoint({ deps, requestId, endpointId: id, actor: { id: caller.keyId, name: 'account' } }) };
}

/** @throws ApiError NOT_FOUND for one that is deleted, of another account or of the other environment */
function ownEndpoint(request: TradeRequest, endpoint: EndpointView | null): EndpointView {
  const { accountId, environment } = request.caller;
  const isOwn = endpoint?.account_id === accountId && endpoint.environment === environment && endpoint.deleted_at === null;
  return found(request, 'whe', isOwn ? endpoint : null);
}

/** `GET /webhook-deliveries`: what was sent, is to be sent or could not be, newest first; a cursor keeps the filter (rulings 10 and 61). */
async function listDeliveries(request: TradeRequest): Promise<Answer> {
  const { deps, caller, query } = request;
  const { accountId, environment } = caller;
  return answerPage(request, {
    name: `own-deliveries/${accountId}/${environment}`,
    filters: readFilters(query, { state: DELIVERY_PAGE.state }).state ?? null,
    find: (limit, after, state) =>
      listOwnDeliveries(deps.database, caller, state === '' ? null : (state as DeliveryState), { limit, after }),
    mark: markByAge,
    present: (delivery: OwnDeliveryRow) => presentOwnDelivery(delivery),
  });
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
