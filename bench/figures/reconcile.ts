import type { Connection } from '@temporalio/client';
import { systemClock } from '../../src/platform/clock';
import { reconcile as runReconcile } from '../../src/reconcile';
import { CONCURRENCY } from '../../src/reconcile/finding';
import { openTemporal } from '../../src/temporal';
import { orderWorkflowId } from '../../workflows/messages';
import type { Burst, Figure } from '../figure';
import { createBuyers, prepareOpenQuotes } from '../fixtures';
import { placeOrder, sendMilestone } from '../http';
import { closedLoop } from '../load';
import type { Stage } from '../stage';

/** Each may place 30 orders a minute, and a fast machine places all within one. */
const ACCOUNTS = 24;
const CLIENTS = 4;

/** Compares all orders of the stage with their workflows. Other figures may have placed orders too. */
export const reconcile: Figure = {
  title: '`trade-print reconcile`, per order with a running workflow',
  unit: 'ms',
  goal: 2.5,
  async prepare(stage, isSmoke) {
    await (isSmoke ? placeOrders(stage, 2, 4) : placeOrders(stage, ACCOUNTS, 600));
    const settings = { temporal: { namespace: 'default' }, orderQuietPeriodMs: 0, confirmationDelayMs: 0, codecKeys: null };
    const temporal = openTemporal(stage.temporal.connection as Connection, settings);
    const workflowIds: string[] = [];
    return {
      async ours() {
        workflowIds.length = 0;
        for await (const { orderId, isRunning } of temporal.runs.listOrderRuns()) if (isRunning) workflowIds.push(orderWorkflowId(orderId));
        return perOrder(workflowIds.length, () =>
          runReconcile({ database: stage.database, temporal, clock: systemClock }, { dryRun: true, restored: false, issuedNumbers: [] }),
        );
      },
      floor: () =>
        perOrder(workflowIds.length, () =>
          closedLoop(workflowIds.length, CONCURRENCY, (index) => stage.temporal.workflow.getHandle(workflowIds[index] ?? '').describe()),
        ),
    };
  },
};

/** Half of the orders have four messages. */
async function placeOrders(stage: Stage, accounts: number, count: number): Promise<void> {
  const nextQuote = await prepareOpenQuotes(stage, await createBuyers(stage, accounts), count);
  await closedLoop(count, CLIENTS, async (index) => {
    const orderId = await placeOrder(stage, nextQuote());
    if (index % 2 === 0) return;
    for (const type of ['production_started', 'held', 'released', 'printed'])
      await sendMilestone(stage, orderId, { milestoneId: type, type });
  });
  await stage.waitUntilIdle();
}

async function perOrder(orders: number, work: () => Promise<unknown>): Promise<Burst> {
  const startedAt = performance.now();
  await work();
  const elapsedMs = performance.now() - startedAt;
  return { done: orders, elapsedMs, latenciesMs: [elapsedMs / orders] };
}
