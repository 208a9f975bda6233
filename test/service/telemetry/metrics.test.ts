import { TIMEOUTS } from '../../../src/db/database';
import { readStoredMetrics } from '../../../src/db/repositories/metrics';
import { RELEASE } from '../../../src/platform/version';
import { observeProcess } from '../../../src/telemetry/observers';
import { Telemetry } from '../../../src/telemetry/telemetry';
import { ATTEMPT_ERROR_CODES } from '../../../src/webhooks/outcome';
import { findFreePort } from '../../../scripts/start/ports';
import { raiseAttention } from '../../../src/db/repositories/attention';
import { anOrder, aQuote, placeOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { holdLock } from '../../support/held-lock';
import { readRules } from '../../support/observability';
import { parseSamples, sumOf, type Samples } from '../../support/prometheus';
import { startService } from '../../support/service';
import { useFixture, useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';

/** The events that met their objective, and those that missed it. */
const eventsOf = (samples: Samples, objective: string): number[] =>
  ['met', 'missed'].map((result) => sumOf(samples, 'trade_print_objective_events_total', { objective, result }));

describe('metrics of an API process', () => {
  const service = useService(() => ({ timeouts: TIMEOUTS }));
  const trade = useFixture(() => service.trade(service.account.testKey));
  beforeAll(async () => {
    await anOrder(trade);
  });

  const readSamples = async () => parseSamples(await service.deps.telemetry.prometheusText());

  it('count quotes, orders and requests with their route, status and error code', async () => {
    await trade.get('/orders/ord_unknown');
    await trade.get('/no-such-path');
    const samples = await readSamples();
    expect(sumOf(samples, 'trade_print_quotes_created_total', { environment: 'test' })).toBe(1);
    expect(sumOf(samples, 'trade_print_orders_placed_total', { environment: 'test' })).toBe(1);
    const requests = (labels: Record<string, string>) => sumOf(samples, 'http_server_request_duration_seconds_count', labels);
    expect(requests({ http_route: '/v1/orders', http_request_method: 'POST', http_response_status_code: '201' })).toBe(1);
    expect(requests({ http_route: '/v1/orders/:id', http_response_status_code: '404', error_type: 'NOT_FOUND' })).toBe(1);
    expect(sumOf(samples, 'http_server_active_requests')).toBe(0);
  });

  it('count the order for its objective', async () => {
    expect(eventsOf(await readSamples(), 'orders')).toEqual([1, 0]);
  });

  it('count an order that shipped and was completed as completed, as the lists do', async () => {
    const countCompleted = async () =>
      (await readStoredMetrics(service.deps.database)).orders.filter(({ status }) => status === 'completed').length;
    expect(await countCompleted()).toBe(0);
    await service.deps.database.run(`UPDATE orders SET status = 'shipped', base_status = 'completed'`);
    expect(await countCompleted()).toBe(1);
    await service.deps.database.run(`UPDATE orders SET status = 'received', base_status = 'received'`);
  });

  it('show the state of the service: orders by status, parts that are ready, the pool, free space', async () => {
    let samples: Samples = new Map();
    // Metrics that are read too slowly are left out.
    await expectSoon(async () => {
      samples = await readSamples();
      const orders = sumOf(samples, 'trade_print_orders', { environment: 'test', status: 'received' });
      return { orders, database: sumOf(samples, 'trade_print_ready', { part: 'database' }) };
    }).toEqual({ orders: 1, database: 1 });
    expect(sumOf(samples, 'trade_print_ready', { part: 'inspector' })).toBe(0);
    expect(sumOf(samples, 'db_client_connection_max')).toBeGreaterThan(0);
    expect(Math.abs(sumOf(samples, 'trade_print_clock_offset_seconds'))).toBeLessThan(60);
    expect(sumOf(samples, 'trade_print_build_info', { build_id: 'unversioned', ...RELEASE })).toBe(1);
    expect([...samples.keys()]).toContain('trade_print_mails_total{result="refused"}');
  });

  it('show how long a statement waits for a locked account', async () => {
    const { database } = service.deps;
    const lock = await holdLock(database, 'SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [service.account.accountId]);
    const waiting = holdLock(database, 'UPDATE accounts SET name = name WHERE id = $1', [service.account.accountId]); // without a lock timeout
    waiting.catch(() => undefined);
    try {
      const isSeen = async () => ((await readStoredMetrics(database)).longestLockWaitSeconds ?? 0) > 0;
      expect(await waitFor('the wait for the lock', isSeen)).toBe(true);
    } finally {
      await lock.release();
      await (await waiting).release();
    }
  });

  it('begin with 0 for each counter that the rules read', async () => {
    const own = await startService({ worker: false });
    try {
      const samples = parseSamples(await own.deps.telemetry.prometheusText());
      const names = [...JSON.stringify(readRules()).matchAll(/\b(?:rate|increase)\((\w+)/g)].map(([, name = '']) => name);
      const seriesAtZero = (name: string) => [...samples].filter(([series, value]) => series.startsWith(`${name}{`) && value === 0).length;
      expect(Object.fromEntries(names.map((name) => [name, seriesAtZero(name)]))).toEqual({
        trade_print_objective_events_total: 3 * 2,
        trade_print_delivery_attempts_total: (1 + ATTEMPT_ERROR_CODES.length) * 2,
        trade_print_overloads_total: 4,
        trade_print_mails_total: 3,
        // Temporal's SDK serves these from their first increase on.
        temporal_workflow_completed_total: 0,
        temporal_workflow_task_execution_failed_total: 0,
        temporal_workflow_task_schedule_to_start_latency_seconds_bucket: 0,
        temporal_activity_schedule_to_start_latency_seconds_bucket: 0,
        temporal_workflow_task_schedule_to_start_latency_seconds_count: 0,
        temporal_activity_schedule_to_start_latency_seconds_count: 0,
      });
    } finally {
      await own.stop();
    }
  });

  it('show the tasks that wait for a worker, and the age of the oldest', async () => {
    const own = await startService({ worker: false });
    try {
      const readTasks = async (queue: string) => {
        const backlogs = await own.deps.temporal.readBacklogs().catch(() => []); // a busy Temporal may answer too late
        return backlogs.filter((backlog) => backlog.queue === queue && backlog.taskType === 'workflow');
      };
      await expectSoon(() => readTasks('orders')).toEqual([expect.objectContaining({ count: 0, oldestSeconds: 0 })]);
      await anOrder(own.trade(own.account.testKey));
      await waitFor('the tasks of the order and its quote', async () => {
        const [tasks] = await readTasks('orders');
        return tasks !== undefined && tasks.count === 2 && tasks.oldestSeconds > 1;
      });
      const readAll = async () => {
        const samples = parseSamples(await own.deps.telemetry.prometheusText());
        const read = (name: string, queue: string) => sumOf(samples, `trade_print_task_queue_${name}`, { queue, task_type: 'workflow' });
        return [
          read('waiting', 'orders'),
          read('waiting', 'webhooks'),
          read('oldest_age_seconds', 'webhooks'),
          read('oldest_age_seconds', 'orders') > 1,
        ];
      };
      await expectSoon(readAll).toEqual([2, 0, 0, true]); // metrics that are read too slowly are left out
      await own.startWorker();
      expect(await waitFor('no waiting task', async () => (await readTasks('orders'))[0]?.count === 0)).toBe(true);
    } finally {
      await own.stop();
    }
  });

  it('count late first attempts of webhooks for their objective', async () => {
    const own = await startService({ worker: false });
    try {
      const { database, telemetry } = own.deps;
      await anEndpoint(database, own.account.accountId, 'https://127.0.0.1/private', 'test');
      await anOrder(own.trade(own.account.testKey));
      await database.run(`UPDATE webhook_deliveries SET created_at = created_at - interval '1 minute'`);
      await own.startWorker();
      await waitFor('the attempt', async () => (await readStoredMetrics(database)).retryingEndpoints === 1);
      expect(eventsOf(parseSamples(await telemetry.prometheusText()), 'webhooks')).toEqual([0, 1]);
    } finally {
      await own.stop();
    }
  });

  it('count a message that finds no Temporal as a missed objective', async () => {
    const own = await startService({ worker: false, temporalAddress: `127.0.0.1:${await findFreePort()}` });
    try {
      const { orderId } = await anOrder(own.trade(own.account.testKey));
      const message = { milestoneId: 'm-1', type: 'printed' };
      expect((await own.studio().post(`/orders/${orderId}/milestones`, message)).status).toBe(503);
      const samples = parseSamples(await own.deps.telemetry.prometheusText());
      expect(sumOf(samples, 'trade_print_message_duration_seconds_count', { error_type: 'SERVICE_UNAVAILABLE' })).toBe(1);
      expect(eventsOf(samples, 'messages')).toEqual([0, 1]);
    } finally {
      await own.stop();
    }
  });

  it('do not wait for a database that does not answer', async () => {
    const own = await startService({ worker: false });
    try {
      const { database, telemetry } = own.deps;
      const lock = await holdLock(database, 'LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
      try {
        const samples = parseSamples(await telemetry.prometheusText());
        expect(sumOf(samples, 'db_client_connection_max')).toBeGreaterThan(0);
        expect([...samples.keys()].some((series) => series.startsWith('trade_print_deliveries'))).toBe(false);
      } finally {
        await lock.release();
      }
    } finally {
      await own.stop();
    }
  });

  it('count a refused request by what it waited for', async () => {
    const { quoteId } = await aQuote(trade);
    const lock = await holdLock(service.deps.database, 'SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [service.account.accountId]);
    try {
      expect((await placeOrder(trade, quoteId)).status).toBe(503);
    } finally {
      await lock.release();
    }
    const samples = await readSamples();
    expect(sumOf(samples, 'trade_print_overloads_total', { cause: 'lock' })).toBe(1);
    expect(sumOf(samples, 'trade_print_overloads_total', { cause: 'connection' })).toBe(0);
    expect(eventsOf(samples, 'orders')).toEqual([1, 1]);
  });

  it('count answered messages by their error', async () => {
    const { orderId } = await anOrder(trade);
    const send = (type: string) => service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'm-1', type });
    expect((await send('printed')).status).toBe(200);
    expect((await send('production_started')).status).toBe(409);
    const samples = await readSamples();
    const count = (labels: Record<string, string>) => sumOf(samples, 'trade_print_message_duration_seconds_count', labels);
    expect([count({ type: 'printed' }), count({ type: 'production_started', error_type: 'MILESTONE_ID_REUSED' })]).toEqual([1, 1]);
    const fast = sumOf(samples, 'trade_print_message_duration_seconds_bucket', { le: '2.5' });
    expect(eventsOf(samples, 'messages')).toEqual([fast, 2 - fast]); // a refusal is an answer
  });

  it('count endpoints that wait for a retry, and the age of open problems', async () => {
    const { database } = service.deps;
    await anEndpoint(database, service.account.accountId, 'https://127.0.0.1/private', 'test');
    const { orderId } = await anOrder(trade);
    await waitFor('a retry', async () => (await readStoredMetrics(database)).retryingEndpoints === 1);
    const samples = await readSamples();
    const onTime = sumOf(samples, 'trade_print_delivery_first_byte_seconds_bucket', { le: '5' });
    expect(eventsOf(samples, 'webhooks')).toEqual([onTime, 1 - onTime]);
    await raiseAttention(database, { orderId, code: 'ARTWORK_MISSING', subject: 'a' }, 'missing', new Date(Date.now() - 3_600_000));
    await raiseAttention(database, { orderId, code: 'ARTWORK_MISSING', subject: 'b' }, 'missing', new Date());
    const { attention } = await readStoredMetrics(database);
    expect(attention).toEqual([{ environment: 'test', code: 'ARTWORK_MISSING', count: 2, oldestSeconds: expect.any(Number) }]);
    expect(attention[0]?.oldestSeconds).toBeGreaterThanOrEqual(3_600);
  });

  it('leave out a series that is no longer observed', async () => {
    const telemetry = new Telemetry('test', null, service.deps.logger);
    let codes = ['A', 'B'];
    telemetry.meter.createObservableGauge('trade_print.attention').addCallback((result) => {
      for (const code of codes) result.observe(1, { code });
    });
    const read = async () =>
      [...parseSamples(await telemetry.prometheusText()).keys()].filter((series) => !series.startsWith('target_info'));
    expect(await read()).toEqual(['trade_print_attention{code="A"}', 'trade_print_attention{code="B"}']);
    codes = ['B'];
    expect(await read()).toEqual(['trade_print_attention{code="B"}']);
    await telemetry.close();
  });

  it('do not wait for a connection of an exhausted pool', async () => {
    const { database, clock, temporal } = service.deps;
    const telemetry = new Telemetry('test', null, service.deps.logger); // has read nothing yet
    observeProcess(telemetry.meter, { database, clock, buildId: null, queues: {}, breaker: temporal.breaker });
    const { max } = database.connections();
    const locks = await Promise.all(Array.from({ length: max }, () => holdLock(database, 'SELECT 1')));
    let isWaiting = true;
    const waiting = database
      .run('SELECT 1')
      .catch(() => undefined)
      .finally(() => (isWaiting = false));
    try {
      const samples = parseSamples(await telemetry.prometheusText());
      expect(isWaiting).toBe(true);
      expect(sumOf(samples, 'db_client_connection_count', { state: 'used' })).toBe(max);
      expect(sumOf(samples, 'db_client_connection_pending_requests')).toBeGreaterThan(0);
      expect([...samples.keys()]).not.toContain('trade_print_clock_offset_seconds');
    } finally {
      await Promise.all(locks.map((lock) => lock.release()));
      await waiting;
      await telemetry.close();
    }
  });
});
