import type { Counter, Histogram, Meter, ObservableGauge, UpDownCounter } from '@opentelemetry/api';
import { ATTEMPT_ERROR_CODES } from '../webhooks/outcome';

interface Metric {
  kind: 'counter' | 'up-down counter' | 'gauge' | 'histogram';
  description: string;
  /** Seconds or bytes. */
  unit?: 's' | 'By';
  labels?: readonly string[];
}

/** Every metric of the service, for the instruments and docs/metrics.md. */
export const METRICS = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Time from a request until its response is ready. `error.type` is the error code.',
    labels: ['http.request.method', 'http.route', 'http.response.status_code', 'error.type'],
  },
  'http.server.active_requests': { kind: 'up-down counter', description: 'Requests whose response is not ready.' },
  'trade_print.quotes.created': { kind: 'counter', description: 'Created quotes.', labels: ['environment'] },
  'trade_print.orders.placed': { kind: 'counter', description: 'Placed orders.', labels: ['environment'] },
  'trade_print.message.duration': {
    kind: 'histogram',
    unit: 's',
    description: "Time until an order's workflow answered a message of the studio API. `error.type` is the error code.",
    labels: ['type', 'error.type'],
  },
  'trade_print.delivery.attempts': {
    kind: 'counter',
    description: 'Webhook attempts. `result` is `ok` or the error code; `attempt` is `first` or `later`.',
    labels: ['result', 'attempt'],
  },
  'trade_print.delivery.first_byte': {
    kind: 'histogram',
    unit: 's',
    description: "Time from an event's creation to its first attempt.",
  },
  'trade_print.objective.events': {
    kind: 'counter',
    description: 'Orders, first webhook attempts and messages by their objective. `result` is `met` or `missed`.',
    labels: ['objective', 'result'],
  },
  'trade_print.mails': { kind: 'counter', description: 'Mails. `result` is `sent`, `refused` or `delayed`.', labels: ['result'] },
  'trade_print.overloads': {
    kind: 'counter',
    description:
      'Requests that were refused as `OVERLOADED`. `cause` is what they waited for: a `connection`, a `lock`, an `answer` of PostgreSQL or a `queue`.',
    labels: ['cause'],
  },
  'trade_print.build_info': {
    kind: 'gauge',
    description: 'Always 1. `build_id` is `TEMPORAL_BUILD_ID`, or `unversioned`; `commit` is that of the image.',
    labels: ['build_id', 'version', 'commit'],
  },
  'process.memory.usage': { kind: 'gauge', unit: 'By', description: 'Resident memory.' },
  'process.cpu.time': { kind: 'gauge', unit: 's', description: 'CPU time since the start.' },
  'trade_print.start.time': { kind: 'gauge', unit: 's', description: 'When the process started, as Unix time.' },
  'trade_print.event_loop.delay': {
    kind: 'gauge',
    unit: 's',
    description: 'The longest delay of the event loop since the last collection.',
  },
  'db.client.connection.count': { kind: 'gauge', description: 'Connections of the pool.', labels: ['state'] },
  'db.client.connection.max': { kind: 'gauge', description: 'The most connections that the pool opens.' },
  'db.client.connection.pending_requests': { kind: 'gauge', description: 'Statements and transactions that wait for a connection.' },
  'trade_print.queue.waiting': { kind: 'gauge', description: 'Requests that wait in a queue of the process.', labels: ['queue'] },
  'trade_print.temporal.available': { kind: 'gauge', description: '0 while calls to Temporal fail at once, otherwise 1.' },
  'trade_print.task_queue.waiting': {
    kind: 'gauge',
    description: 'Tasks that wait in a task queue of Temporal for a worker. Those for cached workflows are not counted.',
    labels: ['queue', 'task_type'],
  },
  'trade_print.task_queue.oldest_age': {
    kind: 'gauge',
    unit: 's',
    description: 'Age of the oldest of these tasks, 0 without one.',
    labels: ['queue', 'task_type'],
  },
  'trade_print.ready': { kind: 'gauge', description: '1 if the part passes its readiness check, otherwise 0.', labels: ['part'] },
  'trade_print.orders': { kind: 'gauge', description: 'Orders.', labels: ['environment', 'status'] },
  'trade_print.orders.without_workflow': { kind: 'gauge', description: 'Orders whose workflow has not started.' },
  'trade_print.orders.without_workflow.oldest_age': {
    kind: 'gauge',
    unit: 's',
    description: 'Age of the oldest order without a workflow.',
  },
  'trade_print.deliveries': {
    kind: 'gauge',
    description: 'Webhook deliveries that are `pending` (no attempt yet), `retrying`, `held` or `failed`.',
    labels: ['state'],
  },
  'trade_print.deliveries.oldest_pending_age': { kind: 'gauge', unit: 's', description: 'Age of the oldest pending delivery.' },
  'trade_print.endpoints.retrying': { kind: 'gauge', description: 'Webhook endpoints with retrying deliveries.' },
  'trade_print.endpoints.failing': { kind: 'gauge', description: 'Webhook endpoints that are marked as failing.' },
  'trade_print.attention': { kind: 'gauge', description: 'Open problems of orders.', labels: ['environment', 'code'] },
  'trade_print.attention.oldest_age': {
    kind: 'gauge',
    unit: 's',
    description: 'Age of the oldest open problem.',
    labels: ['environment', 'code'],
  },
  'trade_print.inspections.waiting': { kind: 'gauge', description: 'Uploads whose inspection is due and has not ended.' },
  'trade_print.inspections.oldest_age': { kind: 'gauge', unit: 's', description: 'How long the oldest of these uploads has been due.' },
  'trade_print.database.longest_lock_wait': {
    kind: 'gauge',
    unit: 's',
    description: 'How long the oldest waiting statement has waited for a lock.',
  },
  'trade_print.backup.age': { kind: 'gauge', unit: 's', description: 'Age of the last recorded backup; absent without one.' },
  'trade_print.clock.offset': { kind: 'gauge', unit: 's', description: "The process's clock minus the database's." },
} as const satisfies Record<string, Metric>;

type MetricName = keyof typeof METRICS;
type NameOf<Kind extends Metric['kind']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

/** The suffix that Prometheus wants after a unit (OpenTelemetry's "Prometheus and OpenMetrics Compatibility"). */
const UNIT_SUFFIXES: Readonly<Record<string, string>> = { s: '.seconds', By: '.bytes' };

/** A metric's name with the suffix of its unit. */
export const withUnitSuffix = (name: string, unit: string | undefined): string => `${name}${UNIT_SUFFIXES[unit ?? ''] ?? ''}`;

/** The service level objectives (docs/operations/observability.md). */
const OBJECTIVES = ['orders', 'webhooks', 'messages'] as const;
/** Slower events miss their objective, s. */
export const OBJECTIVE_SECONDS = { webhooks: 5, messages: 2.5 };

/** The longest wait for a lock and a retry of it fit, s. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the instruments of METRICS by name. */
export class Instruments {
  constructor(private readonly meter: Meter) {}

  histogram(name: NameOf<'histogram'>): Histogram {
    return this.meter.createHistogram(name, { ...optionsOf(name), advice: { explicitBucketBoundaries: DURATION_BUCKETS } });
  }

  counter(name: NameOf<'counter'>): Counter {
    return this.meter.createCounter(name, optionsOf(name));
  }

  upDownCounter(name: NameOf<'up-down counter'>): UpDownCounter {
    return this.meter.createUpDownCounter(name, optionsOf(name));
  }

  gauge(name: NameOf<'gauge'>): ObservableGauge {
    return this.meter.createObservableGauge(name, optionsOf(name));
  }
}

function optionsOf(name: MetricName) {
  const { description, unit }: Metric = METRICS[name];
  return { description, ...(unit === undefined ? {} : { unit }) };
}

/** The instruments that record events; `observers.ts` has those that read a state. */
export function createServiceMetrics(meter: Meter) {
  const instruments = new Instruments(meter);
  const objectiveEvents = instruments.counter('trade_print.objective.events');
  const metrics = {
    requestDuration: instruments.histogram('http.server.request.duration'),
    activeRequests: instruments.upDownCounter('http.server.active_requests'),
    quotesCreated: instruments.counter('trade_print.quotes.created'),
    ordersPlaced: instruments.counter('trade_print.orders.placed'),
    messageDuration: instruments.histogram('trade_print.message.duration'),
    deliveryAttempts: instruments.counter('trade_print.delivery.attempts'),
    firstByteDuration: instruments.histogram('trade_print.delivery.first_byte'),
    mails: instruments.counter('trade_print.mails'),
    overloads: instruments.counter('trade_print.overloads'),
    countObjective: (objective: (typeof OBJECTIVES)[number], isMet: boolean) =>
      objectiveEvents.add(1, { objective, result: isMet ? 'met' : 'missed' }),
  };
  // Prometheus sees no increase from a series that begins with 1. A histogram cannot begin with 0, so the rules read counters only.
  for (const objective of OBJECTIVES) for (const result of ['met', 'missed']) objectiveEvents.add(0, { objective, result });
  for (const result of ['ok', ...ATTEMPT_ERROR_CODES])
    for (const attempt of ['first', 'later']) metrics.deliveryAttempts.add(0, { result, attempt });
  for (const result of ['sent', 'refused', 'delayed']) metrics.mails.add(0, { result });
  for (const cause of ['connection', 'lock', 'answer', 'queue']) metrics.overloads.add(0, { cause });
  return metrics;
}

export type ServiceMetrics = ReturnType<typeof createServiceMetrics>;
