import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import type { Clock } from '../platform/clock';
import type { Database } from '../db/database';
import { readStoredMetrics, type StoredMetrics } from '../db/repositories/metrics';
import type { Logger } from '../platform/logger';
import type { KeyedQueue } from '../runtime/keyed-queue';
import { RELEASE } from '../platform/version';
import { Instruments } from './metrics';

/** Stored metrics are read again after this time, however often metrics are collected, ms. */
const READ_INTERVAL_MS = 15_000;
/** The other metrics do not wait longer for a read, because Prometheus ends a scrape after ten seconds. */
const MAX_WAIT_MS = 1_000;
/** An older value is not shown, ms. */
const MAX_AGE_MS = 60_000;

/** Parts of a process that report their load. */
export interface ObservedParts {
  database: Pick<Database, 'connections' | 'value'>;
  clock: Clock;
  buildId: string | null;
  queues: Readonly<Record<string, Pick<KeyedQueue, 'waitingCount'>>>;
  breaker: { isOpen: boolean };
}

/** Registers the gauges that every process has. */
export function observeProcess(meter: Meter, { database, clock, buildId, queues, breaker }: ObservedParts): void {
  const instruments = new Instruments(meter);
  instruments
    .gauge('trade_print.build_info')
    .addCallback((result) => result.observe(1, { build_id: buildId ?? 'unversioned', ...RELEASE }));
  const readOffset = cacheRead(() => measureOffset(database, clock));
  instruments.gauge('trade_print.clock.offset').addCallback(async (result) => {
    const offset = await readOffset().catch(() => null);
    if (offset !== null) result.observe(offset); // without the database, Prometheus shows a gap
  });
  instruments.gauge('process.memory.usage').addCallback((result) => result.observe(process.memoryUsage.rss()));
  const startedAt = Date.now() / 1000 - process.uptime(); // constant, so that Prometheus counts restarts by its changes
  instruments.gauge('trade_print.start.time').addCallback((result) => result.observe(startedAt));
  instruments.gauge('process.cpu.time').addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe((user + system) / 1e6);
  });
  const loopDelay = monitorEventLoopDelay();
  loopDelay.enable();
  instruments.gauge('trade_print.event_loop.delay').addCallback((result) => {
    result.observe(loopDelay.max / 1e9);
    loopDelay.reset();
  });
  instruments.gauge('db.client.connection.count').addCallback((result) => {
    const { used, idle } = database.connections();
    result.observe(used, { state: 'used' });
    result.observe(idle, { state: 'idle' });
  });
  instruments.gauge('db.client.connection.max').addCallback((result) => result.observe(database.connections().max));
  instruments.gauge('db.client.connection.pending_requests').addCallback((result) => result.observe(database.connections().waiting));
  instruments.gauge('trade_print.queue.waiting').addCallback((result) => {
    for (const [queue, { waitingCount }] of Object.entries(queues)) result.observe(waitingCount, { queue });
  });
  instruments.gauge('trade_print.temporal.available').addCallback((result) => result.observe(breaker.isOpen ? 0 : 1));
}

interface ServiceState {
  database: Database;
  logger: Logger;
  temporal: { readBacklogs(): Promise<{ queue: string; taskType: string; count: number; oldestSeconds: number }[]> };
  /** The result of each readiness check; `ok` if it passed. */
  readChecks: () => Promise<Readonly<Record<string, string>>>;
}

interface Observation {
  count: number;
  environment?: string;
  status?: string;
  state?: string;
  code?: string;
}

const one = (value: number | null): Observation[] => [{ count: value ?? 0 }];

/** The gauges that read the stored metrics. */
const STORED_GAUGES: readonly (readonly [Parameters<Instruments['gauge']>[0], (stored: StoredMetrics) => Observation[]])[] = [
  ['trade_print.orders', ({ orders }) => orders],
  ['trade_print.orders.without_workflow', ({ ordersWithoutWorkflow }) => one(ordersWithoutWorkflow.count)],
  ['trade_print.orders.without_workflow.oldest_age', ({ ordersWithoutWorkflow }) => one(ordersWithoutWorkflow.oldestSeconds)],
  ['trade_print.deliveries', ({ deliveries }) => deliveries],
  ['trade_print.deliveries.oldest_pending_age', ({ oldestPendingSeconds }) => one(oldestPendingSeconds)],
  ['trade_print.endpoints.retrying', ({ retryingEndpoints }) => one(retryingEndpoints)],
  ['trade_print.endpoints.failing', ({ failingEndpoints }) => one(failingEndpoints)],
  ['trade_print.attention', ({ attention }) => attention.map(({ environment, code, count }) => ({ environment, code, count }))],
  [
    'trade_print.attention.oldest_age',
    ({ attention }) => attention.map(({ environment, code, oldestSeconds }) => ({ environment, code, count: oldestSeconds })),
  ],
  ['trade_print.inspections.waiting', ({ inspections }) => one(inspections.count)],
  ['trade_print.inspections.oldest_age', ({ inspections }) => one(inspections.oldestSeconds)],
  ['trade_print.database.longest_lock_wait', ({ longestLockWaitSeconds }) => one(longestLockWaitSeconds)],
  ['trade_print.backup.age', ({ backupSeconds }) => (backupSeconds === null ? [] : [{ count: backupSeconds }])],
];

/** Registers the gauges about the whole service. Every API process reports the same values. */
export function observeService(meter: Meter, { database, logger, temporal, readChecks }: ServiceState): void {
  const instruments = new Instruments(meter);
  const gauges = STORED_GAUGES.map(([name, read]) => ({ gauge: instruments.gauge(name), read }));
  const readMetrics = cacheRead(() => readStoredMetrics(database));
  meter.addBatchObservableCallback(
    async (result) => {
      const stored = await readMetrics().catch((error: unknown) => logger.warn({ err: error }, 'reading the stored metrics failed'));
      if (stored === undefined) return; // Prometheus shows the gap
      for (const { gauge, read } of gauges) for (const { count, ...labels } of read(stored)) result.observe(gauge, count, labels);
    },
    gauges.map(({ gauge }) => gauge),
  );
  const waiting = instruments.gauge('trade_print.task_queue.waiting');
  const oldestAge = instruments.gauge('trade_print.task_queue.oldest_age');
  const readBacklogs = cacheRead(() => temporal.readBacklogs());
  meter.addBatchObservableCallback(
    async (result) => {
      for (const { queue, taskType, count, oldestSeconds } of await readBacklogs().catch(() => [])) {
        result.observe(waiting, count, { queue, task_type: taskType });
        result.observe(oldestAge, oldestSeconds, { queue, task_type: taskType });
      }
    },
    [waiting, oldestAge],
  );
  instruments.gauge('trade_print.ready').addCallback(async (result) => {
    for (const [part, state] of Object.entries(await readChecks())) result.observe(state === 'ok' ? 1 : 0, { part });
  });
}

/**
 * Seconds by which the process's clock is certainly ahead of the database's. The database's time can be that of any moment of the round
 * trip, which a pause of the process makes long.
 */
async function measureOffset(database: Pick<Database, 'value'>, clock: Clock): Promise<number> {
  const sentAtMs = clock.now().getTime();
  const databaseTimeMs = await database.value<number>('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000');
  const receivedAtMs = clock.now().getTime();
  const aheadMs = (sentAtMs + receivedAtMs) / 2 - databaseTimeMs;
  return (Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - (receivedAtMs - sentAtMs) / 2)) / 1000;
}

/**
 * Repeats `read` at most once in READ_INTERVAL_MS; concurrent calls share it. A call waits for it at most MAX_WAIT_MS, and then gets the last
 * value up to an age of MAX_AGE_MS.
 */
function cacheRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let last: { value: T; readAtMs: number } | null = null;
  const start = (): Promise<T> => {
    const readAtMs = performance.now();
    const started = read()
      .then((value) => (last = { value, readAtMs }).value)
      .finally(() => (running = null));
    started.catch(() => undefined); // the calls report it
    return started;
  };
  const lastIfYounger = (ageMs: number): { value: T } | null => (last !== null && performance.now() - last.readAtMs < ageMs ? last : null);
  return async () => {
    const fresh = lastIfYounger(READ_INTERVAL_MS);
    if (fresh !== null) return fresh.value;
    running ??= start();
    try {
      return await withTimeout(running);
    } catch (error) {
      const stored = lastIfYounger(MAX_AGE_MS);
      if (stored === null) throw error;
      return stored.value;
    }
  };
}

function withTimeout<T>(result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${MAX_WAIT_MS} ms`)), MAX_WAIT_MS);
  });
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}
