import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { until } from '../../dev/ports';
import { openTemporal, type OrderRef } from '../../src/temporal';
import { counter, emptySide, slice } from '../load';
import type { Stage } from '../stage';
import { fill } from './copies';
import { idOf, type Year } from './year';

const STARTS_AT_ONCE = 32;
/** A start that is not answered in time is repeated; one that went through all the same says so. */
const STARTS_OF_ONE = 10;
const OPENING_MS = 300_000;
/** What a worker does after its answers ends meanwhile. */
const QUIET_MS = 300;

/** So many orders in production, without workflows. */
export async function insertOpen({ stage, largest, template }: Year, count: number): Promise<OrderRef[]> {
  await fill(
    stage,
    [
      { table: 'quotes', of: `id = 'quo_' || substr('${template}', 5)`, but: { id: idOf('quo', 'open'), hold_started_at: 'now()' } },
      {
        table: 'orders',
        of: `id = '${template}'`,
        but: {
          id: idOf('ord', 'open'),
          order_number: `'T-' || 80000000 + n`,
          quote_id: idOf('quo', 'open'),
          status: `'in_production'`,
          base_status: `'in_production'`,
          workflow_seen_at: 'now()',
        },
      },
      {
        table: 'invoices',
        of: `order_id = '${template}'`,
        but: { id: idOf('inv', 'open'), invoice_number: `'TINV-' || 80000000 + n`, order_id: idOf('ord', 'open') },
      },
    ],
    count,
  );
  const rows = await stage.database.rows<{ id: string; order_number: string }>(
    `SELECT id, order_number FROM orders WHERE settled_at IS NULL AND status = 'in_production' ORDER BY order_number`,
  );
  return rows.map(({ id, order_number }) => ({
    orderId: id,
    orderNumber: order_number,
    accountId: largest.accountId,
    environment: 'test',
  }));
}

/**
 * Starts the workflows of these orders as the sweeper does, many at once, and waits until the worker has loaded all: they were
 * started as received and say in_production then.
 */
export async function openAll({ temporal }: Stage, orders: readonly OrderRef[], inAll: number): Promise<void> {
  const service = openTemporal({
    connection: temporal.connection as Connection,
    namespace: temporal.options.namespace,
    quietPeriodMs: 2_592_000_000,
    statusAttribute: true,
  });
  const next = counter();
  await slice(emptySide(), { rounds: 1, perRound: orders.length, concurrency: STARTS_AT_ONCE, sliceMs: OPENING_MS }, async () => {
    const order = orders[next()];
    if (order !== undefined) await patiently(() => service.orders.resume(order));
  });
  await until(
    `${inAll} orders did not open`,
    async () => {
      const { count } = await temporal.workflowService.countWorkflowExecutions({
        namespace: temporal.options.namespace,
        query: "OrderStatus = 'in_production' AND ExecutionStatus = 'Running'",
      });
      return Number(count) >= inAll ? true : undefined;
    },
    { timeoutMs: OPENING_MS, everyMs: 250 },
  );
  service.close();
  await delay(QUIET_MS);
}

async function patiently(start: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await start();
      return;
    } catch (error) {
      if (attempt >= STARTS_OF_ONE) throw error;
      await delay(QUIET_MS);
    }
  }
}
