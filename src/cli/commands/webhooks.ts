import { STORED_EVENT_TYPES } from '../../domain/events';
import { DELIVERY_STATES, RECOVERABLE_STATES } from '../../domain/webhook-rules';
import { choice, dayOrTime, flag, orderReference, text, time, integer, type ApiCommand } from '../api-command';
import { environment } from './accounts';

const ENDPOINT_COLUMNS = [
  'id',
  'environment',
  'url',
  'state',
  'disabledReason=reason',
  'consecutiveFailures=failures',
  'deliveries.held=held',
  'deliveries.failed=failed',
];
const DELIVERY_FIELDS = [
  'id',
  'eventType=event',
  'orderNumber=order',
  'accountName=account',
  'endpointId=endpoint',
  'endpointUrl=url',
  'state',
  'lastErrorCode=last error',
  'nextAttemptAt',
  'createdAt',
  'completedAt',
  'workflowUrl=workflow',
  'attemptsDeletedUntil',
];
const DELIVERY_COLUMNS = [
  'id',
  'eventType=event',
  'orderNumber=order',
  'accountName=account',
  'state',
  'attemptCount=attempts',
  'lastErrorCode=last error',
  'lastStatus=reply',
  'nextAttemptAt=next',
  'createdAt',
];
const ATTEMPT_COLUMNS = [
  'at=when',
  'chain',
  'number',
  'trigger',
  'ok',
  'status',
  'errorCode=error',
  'replyExcerpt=reply',
  'nextAttemptAt=next',
];
const RECOVER_QUESTION = 'Resend all these deliveries?';

const eventTypesOption = choice('--event <type>', 'eventTypes', STORED_EVENT_TYPES, 'event type; repeat it for each type (default: all)', {
  isRepeatable: true,
});

export const WEBHOOK_COMMANDS: readonly ApiCommand[] = [
  {
    name: 'endpoints list',
    description: 'list webhook endpoints with their health',
    call: 'GET /webhook-endpoints',
    options: [
      environment('environment (default: both)'),
      text('--account <account>', 'accountId', 'only this account, by its id'),
      choice('--state <state>', 'state', ['enabled', 'disabled'], 'only this state'),
      flag('--failing', 'failing', 'only endpoints that are disabled or have failing deliveries'),
    ],
    output: { rows: ['accountName=account', ...ENDPOINT_COLUMNS, 'health.lastErrorCode=last error'] },
    examples: ['endpoints list --failing', 'endpoints list --account acc_0123abcd'],
  },
  {
    name: 'endpoints add',
    description: 'create a webhook endpoint; its secret is shown only once',
    call: 'POST /accounts/:account/webhook-endpoints',
    options: [
      environment('environment of the events', true),
      text('--url <url>', 'url', 'public HTTPS URL', { isRequired: true }),
      eventTypesOption,
    ],
    examples: ['endpoints add acc_0123abcd --environment live --url https://shop.example/webhooks'],
  },
  {
    name: 'endpoints show',
    description: 'show a webhook endpoint',
    call: 'GET /webhook-endpoints/:endpoint',
    examples: ['endpoints show whe_0123abcd'],
  },
  {
    name: 'endpoints url',
    description: 'change the URL of an endpoint, from the next attempt on',
    call: 'PATCH /webhook-endpoints/:endpoint',
    options: [text('--url <url>', 'url', 'public HTTPS URL', { isRequired: true })],
    examples: ['endpoints url whe_0123abcd --url https://shop.example/hooks'],
  },
  {
    name: 'endpoints events',
    description: 'change the event types of an endpoint, from the next event on',
    call: 'PATCH /webhook-endpoints/:endpoint',
    options: [eventTypesOption, flag('--all', 'eventTypes', 'all events, including future types', null)],
    examples: ['endpoints events whe_0123abcd --event order.shipped --event order.cancelled'],
  },
  {
    name: 'endpoints enable',
    description: 'ping an endpoint, and enable it if the ping succeeds',
    call: 'POST /webhook-endpoints/:endpoint/enable',
    options: [flag('--skip-ping', 'skipPing', 'enable the endpoint without a ping')],
    examples: ['endpoints enable whe_0123abcd'],
  },
  {
    name: 'endpoints disable',
    description: 'disable an endpoint; its events are held',
    call: 'POST /webhook-endpoints/:endpoint/disable',
    options: [text('--reason <text>', 'reason', 'reason, shown with the endpoint')],
    examples: ['endpoints disable whe_0123abcd --reason "their server moves"'],
  },
  {
    name: 'endpoints rotate-secret',
    description: 'create a new secret, shown only once; both secrets sign until the overlap ends',
    call: 'POST /webhook-endpoints/:endpoint/rotate-secret',
    options: [integer('--overlap <hours>', 'overlapHours', 'hours in which both secrets sign (default: 24)')],
    examples: ['endpoints rotate-secret whe_0123abcd --overlap 48'],
  },
  {
    name: 'endpoints ping',
    description: 'send a signed ping and show the reply',
    call: 'POST /webhook-endpoints/:endpoint/ping',
    examples: ['endpoints ping whe_0123abcd'],
  },
  {
    name: 'endpoints recover',
    description: 'resend failed and held deliveries; counts first and asks for confirmation',
    call: 'POST /webhook-endpoints/:endpoint/recover',
    options: [
      time('--since <time>', 'since', 'deliveries of this time or later', { isRequired: true }),
      time('--until <time>', 'until', 'deliveries before this time (default: now)'),
      choice('--state <state>', 'states', RECOVERABLE_STATES, 'only this state; repeat it for each state', { isRepeatable: true }),
    ],
    dryRunQuestion: RECOVER_QUESTION,
    examples: [
      'endpoints recover whe_0123abcd --since "2026-03-01 09:30" --dry-run',
      'endpoints recover whe_0123abcd --since 2026-03-01T09:30:00Z --state failed --yes',
    ],
  },
  {
    name: 'endpoints delete',
    description: 'delete an endpoint; its pending deliveries are held',
    call: 'DELETE /webhook-endpoints/:endpoint',
    examples: ['endpoints delete whe_0123abcd'],
  },
  {
    name: 'deliveries list',
    description: 'list deliveries of all accounts, newest first',
    call: 'GET /deliveries',
    options: [
      environment('environment (default: live; with --order or --endpoint, the environment of the order or endpoint)'),
      choice('--state <state>', 'state', DELIVERY_STATES, 'only this state'),
      text('--account <account>', 'accountId', 'only this account, by its id'),
      text('--endpoint <endpoint>', 'endpointId', 'only this endpoint, by its id'),
      text('--error <code>', 'errorCode', 'error code of the last failed attempt, such as timeout'),
      dayOrTime('--from <time>', 'from', 'deliveries of this time or later'),
      dayOrTime('--to <time>', 'to', 'deliveries before this time, or before the end of this day'),
      orderReference('--order <order>', 'orderId', 'only this order, by its number or id'),
      choice(
        '--sort <order>',
        'sort',
        ['newest', 'oldest', 'nextAttempt'],
        'order of rows; nextAttempt lists only pending deliveries, the earliest attempt first',
      ),
    ],
    output: { rows: DELIVERY_COLUMNS },
    examples: ['deliveries list --state failed', 'deliveries list --order P-10001'],
  },
  {
    name: 'deliveries count',
    description: 'count pending, failed and held deliveries',
    call: 'GET /deliveries/counts',
    options: [environment('environment (default: live)')],
    examples: ['deliveries count', 'deliveries count --environment test'],
  },
  {
    name: 'deliveries show',
    description: 'show a delivery with its body and all attempts',
    call: 'GET /deliveries/:delivery',
    output: { fields: [...DELIVERY_FIELDS, 'event.rawBody=text'], lists: { attempts: ATTEMPT_COLUMNS } },
    examples: ['deliveries show dlv_0123abcd'],
  },
  {
    name: 'deliveries resend',
    description: 'resend a delivery in a new chain of attempts',
    call: 'POST /deliveries/:delivery/resend',
    output: { fields: DELIVERY_FIELDS, lists: { attempts: ATTEMPT_COLUMNS } },
    examples: ['deliveries resend dlv_0123abcd'],
  },
];
