import { STORED_EVENT_TYPES } from '../../domain/events';
import { DELIVERY_STATES, RECOVERABLE_STATES } from '../../domain/webhook-rules';
import { choice, dayOrTime, on, order, text, time, whole, type ApiCommand } from '../api-command';
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
const ATTEMPTS = ['at=when', 'chain', 'number', 'trigger', 'ok', 'status', 'errorCode=error', 'replyExcerpt=reply', 'nextAttemptAt=next'];
const RECOVER_ASKS = 'Send them all?';

const eventTypes = choice('--event <type>', 'eventTypes', STORED_EVENT_TYPES, 'only those, once for each (default: all)', { many: true });

export const WEBHOOK_COMMANDS: readonly ApiCommand[] = [
  {
    words: 'endpoints list',
    tells: 'endpoints of all accounts with their health',
    call: 'GET /webhook-endpoints',
    options: [
      environment('both unless said otherwise'),
      text('--account <account>', 'accountId', "only this account's, by its id"),
      choice('--state <state>', 'state', ['enabled', 'disabled'], 'only those'),
      on('--failing', 'failing', 'disabled, or what is sent there does not arrive'),
    ],
    shows: { rows: ['accountName=account', ...ENDPOINT_COLUMNS, 'health.lastErrorCode=last error'] },
    examples: ['endpoints list --failing', 'endpoints list --account acc_0123abcd'],
  },
  {
    words: 'endpoints add',
    tells: 'register an endpoint; its secret is shown this once',
    call: 'POST /accounts/:account/webhook-endpoints',
    options: [environment('whose events', true), text('--url <url>', 'url', 'public HTTPS', { needed: true }), eventTypes],
    examples: ['endpoints add acc_0123abcd --environment live --url https://shop.example/webhooks'],
  },
  {
    words: 'endpoints show',
    tells: 'one endpoint',
    call: 'GET /webhook-endpoints/:endpoint',
    examples: ['endpoints show whe_0123abcd'],
  },
  {
    words: 'endpoints url',
    tells: 'send to another URL, from the next attempt on',
    call: 'PATCH /webhook-endpoints/:endpoint',
    options: [text('--url <url>', 'url', 'public HTTPS', { needed: true })],
    examples: ['endpoints url whe_0123abcd --url https://shop.example/hooks'],
  },
  {
    words: 'endpoints events',
    tells: 'choose the events that an endpoint gets, from the next one on',
    call: 'PATCH /webhook-endpoints/:endpoint',
    options: [eventTypes, on('--all', 'eventTypes', 'all events, also types that are added later', null)],
    examples: ['endpoints events whe_0123abcd --event order.shipped --event order.cancelled'],
  },
  {
    words: 'endpoints enable',
    tells: 'ping it, and enable it where that works',
    call: 'POST /webhook-endpoints/:endpoint/enable',
    options: [on('--skip-ping', 'skipPing', 'enable it without trying it')],
    examples: ['endpoints enable whe_0123abcd'],
  },
  {
    words: 'endpoints disable',
    tells: 'hold its events; none is lost',
    call: 'POST /webhook-endpoints/:endpoint/disable',
    options: [text('--reason <text>', 'reason', 'shown with the endpoint')],
    examples: ['endpoints disable whe_0123abcd --reason "their server moves"'],
  },
  {
    words: 'endpoints rotate-secret',
    tells: 'make a new secret, shown this once; both sign for a while',
    call: 'POST /webhook-endpoints/:endpoint/rotate-secret',
    options: [whole('--overlap <hours>', 'overlapHours', 'how long both sign (default: 24)')],
    examples: ['endpoints rotate-secret whe_0123abcd --overlap 48'],
  },
  {
    words: 'endpoints ping',
    tells: 'send a signed ping and show what came back',
    call: 'POST /webhook-endpoints/:endpoint/ping',
    examples: ['endpoints ping whe_0123abcd'],
  },
  {
    words: 'endpoints recover',
    tells: 'send again what failed or was held; counts first, and asks',
    call: 'POST /webhook-endpoints/:endpoint/recover',
    options: [
      time('--since <time>', 'since', 'made from then on', { needed: true }),
      time('--until <time>', 'until', 'and before then (default: now)'),
      choice('--state <state>', 'states', RECOVERABLE_STATES, 'only those, once for each', { many: true }),
    ],
    asks: RECOVER_ASKS,
    examples: [
      'endpoints recover whe_0123abcd --since "2026-03-01 09:30" --dry-run',
      'endpoints recover whe_0123abcd --since 2026-03-01T09:30:00Z --state failed --yes',
    ],
  },
  {
    words: 'endpoints delete',
    tells: 'remove it; what is pending for it is held',
    call: 'DELETE /webhook-endpoints/:endpoint',
    examples: ['endpoints delete whe_0123abcd'],
  },
  {
    words: 'deliveries list',
    tells: 'webhooks of every account, newest first',
    call: 'GET /deliveries',
    options: [
      environment('live unless said otherwise; with --order or --endpoint that of the order or endpoint'),
      choice('--state <state>', 'state', DELIVERY_STATES, 'only those'),
      text('--account <account>', 'accountId', "only this account's, by its id"),
      text('--endpoint <endpoint>', 'endpointId', 'only to this endpoint, by its id'),
      text('--error <code>', 'errorCode', 'how the last attempt that failed ended, such as timeout'),
      dayOrTime('--from <time>', 'from', 'of then or later'),
      dayOrTime('--to <time>', 'to', 'of earlier than that; a day is included'),
      order('--order <order>', 'orderId', 'only of this order, by its number or id'),
      choice(
        '--sort <order>',
        'sort',
        ['newest', 'oldest', 'nextAttempt'],
        'the newest first, the oldest, or of those still tried the next',
      ),
    ],
    shows: { rows: DELIVERY_COLUMNS },
    examples: ['deliveries list --state failed', 'deliveries list --order P-10001'],
  },
  {
    words: 'deliveries count',
    tells: 'how many webhooks have not arrived: still tried, given up, and held',
    call: 'GET /deliveries/counts',
    options: [environment('live unless said otherwise')],
    examples: ['deliveries count', 'deliveries count --environment test'],
  },
  {
    words: 'deliveries show',
    tells: 'one webhook with its text and every attempt',
    call: 'GET /deliveries/:delivery',
    shows: { fields: [...DELIVERY_FIELDS, 'event.rawBody=text'], parts: { attempts: ATTEMPTS } },
    examples: ['deliveries show dlv_0123abcd'],
  },
  {
    words: 'deliveries resend',
    tells: 'send it again, the same event, in a chain of attempts of its own',
    call: 'POST /deliveries/:delivery/resend',
    shows: { fields: DELIVERY_FIELDS, parts: { attempts: ATTEMPTS } },
    examples: ['deliveries resend dlv_0123abcd'],
  },
];
