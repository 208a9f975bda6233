import { deliveryWorkflowId } from '../../../workflows/webhook-messages';
import type { Sql } from '../../db/database';
import { findAttempts, findStudioDelivery, listDeliveries } from '../../db/repositories/webhook-deliveries';
import { countUndelivered } from '../../db/repositories/delivery-counts';
import type { Environment } from '../../domain/limits';
import { DELIVERY_STATES, UNDELIVERED_STATES } from '../../domain/webhook-rules';
import { resendDelivery as resend } from '../../orders/resend-delivery';
import { DELIVERY_CSV } from '../../presenters/csv-columns';
import { presentDelivery, presentDeliveryCounts, presentDeliveryRow } from '../../presenters/deliveries';
import { EVENT_EXAMPLE, ORDER_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import { DELIVERY_FIELDS as COMMON_FIELDS, DELIVERY_STATE_DESCRIPTION } from '../openapi/resources';
import type { Link } from '../openapi/operation';
import { requireFound, pathId } from '../path-id';
import { oneOfField, patternField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { defineList } from './support/lists';
import { type Filters, readFilters } from '../filters';
import { ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME, ENDPOINT_URL } from './support/examples';
import { accountIdField, environmentField, TIME_RANGE_FILTERS, prefixedIdField, resolveTimeRange } from './support/query-filters';
import { countsSchema, ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';
import { workflowUrl } from './support/workflow-url';

const DELIVERY_SORTS = ['newest', 'oldest', 'nextAttempt'] as const;

export const DELIVERY_FILTERS = {
  environment: environmentField.description(
    'the default is `live`; with `orderId` or `endpointId`, the environment of the order or endpoint',
  ),
  state: oneOfField(DELIVERY_STATES).description(DELIVERY_STATE_DESCRIPTION),
  accountId: accountIdField,
  endpointId: prefixedIdField('whe', 'a webhook endpoint').description('only this endpoint'),
  orderId: prefixedIdField('ord', 'an order').description('only this order'),
  errorCode: patternField(/^[a-z_]{1,40}$/, 'an error code, such as timeout').description('the error code of the last failed attempt'),
  ...TIME_RANGE_FILTERS,
  sort: oneOfField(DELIVERY_SORTS).description(
    'the default is `newest`; `nextAttempt` lists only pending deliveries, the next attempt first',
  ),
} as const;

type Delivery = ReturnType<typeof presentDeliveryRow>;

const DELIVERY_FIELDS: json.Fields<Delivery> = {
  ...COMMON_FIELDS,
  endpointUrl: [json.uri('the URL of the next attempt'), ENDPOINT_URL],
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
  environment: [ENVIRONMENT, 'test'],
  orderNumber: [json.string(), ORDER_EXAMPLE.orderNumber],
  chain: [json.integer('counts the chains of attempts, from 1'), 1],
  lastAttemptAt: [json.nullable(json.time('the last attempt of any chain; null before the first attempt')), EXAMPLE_TIME],
};

const DELIVERY = json.resource<Delivery>('Delivery', DELIVERY_FIELDS);

type DeliveryDetail = ReturnType<typeof presentDelivery>;

const ATTEMPT = json.resource<DeliveryDetail['attempts'][number]>('Attempt', {
  chain: [json.integer('the chain of the attempt, from 1; a resend or recovery starts another chain'), 1],
  number: [json.integer('within the chain, from 1'), 1],
  trigger: [json.string('the trigger of the chain'), 'automatic'],
  at: [json.time('the time of sending'), EXAMPLE_TIME],
  ok: [json.boolean('whether the reply had a status from 200 to 299'), false],
  status: [json.nullable(json.integer('the HTTP status of the reply; null without a reply')), 500],
  errorCode: [json.nullable(json.string('the cause of the failure; null after a success')), 'bad_status'],
  timings: [
    json.mapOf(json.nullable(json.integer()), 'milliseconds per phase; null for a phase that was not reached'),
    { dnsMs: 3, connectMs: 11, tlsMs: 24, firstByteMs: 80, totalMs: 119 },
  ],
  replyExcerpt: [json.nullable(json.string('the beginning of the reply')), 'Internal Server Error'],
  nextAttemptAt: [json.nullable(json.time('the next attempt of the chain, as planned after this one; null for the last')), EXAMPLE_TIME],
});

const DELIVERY_DETAIL = json.resource<DeliveryDetail>('DeliveryDetail', {
  ...DELIVERY_FIELDS,
  attemptsInChain: [json.integer('the number of attempts in a chain'), 7],
  lastAttemptDueAt: json.nullable(json.time('the time of the last attempt if all earlier ones fail; null if none is planned')),
  event: json.object<DeliveryDetail['event']>({
    id: [json.id('evt'), EVENT_EXAMPLE.id],
    type: [json.string(), EVENT_EXAMPLE.type],
    sequence: [json.integer('counts the events of the order, from 1'), 3],
    createdAt: [json.time(), EXAMPLE_TIME],
    rawBody: [json.string('the exact text that the service sends and signs'), JSON.stringify(EVENT_EXAMPLE)],
  }),
  attempts: json.list(ATTEMPT, 'the stored attempts, oldest first'),
  attemptsDeletedUntil: json.nullable(json.time('the newest attempt that the retention deleted; null if every attempt is stored')),
  workflowUrl: json.nullable(json.uri('the workflow in the Temporal Web UI; null if no attempt was repeated')),
});

/** Creates a link to an operation. Its id is the value of this field in the first row. */
const linkBy =
  (field: string) =>
  (operationId: string, description: string): Link => ({ operationId, parameters: { id: `$response.body#/data/0/${field}` }, description });

const linkByDelivery = linkBy('deliveryId');

const linkByEndpoint = linkBy('endpointId');

const COUNT_FILTERS = { environment: environmentField } as const;

type DeliveryCounts = ReturnType<typeof presentDeliveryCounts>;

const DELIVERY_COUNTS = json.resource<DeliveryCounts>('DeliveryCounts', {
  environment: [ENVIRONMENT, 'live'],
  byState: [
    { ...countsSchema(UNDELIVERED_STATES), description: 'each count stops at 10,000' },
    { pending: 12, failed: 3, held: 10_000 },
  ],
});

export const DELIVERIES_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...defineList({
    path: '/deliveries',
    role: 'office',
    filters: DELIVERY_FILTERS,
    id: 'listDeliveries',
    summary: 'List deliveries',
    description:
      'Lists deliveries of all accounts, the newest first. It covers live orders unless `environment` is `test`. With `orderId` or `endpointId` it lists the deliveries of that order or endpoint.',
    entry: DELIVERY,
    links: {
      readIt: linkByDelivery('getDelivery', 'Retrieves the newest delivery.'),
      resendIt: linkByDelivery('resendDelivery', 'Sends its event again.'),
      readEndpoint: linkByEndpoint('getWebhookEndpoint', 'Retrieves its endpoint.'),
      pingEndpoint: linkByEndpoint('pingWebhookEndpoint', 'Pings its endpoint.'),
      disableEndpoint: linkByEndpoint('disableWebhookEndpoint', 'Disables its endpoint.'),
      enableEndpoint: linkByEndpoint('enableWebhookEndpoint', 'Enables its endpoint.'),
      rotateSecret: linkByEndpoint('rotateWebhookSecret', 'Rotates the secret of its endpoint.'),
    },
    list: (request) => ({
      find: async ({ environment, from, to, ...rest }, page) =>
        listDeliveries(
          request.deps.database,
          {
            ...rest,
            environment: resolveEnvironment(rest, environment),
            ...(await resolveTimeRange(request, { from, to })),
          },
          page,
        ),
      cursorOf: ({ created_at, next_attempt_at, id }, { sort }) => ({
        createdAt: sort === 'nextAttempt' ? (next_attempt_at ?? created_at) : created_at,
        id,
      }),
      present: presentDeliveryRow,
    }),
    csv: { id: 'exportDeliveries', summary: 'Export deliveries as CSV', columns: DELIVERY_CSV },
  }),
  {
    method: 'GET',
    path: '/deliveries/counts',
    role: 'office',
    query: COUNT_FILTERS,
    id: 'countDeliveries',
    summary: 'Count undelivered deliveries',
    description:
      'Counts pending, failed and held deliveries of any age, of live orders unless `environment` is `test`. Each count stops at 10,000, which means 10,000 or more.',
    response: DELIVERY_COUNTS,
    handler: getDeliveryCounts,
  },
  {
    method: 'GET',
    path: '/deliveries/:id',
    role: 'office',
    id: 'getDelivery',
    summary: 'Retrieve a delivery',
    description: 'The response contains its body and all attempts.',
    response: DELIVERY_DETAIL,
    handler: async (request) => ({ data: await request.deps.database.snapshot((sql) => loadDeliveryView(request, sql)) }),
  },
  {
    method: 'POST',
    path: '/deliveries/:id/resend',
    role: 'office',
    id: 'resendDelivery',
    summary: 'Resend a delivery',
    description: 'Starts a new chain of attempts with the same event. This works in every state of the delivery.',
    response: DELIVERY_DETAIL,
    errorCodes: ['ENDPOINT_DISABLED'],
    handler: resendDelivery,
  },
];

/** Undefined if the request contains the id of an order or endpoint, because it belongs to one environment. */
function resolveEnvironment({ orderId, endpointId }: Filters<typeof DELIVERY_FILTERS>, environment: Environment | undefined) {
  const reference = orderId ?? endpointId;
  return environment ?? (reference === undefined ? 'live' : undefined);
}

async function getDeliveryCounts({ deps, query }: StudioRequest): Promise<HandlerResponse> {
  const { environment = 'live' } = readFilters(query, COUNT_FILTERS);
  return { data: presentDeliveryCounts(environment, await countUndelivered(deps.database, environment)) };
}

async function resendDelivery(request: StudioRequest): Promise<HandlerResponse> {
  const { deps, caller, requestId } = request;
  const data = await resend(deps, {
    load: async (sql) => requireFound(request, 'dlv', await findStudioDelivery(sql, pathId(request, 'dlv'))),
    present: (sql) => loadDeliveryView(request, sql),
    by: { tokenId: caller.tokenId, name: caller.name, requestId },
    enableHint: ENABLE_HINT,
  });
  return { data };
}

export const ENABLE_HINT = 'enable it first';

async function loadDeliveryView(request: StudioRequest, sql: Sql) {
  const id = pathId(request, 'dlv');
  const [found, attempts] = await Promise.all([findStudioDelivery(sql, id), findAttempts(sql, id)]);
  const delivery = requireFound(request, 'dlv', found);
  const hasWorkflow = delivery.handed_over_at !== null;
  return presentDelivery(delivery, {
    attempts,
    scheduleMs: request.deps.webhookRetryScheduleMs,
    workflowUrl: hasWorkflow ? workflowUrl(request, deliveryWorkflowId(delivery.id)) : null,
  });
}
