import type { Sql, Transaction } from '../../../db/database';
import type { AuditEntry } from '../../../db/repositories/audit';
import { listAllEndpoints } from '../../../db/repositories/endpoint-list';
import {
  updateEndpoint,
  deleteEndpoint,
  type EndpointView,
  findEndpointView,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
} from '../../../db/repositories/webhook-endpoints';
import { ENVIRONMENTS, LIMITS } from '../../../domain/limits';
import { ENDPOINT_CSV } from '../../../presenters/csv-columns';
import { auditedEndpoint, presentEndpoint, presentEndpointHealth } from '../../../presenters/webhook-endpoints';
import { newId } from '../../../security/ids';
import { newWebhookSecret, standardSecret } from '../../../security/webhook-signature';
import * as json from '../../openapi/json';
import { requireFound, pathId } from '../../path-id';
import { PING_RESULT, pingEndpoint, queuePing } from '../../ping';
import { eventTypesField } from '../../schemas/event-types';
import { type BodyOf, bodySchema, changeSchema, oneOfField, optional, textField } from '../../schemas/text';
import type { HandlerResponse } from '../../types';
import { requireAccountId } from '../accounts/accounts';
import { audited } from '../support/audited';
import { cursorByAge } from '../../paging';
import { defineList } from '../support/lists';
import { ACCOUNT_NAME, EXAMPLE_TIME, ENDPOINT_URL } from '../support/examples';
import { accountIdField, eitherEnvironmentField, ACCOUNT_LIST_FILTERS } from '../support/query-filters';
import { type Endpoint, ENDPOINT, ENDPOINT_FIELDS, ENDPOINT_WITH_SECRET } from '../support/endpoint-resources';
import type { StudioEndpointRow, StudioRequest } from '../support/types';
import { acceptWebhookUrl } from '../support/webhook-url';

/** Checks only the length; `src/http/studio/support/webhook-url.ts` checks the rest. */
const webhookUrlField = textField(1, LIMITS.urlLength).description('an absolute public HTTPS URL with a host name and port 443');

export const endpointRequest = bodySchema({
  environment: oneOfField(ENVIRONMENTS).description('the environment of the events'),
  url: webhookUrlField,
  eventTypes: optional(eventTypesField()),
});

const endpointChange = changeSchema(
  { url: webhookUrlField, eventTypes: eventTypesField() },
  'must contain at least one field to change: url or eventTypes',
);

const ENDPOINT_FILTERS = {
  environment: eitherEnvironmentField,
  accountId: accountIdField,
  state: oneOfField(['enabled', 'disabled']).description('only this state'),
  failing: oneOfField(['true']).description('only endpoints that are disabled or whose deliveries fail or wait for a retry'),
} as const;

type EndpointWithHealth = ReturnType<typeof presentEndpointHealth>;

const ENDPOINT_WITH_HEALTH = json.resource<EndpointWithHealth>('WebhookEndpointWithHealth', {
  ...ENDPOINT_FIELDS,
  accountName: [json.string(), ACCOUNT_NAME],
  health: json.object<EndpointWithHealth['health']>(
    {
      lastSuccessAt: [json.nullable(json.time('null if none of the stored attempts, at most the last 1,000, succeeded')), EXAMPLE_TIME],
      lastFailureAt: json.nullable(json.time('null if none of them failed')),
      lastErrorCode: json.nullable(json.string('the error code of the last failure')),
      pending: [json.integer('pending deliveries; the count stops at 10,000'), 0],
    },
    { description: 'the results of the stored attempts, at most the last 1,000, and the deliveries that wait' },
  ),
});

const DELETED_ENDPOINT = json.resource<Endpoint & { deletedAt: string | null }>('DeletedWebhookEndpoint', {
  ...ENDPOINT_FIELDS,
  deletedAt: [json.nullable(json.time()), EXAMPLE_TIME],
});

export const WEBHOOK_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/accounts/:id/webhook-endpoints',
    role: 'office',
    createsCredential: true,
    body: endpointRequest,
    status: 201,
    id: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description: 'Only this response contains the secret of the endpoint.',
    response: ENDPOINT_WITH_SECRET,
    requestExample: { environment: 'test', url: ENDPOINT_URL },
    handler: createEndpoint,
  },
  ...defineList({
    path: '/accounts/:id/webhook-endpoints',
    role: 'office',
    filters: ACCOUNT_LIST_FILTERS,
    id: 'listWebhookEndpoints',
    summary: 'List webhook endpoints of an account',
    entry: ENDPOINT,
    list: async (request) => {
      const { deps } = request;
      const accountId = await requireAccountId(request);
      return {
        find: ({ environment }, page) => listEndpoints(deps.database, { accountId, environment: environment ?? null }, page),
        cursorOf: cursorByAge,
        present: (endpoint) => presentEndpoint(endpoint, deps.clock.now()),
      };
    },
  }),
  ...defineList({
    path: '/webhook-endpoints',
    role: 'office',
    filters: ENDPOINT_FILTERS,
    id: 'listAllWebhookEndpoints',
    summary: 'List webhook endpoints with their health',
    entry: ENDPOINT_WITH_HEALTH,
    list: ({ deps }) => ({
      find: ({ failing, ...rest }, page) => listAllEndpoints(deps.database, { ...rest, failing: failing !== undefined }, page),
      cursorOf: cursorByAge,
      present: (endpoint) => presentEndpointHealth(endpoint, deps.clock.now()),
    }),
    csv: { id: 'exportWebhookEndpoints', summary: 'Export webhook endpoints as CSV', columns: ENDPOINT_CSV },
  }),
  {
    method: 'GET',
    path: '/webhook-endpoints/:id',
    role: 'office',
    id: 'getWebhookEndpoint',
    summary: 'Retrieve a webhook endpoint with its health',
    response: ENDPOINT,
    handler: async (request) => respondWithEndpoint(request, await loadEndpoint(request.deps.database, request)),
  },
  {
    method: 'PATCH',
    path: '/webhook-endpoints/:id',
    role: 'office',
    body: endpointChange,
    id: 'changeWebhookEndpoint',
    summary: 'Update a webhook endpoint',
    description: 'Changes the URL or the event types. The next attempt goes to the new URL. New event types apply from the next event on.',
    response: ENDPOINT,
    requestExample: { url: ENDPOINT_URL },
    handler: patchEndpoint,
  },
  {
    method: 'DELETE',
    path: '/webhook-endpoints/:id',
    role: 'office',
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'Pending deliveries become held.',
    response: DELETED_ENDPOINT,
    handler: removeEndpoint,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/ping',
    role: 'office',
    id: 'pingWebhookEndpoint',
    summary: 'Ping a webhook endpoint',
    description:
      'Sends a signed ping and returns the reply. This works in every state of the endpoint and does not change its failure count.',
    response: PING_RESULT,
    errorCodes: ['SERVICE_UNAVAILABLE'],
    handler: ping,
  },
];

async function createEndpoint(request: StudioRequest<BodyOf<typeof endpointRequest>>): Promise<HandlerResponse> {
  const { deps, body } = request;
  const accountId = await requireAccountId(request);
  const url = await acceptUrl(request, body.url);
  const secret = newWebhookSecret();
  const stored = await audited(request, async (sql, record) => {
    const { id } = await insertEndpoint(sql, deps.secretBox, {
      id: newId('whe'),
      accountId,
      environment: body.environment,
      url,
      eventTypes: body.eventTypes ?? null,
      secret,
      now: deps.clock.now(),
    });
    const created = await loadEndpoint(sql, request, id);
    await record({ action: 'endpoint.create', subject: id, before: null, after: auditedEndpoint(created) });
    return created;
  });
  return { data: { ...presentEndpoint(stored, deps.clock.now()), ...presentSecret(secret) } };
}

async function patchEndpoint(request: StudioRequest<BodyOf<typeof endpointChange>>): Promise<HandlerResponse> {
  const { deps, body } = request;
  await loadEndpoint(deps.database, request);
  const url = body.url === undefined ? undefined : await acceptUrl(request, body.url);
  return changeAudited(
    request,
    'endpoint.change',
    (sql, before) => {
      const eventTypes = body.eventTypes === undefined ? before.event_types : body.eventTypes;
      return updateEndpoint(sql, { id: before.id, url: url ?? before.url, event_types: eventTypes }, deps.clock.now());
    },
    url === undefined ? null : { urlChanged: true },
  );
}

async function removeEndpoint(request: StudioRequest): Promise<HandlerResponse> {
  const id = pathId(request, 'whe');
  const deleted = await audited(request, async (sql, record) => {
    const before = requireFound(request, 'whe', await lockEndpoint(sql, id));
    if (before.deleted_at !== null) return before;
    await deleteEndpoint(sql, id, request.deps.clock.now());
    const after = requireFound(request, 'whe', await lockEndpoint(sql, id));
    await record({ action: 'endpoint.delete', subject: id, before: auditedEndpoint(before), after: auditedEndpoint(after) });
    return after;
  });
  return { data: { ...presentEndpoint(deleted, request.deps.clock.now()), deletedAt: deleted.deleted_at?.toISOString() ?? null } };
}

/** A new secret in our format and in the format of Standard Webhooks. */
export const presentSecret = (secret: string) => ({ secret, standardSecret: standardSecret(secret) });

/** Changes the endpoint in the path, writes an audit entry with `auditExtra`, and responds with the changed endpoint. */
export async function changeAudited(
  request: StudioRequest,
  action: string,
  applyChange: (sql: Transaction, before: EndpointView) => Promise<unknown>,
  auditExtra: AuditEntry['after'] = null,
): Promise<HandlerResponse> {
  const id = pathId(request, 'whe');
  const after = await audited(request, async (sql, record) => {
    const before = await lockExistingEndpoint(sql, request);
    await applyChange(sql, before);
    const changed = await loadEndpoint(sql, request);
    await record({ action, subject: id, before: auditedEndpoint(before), after: { ...auditedEndpoint(changed), ...auditExtra } });
    return changed;
  });
  return respondWithEndpoint(request, after);
}

function respondWithEndpoint({ deps }: StudioRequest, endpoint: EndpointView): HandlerResponse {
  return { data: presentEndpoint(endpoint, deps.clock.now()) };
}

function acceptUrl({ deps }: StudioRequest, url: string): Promise<string> {
  return acceptWebhookUrl(url, { allowedOrigins: deps.config.webhookAllowedOrigins });
}

/** Locks the endpoint. @throws ApiError NOT_FOUND if it is deleted */
export async function lockExistingEndpoint(sql: Sql, request: StudioRequest): Promise<EndpointView> {
  const endpoint = await lockEndpoint(sql, pathId(request, 'whe'));
  return requireFound(request, 'whe', endpoint?.deleted_at === null ? endpoint : null);
}

export async function loadEndpoint(sql: Sql, request: StudioRequest, id = pathId(request, 'whe')): Promise<EndpointView> {
  return requireFound(request, 'whe', await findEndpointView(sql, id));
}

async function ping(request: StudioRequest): Promise<HandlerResponse> {
  const { deps, caller, requestId } = request;
  const endpoint = await loadEndpoint(deps.database, request);
  const { id } = endpoint;
  const actor = { id: caller.tokenId, name: caller.name };
  const outcome = await queuePing(deps, endpoint, () => pingEndpoint({ deps, requestId, endpointId: id, actor }));
  const { ok, status, errorCode } = outcome;
  if (ok)
    await audited(request, (_sql, record) =>
      record({ action: 'endpoint.ping', subject: id, before: null, after: { ok, status, errorCode } }),
    );
  return { data: outcome };
}
