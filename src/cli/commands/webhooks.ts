import type { ApiCommand } from '../api-command';

const DELIVERY_COLUMNS =
  'id, eventType=event, orderNumber=order, accountName=account, endpointId=endpoint, endpointUrl=url, state, lastErrorCode=last error, nextAttemptAt, createdAt, completedAt, workflowUrl=workflow, attemptsDeletedUntil';
const attempts = 'at=when, chain, number, trigger, ok, status, errorCode=error, replyExcerpt=reply, nextAttemptAt=next';

export const WEBHOOK_COMMANDS: Readonly<Record<string, ApiCommand>> = {
  'endpoints list': {
    call: 'GET /webhook-endpoints',
    columns:
      'accountName=account, id, environment, url, state, disabledReason=reason, consecutiveFailures=failures, deliveries.held=held, deliveries.failed=failed, health.lastErrorCode=last error',
    examples: ['endpoints list --failing'],
  },
  'endpoints add': { call: 'POST /accounts/:account/webhook-endpoints' },
  'endpoints show': { call: 'GET /webhook-endpoints/:endpoint' },
  'endpoints url': {
    call: 'PATCH /webhook-endpoints/:endpoint',
    description: 'change the URL of an endpoint, from the next attempt on',
    without: ['eventTypes'],
    required: ['url'],
  },
  'endpoints events': {
    call: 'PATCH /webhook-endpoints/:endpoint',
    description: 'change the event types of an endpoint, from the next event on',
    without: ['url'],
    presets: [{ flags: '--all', field: 'eventTypes', description: 'all events, including future types', presetValue: null }],
    examples: ['endpoints events whe_0123abcd --event order.shipped --event order.cancelled'],
  },
  'endpoints enable': { call: 'POST /webhook-endpoints/:endpoint/enable' },
  'endpoints disable': { call: 'POST /webhook-endpoints/:endpoint/disable' },
  'endpoints rotate-secret': { call: 'POST /webhook-endpoints/:endpoint/rotate-secret' },
  'endpoints ping': { call: 'POST /webhook-endpoints/:endpoint/ping' },
  'endpoints recover': {
    call: 'POST /webhook-endpoints/:endpoint/recover',
    dryRunQuestion: 'Resend all these deliveries?',
    examples: ['endpoints recover whe_0123abcd --since "2026-03-01 09:30" --dry-run'],
  },
  'endpoints delete': { call: 'DELETE /webhook-endpoints/:endpoint' },
  'deliveries list': {
    call: 'GET /deliveries',
    columns:
      'id, eventType=event, orderNumber=order, accountName=account, state, attemptCount=attempts, lastErrorCode=last error, lastStatus=reply, nextAttemptAt=next, createdAt',
    examples: ['deliveries list --state failed', 'deliveries list --order P-10001'],
  },
  'deliveries count': { call: 'GET /deliveries/counts' },
  'deliveries show': {
    call: 'GET /deliveries/:delivery',
    columns: `${DELIVERY_COLUMNS}, event.rawBody=text`,
    lists: { attempts },
  },
  'deliveries resend': { call: 'POST /deliveries/:delivery/resend', columns: DELIVERY_COLUMNS, lists: { attempts } },
};
