import type { Sql } from '../../db/database';
import { findOwnDelivery, findStudioDelivery, listOwnDeliveries, type OwnDeliveryRow } from '../../db/repositories/webhook-deliveries';
import { type EndpointView, findEndpointView, listEndpoints, lockEndpoint } from '../../db/repositories/webhook-endpoints';
import { LIMITS } from '../../domain/limits';
import type { DeliveryState } from '../../domain/webhook-rules';
import { chooseEventTypes } from '../../orders/choose-event-types';
import { resendDelivery } from '../../orders/resend-delivery';
import { presentOwnDelivery } from '../../presenters/deliveries';
import { presentOwnEndpoint } from '../../presenters/webhook-endpoints';
import { readFilters } from '../filters';
import * as json from '../openapi/json';
import { DELIVERY_FIELDS, ENDPOINT_FIELDS } from '../openapi/resources';
import { WEBHOOKS } from '../openapi/webhooks';
import { respondWithPage, cursorByAge } from '../paging';
import { PING_RESULT, pingEndpoint } from '../ping';
import { requireFound, pathId } from '../path-id';
import { eventTypesField } from '../schemas/event-types';
import { bodySchema, type BodyOf } from '../schemas/text';
import { DELIVERY_PAGE_PARAMETERS, PAGE_PARAMETERS } from '../schemas/paging';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../types';

export const ownEndpointChange = bodySchema({ eventTypes: eventTypesField() });

const OWN_ENDPOINT = json.resource('OwnWebhookEndpoint', ENDPOINT_FIELDS);

const OWN_DELIVERY = json.resource('OwnDelivery', DELIVERY_FIELDS);

export const WEBHOOKS_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/webhook-deliveries',
    scope: 'orders:read',
    perMinute: 120,
    id: 'listWebhookDeliveries',
    summary: 'List webhook deliveries',
    response: json.list(OWN_DELIVERY),
    paged: true,
    query: DELIVERY_PAGE_PARAMETERS,
    handler: listDeliveries,
  },
  {
    method: 'POST',
    path: '/webhook-deliveries/:id/resend',
    scope: 'orders:write',
    perMinute: 30,
    id: 'resendWebhookDelivery',
    summary: 'Resend a webhook delivery',
    description:
      'Starts a new chain of attempts with the same event id and body, and a new signature. This works in every state of the delivery. The request needs no body.',
    response: OWN_DELIVERY,
    errorCodes: ['ENDPOINT_DISABLED'],
    example: json.exampleWith(OWN_DELIVERY, {
      state: 'pending',
      trigger: 'resend',
      attemptCount: 0,
      nextAttemptAt: '2026-03-05T01:00:00.000Z',
      completedAt: null,
    }),
    handler: resendOwnDelivery,
  },
  {
    method: 'GET',
    path: '/webhook-endpoints',
    scope: 'orders:read',
    perMinute: 120,
    id: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description:
      'Lists the endpoints in the environment of the key, the newest first, without their secrets. The studio registers and enables endpoints.',
    response: json.list(OWN_ENDPOINT),
    paged: true,
    query: PAGE_PARAMETERS,
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
    summary: 'Update the event types of an endpoint',
    description:
      'The change applies from the next event on. `GET /events` always lists all events. The callbacks are the requests that the endpoint receives.',
    response: OWN_ENDPOINT,
    requestExample: { eventTypes: ['order.shipped', 'order.cancelled'] },
    example: json.exampleWith(OWN_ENDPOINT, { eventTypes: ['order.shipped', 'order.cancelled'] }),
    callbacks: WEBHOOKS,
    handler: changeOwnEndpoint,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/ping',
    scope: 'orders:write',
    perMinute: 10,
    queue: 'slow',
    id: 'pingWebhookEndpoint',
    summary: 'Ping a webhook endpoint',
    description:
      'Sends a signed `ping` and returns the reply, also for a disabled endpoint. A ping is not retried and does not change the failure count. The request needs no body.',
    response: PING_RESULT,
    errorCodes: ['SERVICE_UNAVAILABLE'],
    handler: pingOwnEndpoint,
  },
];

async function listOwnEndpoints(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const { accountId, environment } = caller;
  return respondWithPage(request, {
    name: `own-endpoints/${accountId}/${environment}`,
    find: (limit, after) => listEndpoints(deps.database, { accountId, environment }, { limit, after }),
    cursorOf: cursorByAge,
    present: (endpoint: EndpointView) => presentOwnEndpoint(endpoint, deps.clock.now()),
  });
}

/** The audit log records the API key as the actor. */
async function changeOwnEndpoint(request: TradeRequest<BodyOf<typeof ownEndpointChange>>): Promise<HandlerResponse> {
  const { deps, caller, requestId, body } = request;
  const changed = await chooseEventTypes(deps, {
    load: async (sql) => requireOwnEndpoint(request, await lockEndpoint(sql, pathId(request, 'whe'))),
    eventTypes: body.eventTypes,
    by: { tokenId: caller.keyId, name: 'account', requestId },
  });
  return { data: presentOwnEndpoint(changed, deps.clock.now()) };
}

async function pingOwnEndpoint(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller, requestId } = request;
  const { id } = requireOwnEndpoint(request, await findEndpointView(deps.database, pathId(request, 'whe')));
  return { data: await pingEndpoint({ deps, requestId, endpointId: id, actor: { id: caller.keyId, name: 'account' } }) };
}

/** @throws ApiError NOT_FOUND for a deleted endpoint, and for one of another account or environment */
function requireOwnEndpoint(request: TradeRequest, endpoint: EndpointView | null): EndpointView {
  const { accountId, environment } = request.caller;
  const isOwn = endpoint?.account_id === accountId && endpoint.environment === environment && endpoint.deleted_at === null;
  return requireFound(request, 'whe', isOwn ? endpoint : null);
}

/** The cursor contains the filter. */
async function listDeliveries(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller, query } = request;
  const { accountId, environment } = caller;
  return respondWithPage(request, {
    name: `own-deliveries/${accountId}/${environment}`,
    filters: readFilters(query, { state: DELIVERY_PAGE_PARAMETERS.state }).state ?? null,
    find: (limit, after, state) =>
      listOwnDeliveries(deps.database, caller, state === '' ? null : (state as DeliveryState), { limit, after }),
    cursorOf: cursorByAge,
    present: (delivery: OwnDeliveryRow) => presentOwnDelivery(delivery),
  });
}

/** Resends like the studio's endpoint. The audit log records the API key as the actor. */
async function resendOwnDelivery(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller, requestId } = request;
  const id = pathId(request, 'dlv');
  const data = await resendDelivery(deps, {
    load: (sql) => loadOwnDelivery(request, sql, id),
    present: async (sql) => presentOwnDelivery(requireFound(request, 'dlv', await findOwnDelivery(sql, id))),
    by: { tokenId: caller.keyId, name: 'account', requestId },
    enableHint: 'ask the studio to enable it',
  });
  return { data };
}

async function loadOwnDelivery(request: TradeRequest, sql: Sql, id: string) {
  const delivery = await findStudioDelivery(sql, id);
  const { accountId, environment } = request.caller;
  return requireFound(request, 'dlv', delivery?.account_id === accountId && delivery.environment === environment ? delivery : null);
}
