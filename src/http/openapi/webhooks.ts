import { EVENT_TYPES, type EventType, PING } from '../../domain/events';
import { toOrderIssue } from '../../domain/order-issues';
import { EVENT_EXAMPLE, ORDER_EXAMPLE } from './examples';
import * as json from './json';
import type { JsonSchema } from './json';
import { ORDER_EVENT, PING_EVENT } from './resources';

const header = (name: string, description: string, example: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: json.string(),
  example,
});

const ISSUE_EXAMPLE = toOrderIssue({
  code: 'ARTWORK_REJECTED',
  line: 0,
  message: 'line 0 (the 1st): the artwork was rejected: it is cut off',
});

const headersOf = (type: string): JsonSchema[] => [
  header('Service-Event-Id', 'the id of the event, equal in every attempt', EVENT_EXAMPLE.id),
  header('Service-Event-Type', 'the type of the event', type),
  header(
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` with the complete `lpw_…` secret; two `v1` during a rotation',
    't=1772593201,v1=0b1f…',
  ),
  header('webhook-id', 'the id of the event, for libraries of Standard Webhooks', EVENT_EXAMPLE.id),
  header('webhook-timestamp', 'unix seconds', '1772593201'),
  header(
    'webhook-signature',
    '`v1,<base64>`, two separated by a space during a rotation; the key is the `whsec_…` secret',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  {
    ...header(
      'traceparent',
      "the trace of the event's change (https://www.w3.org/TR/trace-context/), if the service exports traces",
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ),
    required: false,
  },
];

/**
 * The webhook requests by event type (specification "Events"). They are callbacks, because OpenAPI Generator for Python writes no valid code
 * for `webhooks`.
 */
export const WEBHOOKS: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  EVENT_TYPES.map((type) => [
    type,
    {
      '{$response.body#/data/url}': {
        post: {
          operationId: `on${type
            .split(/[._]/)
            .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
            .join('')}`,
          tags: ['Webhooks'],
          summary: summaryOf(type),
          description:
            'Return any 2xx within ten seconds. The service repeats other attempts after 1 min, 5 min, 15 min, 1 h, 4 h and 12 h. Detect repeats by the id.',
          security: [],
          parameters: headersOf(type),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: type === PING ? PING_EVENT : ORDER_EVENT, example: exampleOf(type) } },
          },
          responses: {
            '2XX': { description: 'received' },
            '4XX': { description: 'not received, like any other status: the service sends it again' },
          },
        },
      },
    },
  ]),
);

function summaryOf(type: EventType): string {
  if (type === PING) return 'Receive a ping';
  if (type === 'order.issue_raised') return 'Receive an order with a new issue';
  if (type === 'order.issue_resolved') return 'Receive an order of which an issue has ended';
  return `Receive an order that reached \`${type.slice('order.'.length)}\``;
}

function exampleOf(type: EventType): unknown {
  const base = { ...EVENT_EXAMPLE, type };
  if (type === PING) return { ...base, sequence: 0, data: { endpointId: 'whe_0f3a' } };
  const waiting = { ...base, sequence: 1, data: { ...ORDER_EXAMPLE, status: 'received' } };
  if (type === 'order.issue_resolved') return waiting;
  if (type === 'order.issue_raised') return { ...waiting, data: { ...waiting.data, issues: [ISSUE_EXAMPLE] } };
  const status = type.slice('order.'.length);
  if (status === 'shipped') return base;
  const blockers = status === 'cancelled' ? ['cancelled'] : [];
  const cancellable = { now: blockers.length === 0, blockers };
  const cancelledAt = status === 'cancelled' ? base.createdAt : null;
  return { ...base, sequence: status === 'received' ? 1 : 2, data: { ...ORDER_EXAMPLE, status, cancellable, cancelledAt } };
}
