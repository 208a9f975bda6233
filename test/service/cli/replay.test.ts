import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../../../activities';
import { orderWorkflowId } from '../../../workflows/messages';
import { historyOf } from '../../../src/cli/replay';
import { commonWorkerOptions } from '../../../src/temporal/workers';
import { runTradePrint } from '../../support/command-line';
import { useService } from '../../support/fixtures';
import { installRuntime } from '../../support/temporal-runtime';
import { waitFor } from '../../support/wait-for';
import { aMilestone, OrderDriver, type OrderRef } from '../workflows/order-driver';

describe('trade-print replay', () => {
  const service = useService(() => ({ env: { TEMPORAL_CODEC_KEY: `k1:${randomBytes(32).toString('base64url')}` } }));
  const desk = new OrderDriver(service);

  const replay = (query: string, ...args: string[]) => {
    const { DATABASE_URL = '', TEMPORAL_ADDRESS = '', TEMPORAL_CODEC_KEY = '' } = service.env;
    return runTradePrint(['replay', '--query', query, ...args], { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_CODEC_KEY });
  };
  const untilListed = (query: string, count: number) =>
    waitFor('the runs in the list', async () => (await desk.client.workflow.count(query)).count === count);
  const workflowQuery = (...refs: OrderRef[]) => refs.map((ref) => `WorkflowId = "${orderWorkflowId(ref.orderId)}"`).join(' OR ');

  it('replays encrypted histories with this build, reports the number of each type, and exits with 0', async () => {
    const orders = [await desk.placeOrder(), await desk.placeOrder(), await desk.placeOrder()];
    for (const ref of orders) await desk.apply(ref, aMilestone('production_started'));
    await untilListed(workflowQuery(...orders), 3);
    expect(await replay(workflowQuery(...orders), '--limit', '2')).toEqual({
      code: 0,
      stdout: 'order: 2 of 3 replayed, 0 failed\n',
      stderr: '',
    });
  });

  it('names each failing run with its reason, and exits with 1', async () => {
    await service.worker?.stop();
    installRuntime();
    const workflowBundle = await bundleWorkflowCode({
      workflowsPath: path.join(__dirname, '..', 'replay', 'changed-workflows.ts'),
      logger: new DefaultLogger('ERROR'),
    });
    const connection = await NativeConnection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' });
    const worker = await Worker.create({
      ...commonWorkerOptions(service.deps, { connection, shutdownGraceMs: 500 }),
      taskQueue: service.taskQueue,
      workflowBundle,
      activities: createActivities(service.deps),
    });
    await worker.runUntil(async () => {
      const ref = await desk.placeOrder();
      await desk.waitUntilIdle(ref);
      await untilListed(workflowQuery(ref), 1);
      const { code, stdout, stderr } = await replay(workflowQuery(ref));
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout.split('\n')).toEqual([
        'order: 1 of 1 replayed, 1 failed',
        expect.stringMatching(
          new RegExp(`^FAILED  ${orderWorkflowId(ref.orderId)}, run [0-9a-f-]{36}: \\[TMPRL1100\\] Nondeterminism error: [^"]+$`),
        ),
        '',
      ]);
    });
    await connection.close();
  });

  it('counts only runs with a completed workflow task, and fails those with an unknown type', async () => {
    const id = `never-polled-${randomUUID()}`;
    const start = (type: string) =>
      desk.client.workflow.start(type, { workflowId: `${id}-${type}`, taskQueue: id, workflowExecutionTimeout: '1h' });
    const runs = [await start('retention'), await start('mystery')];
    const query = `TaskQueue = "${id}"`;
    await untilListed(query, 2);
    expect(await replay(`${query} AND WorkflowType = "retention"`)).toEqual({
      code: 0,
      stdout: 'retention: 0 of 1 replayed, 0 failed\n',
      stderr: '',
    });
    const { code, stdout, stderr } = await replay(`${query} AND WorkflowType = "mystery"`);
    for (const run of runs) await run.terminate();
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.split('\n')).toEqual([
      'mystery: 0 of 1 replayed, 1 failed',
      `FAILED  ${id}-mystery, run ${runs[1]?.firstExecutionRunId}: this build has no workflow of this type`,
      '',
    ]);
  });

  it('skips a run that Temporal deleted after listing it', async () => {
    expect(await historyOf(desk.client, { workflowId: 'order/none-of-ours', runId: randomUUID() })).toBeNull();
  });

  it('an empty or refused filter is a usage error, and a filter without matches exits with 1', async () => {
    expect(await replay('OrderNumber is odd')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^--query: .+\n$/) });
    expect(await replay('')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^--query is empty; .+\n$/) });
    expect(await replay('WorkflowId = "order/none-of-ours"')).toEqual({ code: 1, stdout: '', stderr: 'no run matches --query\n' });
  });
});
