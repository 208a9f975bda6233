import { STORED_EVENT_TYPES } from '../../domain/events';
import { DELIVERY_STATES, RECOVERABLE_STATES } from '../../domain/webhook-rules';
import { choice, dayOrTime, flag, orderReference, text, time, integer, type ApiCommand } from '../api-command';
import { environment } from './accounts';

const ENDPOINT_COLUMNS = [
  'id',
  'environment',
  'url',
  'state',
  'disabledReason=why',
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
const RECOVER_QUESTION = 'Send them all?';

const eventTypesOption = choice('--event <type>', 'eventTypes', STORED_EVENT_TYPES, 'only those, once for each (default: all)', {
  isRepeatable: true,
});

export const WEBHOOK_COMMANDS: readonly ApiCommand[] = [
  {
    name: 'endpoints list',
    description: 'endpoints of all accounts with their health',
    call: 'GET /webhook-endpoints',
    options: [
      environment('both unless said otherwise'),
      text('--account <account>', 'accountId', "only this account's, by its id"),
      choice('--state <state>', 'state', ['enabled', 'disabled'], 'only those'),
      flag('--failing', 'failing', 'disabled, or what is sent there does not arrive'),
    ],
    output: { rows: ['accountName=account', ...ENDPOINT_COLUMNS, 'health.lastErrorCode=last error'] },
    examples: ['endpoints list --failing', 'endpoints list --account acc_0123abcd'],
  },
  {
    name: 'endpoints add',
    description: 'register an endpoint; its secret is shown this once',
    call: 'POST /accounts/:account/webhook-endpoints',
    options: [environment('whose events', true), text('--url <url>', 'url', 'public HTTPS', { isRequired: true }), eventTypesOption],
    examples: ['endpoints add acc_0123abcd --environment live --url https://shop.example/webhooks'],
  },
  {
    name: 'endpoints show',
    description: 'one endpoint',
    call: 'GET /webhook-endpoints/:endpoint',
    examples: ['endpoints show whe_0123abcd'],
  },
  {
    name: 'endpoints url',
    description: 'send to another URL, from the next attempt on',
    call: 'PATCH /webhook-endpoints/:endpoint',
    options: [text('--url <url>', 'url', 'public HTTPS', { isRequired: true })],
    examples: ['endpoints url whe_0123abcd --url https://shop.example/hooks'],
  },
  {
    name: 'endpoints events',
    description: 'choose the events that an endpoint gets, from the next one on',
    call: 'PATCH /webhook-endpoints/:endpoint',
    options: [eventTypesOption, flag('--all', 'eventTypes', 'all events, also types that are added later', null)],
    examples: ['endpoints events whe_0123abcd --event order.shipped --event order.cancelled'],
  },
  {
    name: 'endpoints enable',
    description: 'ping it, and enable it where that works',
    call: 'POST /webhook-endpoints/:endpoint/enable',
    options: [flag('--skip-ping', 'skipPing', 'enable it without trying it')],
    examples: ['endpoints enable whe_0123abcd'],
  },
  {
    name: 'endpoints disable',
    description: 'hold its events; none is lost',
    call: 'POST /webhook-endpoints/:endpoint/disable',
    options: [text('--reason <text>', 'reason', 'shown with the endpoint')],
    examples: ['endpoints disable whe_0123abcd --reason "their server moves"'],
  },
  {
    name: 'endpoints rotate-secret',
    description: 'make a new secret, shown this once; both sign for a while',
    call: 'POST /webhook-endpoints/:endpoint/rotate-secret',
    options: [integer('--overlap <hours>', 'overlapHours', 'how long both sign (default: 24)')],
    examples: ['endpoints rotate-secret whe_0123abcd --overlap 48'],
  },
  {
    name: 'endpoints ping',
    description: 'send a signed ping and show what came back',
    call: 'POST /webhook-endpoints/:endpoint/ping',
    examples: ['endpoints ping whe_0123abcd'],
  },
  {
    name: 'endpoints recover',
    description: 'send again what failed or was held; counts first, and asks',
    call: 'POST /webhook-endpoints/:endpoint/recover',
    options: [
      time('--since <time>', 'since', 'made from then on', { isRequired: true }),
      time('--until <time>', 'until', 'and before then (default: now)'),
      choice('--state <state>', 'states', RECOVERABLE_STATES, 'only those, once for each', { isRepeatable: true }),
    ],
    dryRunQuestion: RECOVER_QUESTION,
    examples: [
      'endpoints recover whe_0123abcd --since "2026-03-01 09:30" --dry-run',
      'endpoints recover whe_0123abcd --since 2026-03-01T09:30:00Z --state failed --yes',
    ],
  },
  {
    name: 'endpoints delete',
    description: 'remove it; what is pending for it is held',
    call: 'DELETE /webhook-endpoints/:endpoint',
    examples: ['endpoints delete whe_0123abcd'],
  },
  {
    name: 'deliveries list',
    description: 'webhooks of every account, newest first',
    call: 'GET /deliveries',
    options: [
      environment('live unless said otherwise; with --order or --endpoint that of the order or endpoint'),
      choice('--state <state>', 'state', DELIVERY_STATES, 'only those'),
      text('--account <account>', 'accountId', "only this account's, by its id"),
      text('--endpoint <endpoint>', 'endpointId', 'only to this endpoint, by its id'),
      text('--error <code>', 'errorCode', 'how the last attempt that failed ended, such as timeout'),
      dayOrTime('--from <time>', 'from', 'of then or later'),
      dayOrTime('--to <time>', 'to', 'of earlier than that; a day is included'),
      orderReference('--order <order>', 'orderId', 'only of this order, by its number or id'),
      choice(
        '--sort <order>',
        'sort',
        ['newest', 'oldest', 'nextAttempt'],
        'the newest first, the oldest, or of those still tried the next',
      ),
    ],
    output: { rows: DELIVERY_COLUMNS },
    examples: ['deliveries list --state failed', 'deliveries list --order P-10001'],
  },
  {
    name: 'deliveries count',
    description: 'how many webhooks have not arrived: still tried, given up, and held',
    call: 'GET /deliveries/counts',
    options: [environment('live unless said otherwise')],
    examples: ['deliveries count', 'deliveries count --environment test'],
  },
  {
    name: 'deliveries show',
    description: 'one webhook with its text and every attempt',
    call: 'GET /deliveries/:delivery',
    output: { fields: [...DELIVERY_FIELDS, 'event.rawBody=text'], lists: { attempts: ATTEMPT_COLUMNS } },
    examples: ['deliveries show dlv_0123abcd'],
  },
  {
    name: 'deliveries resend',
    description: 'send it again, the same event, in a chain of attempts of its own',
    call: 'POST /deliveries/:delivery/resend',
    output: { fields: DELIVERY_FIELDS, lists: { attempts: ATTEMPT_COLUMNS } },
    examples: ['deliveries resend dlv_0123abcd'],
  },
];
