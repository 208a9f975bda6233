import { ID } from './ids';
import { integer, list, object } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { ACCOUNT_EXAMPLE, ENDPOINT_EXAMPLE } from '../examples';
import { DELETED_ENDPOINT, ENDPOINT, ENDPOINT_WITH_HEALTH, ENDPOINT_WITH_SECRET, PING_RESULT } from '../resources';

/** As an endpoint's secret looks. */
const SECRET = { secret: `lpw_${'0'.repeat(64)}`, standardSecret: `whsec_bHB3${'XzAw'.repeat(22)}` };

/** What the contract says of webhook endpoints (studio API "Endpoints"). */
export const ENDPOINT_OPERATIONS = {
  listAll: {
    id: 'listAllWebhookEndpoints',
    tag: 'Webhooks',
    summary: 'Endpoints of every account with how each fares, newest first',
    answer: list(ENDPOINT_WITH_HEALTH),
    paged: true,
    example: {
      answer: [
        {
          ...ENDPOINT_EXAMPLE,
          accountName: ACCOUNT_EXAMPLE.name,
          health: { lastSuccessAt: ENDPOINT_EXAMPLE.createdAt, lastFailureAt: null, lastErrorCode: null, pending: 0 },
        },
      ],
    },
  },
  create: {
    id: 'createWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Register a webhook endpoint',
    description: 'Its secret is in this answer and nowhere else.',
    params: { id: ID.account },
    answer: ENDPOINT_WITH_SECRET,
    example: { request: { environment: 'test', url: ENDPOINT_EXAMPLE.url }, answer: { ...ENDPOINT_EXAMPLE, ...SECRET } },
  },
  list: {
    id: 'listWebhookEndpoints',
    tag: 'Webhooks',
    summary: "The account's endpoints, newest first",
    params: { id: ID.account },
    answer: list(ENDPOINT),
    paged: true,
    example: { answer: [ENDPOINT_EXAMPLE] },
  },
  read: {
    id: 'getWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'One endpoint and its health',
    params: { id: ID.endpoint },
    answer: ENDPOINT,
    example: { answer: ENDPOINT_EXAMPLE },
  },
  change: {
    id: 'changeWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Send to another URL',
    description: 'The next attempt goes there.',
    params: { id: ID.endpoint },
    answer: ENDPOINT,
    example: { request: { url: ENDPOINT_EXAMPLE.url }, answer: ENDPOINT_EXAMPLE },
  },
  remove: {
    id: 'deleteWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Delete an endpoint',
    description: 'What is pending becomes held.',
    params: { id: ID.endpoint },
    answer: DELETED_ENDPOINT,
    example: { answer: { ...ENDPOINT_EXAMPLE, deletedAt: ENDPOINT_EXAMPLE.updatedAt } },
  },
  enable: {
    id: 'enableWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Enable an endpoint',
    description: 'It is pinged first, and stays disabled where that fails.',
    params: { id: ID.endpoint },
    answer: ENDPOINT,
    refuses: ['ENDPOINT_UNREACHABLE'],
    example: { request: { skipPing: false }, answer: ENDPOINT_EXAMPLE },
  },
  disable: {
    id: 'disableWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Disable an endpoint',
    description: 'What is pending becomes held, so nothing is lost.',
    params: { id: ID.endpoint },
    answer: ENDPOINT,
    example: { request: { reason: 'moving house' }, answer: { ...ENDPOINT_EXAMPLE, state: 'disabled', disabledReason: 'moving house' } },
  },
  rotateSecret: {
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Give an endpoint a new secret',
    description: 'Both secrets sign until the overlap ends.',
    params: { id: ID.endpoint },
    answer: ENDPOINT_WITH_SECRET,
    example: { request: { overlapHours: 24 }, answer: { ...ENDPOINT_EXAMPLE, ...SECRET } },
  },
  ping: {
    id: 'pingWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Send a signed ping and see what comes back',
    description: 'Whatever state the endpoint is in; it counts for nothing.',
    params: { id: ID.endpoint },
    answer: PING_RESULT,
    example: { answer: { ok: true, status: 200, errorCode: null, totalMs: 84, replyExcerpt: 'ok' } },
  },
  recover: {
    id: 'recoverDeliveries',
    tag: 'Webhooks',
    summary: 'Send again what was held or failed',
    description: 'Of deliveries made from `since` to before `until`. The same call again joins the one under way; a dry run only counts.',
    params: { id: ID.endpoint },
    answer: object({ count: integer('of deliveries') }),
    refuses: ['ENDPOINT_DISABLED'],
    example: { request: { since: '2026-03-01T00:00:00Z', states: ['failed', 'held'], dryRun: true }, answer: { count: 12 } },
  },
} satisfies Record<string, OperationContract>;
