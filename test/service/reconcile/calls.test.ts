import { Connection, type ConnectionOptions } from '@temporalio/client';
import type { Database } from '../../../src/db/database';
import { DAY_MS } from '../../../src/domain/duration';
import { reconcile } from '../../../src/reconcile';
import { newId } from '../../../src/security/ids';
import { openTemporal, type Temporal } from '../../../src/temporal';
import { quoteWorkflowId } from '../../../workflows/messages';
import { LONG_TEMPORAL_TIMEOUTS } from '../../support/service';
import { useFixture, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { aMilestone, OrderDriver, type OrderRef } from '../workflows/order-driver';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

const ORDERS = 12;

/** Round trips decide how long a reconciliation takes. They are counted, because times depend on the machine. */
describe('the round trips of a reconciliation', () => {
  const service = useService();
  const desk = useFixture(() => new OrderDriver(service));
  let counts: Record<string, number> = {};
  const count = (call: string): void => void (counts[call] = (counts[call] ?? 0) + 1);

  const countCall: Interceptor = (options, nextCall) => {
    count(options.method_definition.path.split('/').at(-1) ?? '');
    return nextCall(options) as ReturnType<Interceptor>;
  };
  const counted = useFixture(
    async (): Promise<{ temporal: Temporal; connection: Connection }> => {
      const connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '', interceptors: [countCall] });
      const settings = { ...service.deps.config, orderQuietPeriodMs: 0, confirmationDelayMs: 0 };
      const overrides = { taskQueue: service.taskQueue, temporalTimeouts: LONG_TEMPORAL_TIMEOUTS };
      return { temporal: openTemporal(connection, settings, overrides), connection };
    },
    async ({ temporal, connection }) => {
      temporal.close();
      await connection.close();
    },
  );
  const countStatements = (database: Database): Database =>
    new Proxy(database, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          count('statement');
          return value.apply(target, args) as unknown;
        };
      },
    });

  async function placeOrders(): Promise<OrderRef[]> {
    const orders = await Promise.all(Array.from({ length: ORDERS }, () => desk.placeOrder()));
    for (const order of orders.slice(0, 3)) await desk.apply(order, aMilestone('production_started'));
    await waitFor('Temporal lists them', async () => {
      const running = new Set<string>();
      for await (const run of service.deps.temporal.runs.listOrderRuns()) if (run.isRunning) running.add(run.orderId);
      return orders.every(({ orderId }) => running.has(orderId));
    });
    await waitFor('Temporal lists the timers of all quotes', async () => {
      const timers = await service.deps.temporal.runs.listRunningIds('quoteExpiry');
      const open = await service.deps.database.column<string>('SELECT id FROM quotes WHERE consumed_at IS NULL AND expires_at > now()');
      return open.every((quoteId) => timers.has(quoteWorkflowId(quoteId)));
    });
    return orders;
  }

  async function runCounted(): Promise<{ findings: string[]; calls: Record<string, number> }> {
    counts = {};
    const deps = { ...service.deps, temporal: counted.temporal, database: countStatements(service.deps.database) };
    const { findings } = await reconcile(deps, { dryRun: true, restored: false, issuedNumbers: [] });
    const { GetSystemInfo: _, ...calls } = counts;
    return { findings: findings.map(({ kind, subject }) => `${kind} ${subject}`), calls };
  }

  it('another order costs one call to Temporal, no query of its workflow and no statement', async () => {
    await placeOrders();
    const before = await runCounted();
    await placeOrders();
    const after = await runCounted();
    expect([before.findings, after.findings]).toEqual([[], []]);
    expect(before.calls.DescribeWorkflowExecution).toBe(ORDERS);
    expect(after.calls).toEqual({ ...before.calls, DescribeWorkflowExecution: 2 * ORDERS });
    expect(before.calls).not.toHaveProperty('QueryWorkflow');
  });

  it('lists no timers of another service that shares Temporal', async () => {
    const { client, quotes, runs } = service.deps.temporal;
    const expiresAt = new Date(Date.now() + DAY_MS);
    const [own, foreign] = [newId('quo'), newId('quo')];
    await quotes.startTimer(own, expiresAt);
    await client.workflow.start('quoteExpiry', {
      workflowId: quoteWorkflowId(foreign),
      taskQueue: `other-${service.taskQueue}`,
      args: [{ quoteId: foreign, expiresAt: expiresAt.toISOString() }],
    });
    const ids = [own, foreign].map(quoteWorkflowId);
    const query = `WorkflowId IN (${ids.map((id) => `"${id}"`).join(', ')})`;
    await waitFor('Temporal lists both', async () => (await client.workflow.count(query)).count === 2);
    const listed = await runs.listRunningIds('quoteExpiry');
    expect(ids.map((id) => listed.has(id))).toEqual([true, false]);
    for (const id of ids) await client.workflow.getHandle(id).terminate();
  });

  it('only an order that seems to differ costs queries', async () => {
    const [order] = (await placeOrders()) as [OrderRef];
    const before = await runCounted();
    await service.deps.database.run(`UPDATE orders SET printed = true, printed_lines = '{0}' WHERE id = $1`, [order.orderId]);
    const { findings, calls } = await runCounted();
    expect(findings).toEqual([`run differs ${order.orderId}`]);
    expect(calls).toEqual({ ...before.calls, QueryWorkflow: 2, statement: (before.calls.statement ?? 0) + 2 });
  });
});
