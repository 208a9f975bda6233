import type { Worker } from '@temporalio/worker';
import { createPingsWorker, createWebhooksWorker } from '../../../src/processes/relay';
import { createOrdersWorker } from '../../../src/processes/worker';
import { recordProcess } from '../../../src/db/repositories/processes';
import { HttpClient } from '../../support/client';
import { runTradePrint } from '../../support/command-line';
import { expectSoon, waitFor } from '../../support/wait-for';
import { startOnDevServer, type OwnEnvironment } from '../workflows/environment';
import { aMilestone, OrderDriver, type OrderRef } from '../workflows/order-driver';

/** A Temporal without builds of other tests. */
describe('with TEMPORAL_BUILD_ID', () => {
  let own: OwnEnvironment;
  let desk: OrderDriver;
  const running: { worker: Worker; done: Promise<void> }[] = [];
  beforeAll(async () => {
    // A new current build reaches several partitions one after the other.
    const partitions = ['matching.numTaskqueueReadPartitions=1', 'matching.numTaskqueueWritePartitions=1'];
    own = await startOnDevServer(partitions, {}, { worker: false });
    desk = new OrderDriver(own.service);
  });
  afterAll(async () => {
    for (const { worker } of running) worker.shutdown();
    await Promise.all(running.map(({ done }) => done));
    await own.stop();
  });

  async function startWorkers(buildId: string | null): Promise<void> {
    const { deps, taskQueue } = own.service;
    const { config } = deps;
    const ofBuild = { ...deps, config: { ...config, temporal: { ...config.temporal, buildId } } };
    const settings = {
      connection: own.temporal.nativeConnection,
      shutdownGraceMs: 500,
    };
    const workers = await Promise.all([
      createOrdersWorker(ofBuild, { ...settings, taskQueue }),
      createWebhooksWorker(ofBuild, { ...settings, taskQueue: `${taskQueue}-webhooks` }),
      createPingsWorker(ofBuild, { ...settings, taskQueue: `${taskQueue}-webhooks` }),
    ]);
    running.push(...workers.map((worker) => ({ worker, done: worker.run() })));
  }

  async function migrate(buildId: string): Promise<void> {
    const { DATABASE_URL = '', TEMPORAL_ADDRESS = '' } = own.service.env;
    const { code, stdout, stderr } = await runTradePrint(['migrate'], { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_BUILD_ID: buildId });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Temporal sends new tasks to workers of build ${buildId} after the first one polls`);
  }

  /** The build of each workflow task of the order; null for unversioned workers. */
  async function buildsOf(ref: OrderRef): Promise<(string | null)[]> {
    await desk.waitUntilIdle(ref);
    const { events } = await desk.handle(ref).fetchHistory();
    return (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: task }) =>
      task ? [task.deploymentVersion?.buildId ?? null] : [],
    );
  }
  /** The server updates its task queues a moment after it sets a version. */
  const untilBuildIsCurrent = (buildId: string) =>
    waitFor(`build ${buildId} of the task queue`, async () => {
      const { versioningInfo } = await desk.client.workflowService.describeTaskQueue({
        namespace: 'default',
        taskQueue: { name: own.service.taskQueue },
        taskQueueType: 1,
      });
      return versioningInfo?.currentDeploymentVersion?.buildId === buildId;
    });
  /** Null if a busy Temporal does not answer in time. */
  const hasWorker = () => own.service.deps.temporal.isWorkerPolling('orders').catch(() => null);
  const readReadiness = async () => {
    const [trade, studio] = await Promise.all(
      [own.service.api.tradePort, own.service.api.studioPort].map((port) => new HttpClient(`http://127.0.0.1:${port}`).get('/readyz')),
    );
    return { trade: trade?.status, studio: studio?.status, checks: studio?.json.data.checks };
  };

  it('unversioned workers get tasks until one of the first build polls; the studio names what is missing', async () => {
    await startWorkers(null);
    await recordProcess(own.service.deps.database, 'relay-a', 'relay');
    await migrate('a'); // before its workers poll, as in docker-compose.yml
    expect(new Set(await buildsOf(await desk.placeOrder()))).toEqual(new Set([null]));
    await expectSoon(hasWorker).toBe(false);
    // On a busy machine Temporal may answer some checks too late.
    await waitFor('the missing parts', async () => {
      const { trade, studio, checks } = await readReadiness();
      const isNamed = (part: string, name: string) => checks[part].includes(`start the ${name} process of the current release`);
      return trade === 200 && studio === 200 && checks.temporal === 'ok' && isNamed('workers', 'worker') && isNamed('relay', 'relay');
    });
  });

  /** Temporal sends an order's tasks to a build a moment after it has become current. */
  const untilTasksReach = (order: OrderRef, build: string): Promise<boolean> =>
    waitFor(`a task under build ${build}`, async () => {
      await desk.apply(order, aMilestone('held'));
      return (await buildsOf(order)).at(-1) === build;
    });

  it('an order continues under each build that migrate sets, and workers of the build before get no new tasks', async () => {
    await startWorkers('a');
    await untilBuildIsCurrent('a');
    await waitFor('a poll of the build', hasWorker);
    await waitFor('readiness', async () => {
      await recordProcess(own.service.deps.database, 'relay-a', 'relay');
      const { studio, checks } = await readReadiness();
      return studio === 200 && checks.relay === 'ok';
    });
    const order = await desk.placeOrder();
    await desk.apply(order, aMilestone('production_started'));
    expect(new Set(await buildsOf(order))).toEqual(new Set(['a']));

    await migrate('b');
    await waitFor('a readiness that requires a worker of build b', async () => (await hasWorker()) === false);
    await startWorkers('b');
    await untilBuildIsCurrent('b');
    await waitFor('a poll of the build', hasWorker);
    await untilTasksReach(order, 'b');
    const underA = (await buildsOf(order)).length;
    const later = [await desk.placeOrder(), await desk.placeOrder()];
    for (const ref of [order, ...later]) await desk.apply(ref, aMilestone('printed'));
    for (const ref of [order, ...later]) await desk.signal(ref, aMilestone('held'));
    for (const ref of [order, ...later]) await waitFor('on hold', async () => (await desk.row(ref)).status === 'on_hold');
    expect(new Set((await buildsOf(order)).slice(underA))).toEqual(new Set(['b']));
    for (const ref of later) expect(new Set(await buildsOf(ref))).toEqual(new Set(['b']));

    await migrate('a');
    await untilBuildIsCurrent('a');
    await untilTasksReach(order, 'a');
  });

  it('an order of unversioned workers continues under the first build', async () => {
    await desk.client.workflowService.setWorkerDeploymentCurrentVersion({
      namespace: 'default',
      deploymentName: 'trade-print',
      ignoreMissingTaskQueues: true,
    });
    const order = await desk.placeOrder();
    expect(new Set(await buildsOf(order))).toEqual(new Set([null]));
    await migrate('b');
    await untilBuildIsCurrent('b');
    await untilTasksReach(order, 'b');
  });

  it('the backlog has the tasks of a build whose workers have stopped', async () => {
    for (const { worker } of running) worker.shutdown();
    await Promise.all(running.splice(0).map(({ done }) => done));
    await desk.placeOrder();
    const isWaiting = async () => {
      const backlogs = await own.service.deps.temporal.readBacklogs().catch(() => []);
      return backlogs.some(
        ({ queue, taskType, count, oldestSeconds }) => `${queue} ${taskType} ${count}` === 'orders workflow 1' && oldestSeconds > 0,
      );
    };
    expect(await waitFor('the waiting task', isWaiting)).toBe(true);
  });

  it('one deployment has the task queues of all workers', async () => {
    const { versionTaskQueues } = await desk.client.workflowService.describeWorkerDeploymentVersion({
      namespace: 'default',
      deploymentVersion: { deploymentName: 'trade-print', buildId: 'b' },
    });
    const { taskQueue } = own.service;
    expect(new Set(versionTaskQueues.map(({ name }) => name))).toEqual(
      new Set([taskQueue, `${taskQueue}-webhooks`, `${taskQueue}-webhooks-pings`]),
    );
  });
});
