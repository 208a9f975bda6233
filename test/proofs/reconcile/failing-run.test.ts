import { randomUUID } from 'node:crypto';
import { loadOrderState } from '../../../src/db/repositories/orders';
import { reconcile } from '../../../src/reconcile';
import { UnresponsiveRun } from '../../../src/temporal/runs';
import { orderMemo } from '../../../workflows/visibility';
import { orderWorkflowId } from '../../../workflows/messages';
import { useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { OrderDriver } from '../../service/workflows/order-driver';
import { sweepOnce } from '../../support/sweep';

describe('reconciling an order with failing workflow tasks', () => {
  const service = useService();
  let desk: OrderDriver;
  beforeAll(async () => {
    desk = new OrderDriver(service);
  });

  const statusOf = async (orderId: string) =>
    (await desk.client.workflow.getHandle(orderWorkflowId(orderId)).describe()).status.name as string;
  const runReconcile = (dryRun: boolean) => reconcile(service.deps, { dryRun, restored: false, issuedNumbers: [] });

  /**
   * A run started with invalid facts. Each of its tasks throws, as with incompatible workflow code. Its memo has the stored state.
   */
  async function breakRun(orderId: string): Promise<void> {
    const workflowId = orderWorkflowId(orderId);
    await desk.client.workflow
      .getHandle(workflowId)
      .terminate('to be broken')
      .catch(() => undefined);
    const stored = await loadOrderState(service.deps.database, orderId);
    const memo = stored === null ? {} : orderMemo(stored);
    const args = [{ orderId, state: {}, settings: {} }];
    await desk.client.workflow.start('order', { workflowId, taskQueue: service.taskQueue, args, memo });
    await waitFor('its tasks fail', async () =>
      service.deps.temporal.runs.queryOrderState(orderId).then(
        () => false,
        (error: unknown) => error instanceof UnresponsiveRun,
      ),
    );
  }
  const untilListed = (orderIds: string[]) =>
    waitFor('Temporal lists them', async () => {
      const running = new Set<string>();
      for await (const run of service.deps.temporal.runs.listOrderRuns()) if (run.isRunning) running.add(run.orderId);
      return orderIds.every((orderId) => running.has(orderId));
    });

  it('reports and ends the run, resumes an open order from its row, and continues with the others', async () => {
    const [open, cancelled, healthy] = [await desk.placeOrder(), await desk.placeOrder(), await desk.placeOrder()];
    await desk.apply(open, { milestoneId: 'm1', type: 'production_started' });
    await desk.cancel(cancelled);
    const unknown = `ord_${randomUUID().replaceAll('-', '')}`;
    const broken = [open.orderId, cancelled.orderId, unknown];
    await Promise.all(broken.map(breakRun));
    await service.deps.database.run(`UPDATE orders SET printed = true, printed_lines = '{0}' WHERE id = $1`, [healthy.orderId]);
    await untilListed([...broken, healthy.orderId]);

    const expectedFindings = (repaired: boolean) =>
      [
        { kind: 'unresponsive run', subject: open.orderId, repaired },
        { kind: 'unresponsive run', subject: cancelled.orderId, repaired },
        { kind: 'run without an order', subject: unknown, repaired },
        { kind: 'run differs', subject: healthy.orderId, repaired },
      ].map((finding) => expect.objectContaining(finding));
    const dry = await runReconcile(true);
    expect(dry.findings).toHaveLength(4);
    expect(dry.findings).toEqual(expect.arrayContaining(expectedFindings(false)));
    expect(await Promise.all(broken.map(statusOf))).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);

    const wet = await runReconcile(false);
    expect(wet.findings).toEqual(expect.arrayContaining(expectedFindings(true)));
    expect(await Promise.all(broken.map(statusOf))).toEqual(['RUNNING', 'TERMINATED', 'TERMINATED']);
    await desk.apply(open, { milestoneId: 'm2', type: 'printed' });
    expect((await desk.timeline(open)).map(({ milestone_id }) => milestone_id)).toEqual(['m1', 'm2']);
    await sweepOnce(service.deps);
    expect(
      await waitFor('no further findings', async () => {
        const { findings } = await runReconcile(true);
        return findings.length === 0 && 'nothing';
      }),
    ).toBe('nothing');
  });
});
