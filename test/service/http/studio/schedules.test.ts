import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../../../../activities';
import { commonWorkerOptions } from '../../../../src/temporal/workers';
import { workflowBundle } from '../../../../src/temporal/workflow-bundle';
import { runTradePrint } from '../../../support/command-line';
import type { TestService } from '../../../support/service';
import { waitFor } from '../../../support/wait-for';
import { startOnDevServer, type OwnEnvironment } from '../../workflows/environment';
import { aToken } from './support';

interface Schedule {
  id: string;
  state: string;
  note: string | null;
  nextRunAt: string | null;
  runs: { failure: string | null; status: string; endedAt: string | null; result: Record<string, unknown> | null; workflowUrl: string }[];
}

/** A Temporal without schedules of other tests. */
describe('/schedules', () => {
  let own: OwnEnvironment;
  let service: TestService;
  beforeAll(async () => {
    own = await startOnDevServer([], {}, { worker: false });
    ({ service } = own);
    await service.startWorker();
    await service.deps.temporal.ensureSchedules('UTC');
  });
  afterAll(() => own.stop());
  const sweeper = () => service.deps.temporal.client.schedule.getHandle('sweeper');
  const cliEnv = () => ({ STUDIO_URL: `http://127.0.0.1:${service.api.studioPort}`, STUDIO_TOKEN: service.adminToken });
  const readSweeperSchedule = async (): Promise<Schedule | undefined> => {
    const { status, json } = await service.studio(await aToken(service, 'office')).get<Schedule[]>('/schedules');
    expect(status).toBe(200);
    return json.data.find(({ id }) => id === 'sweeper');
  };

  it('shows each run with its results, the next run, and whether the schedule is paused', async () => {
    await sweeper().trigger();
    const ended = await waitFor('a run that ended', async () => {
      const schedule = await readSweeperSchedule();
      return schedule?.runs[0]?.status === 'completed' && schedule;
    });
    expect(ended).toMatchObject({ state: 'running', note: null, nextRunAt: expect.stringMatching(/Z$/) });
    expect(ended.runs[0]).toMatchObject({
      endedAt: expect.stringMatching(/Z$/),
      result: { orders: 0, looked: 0, oldestCheckAt: null, deliveries: 0, idempotencyRecords: 0 },
      workflowUrl: expect.stringContaining('/workflows/sweep'),
    });
    await sweeper().pause('moving house');
    expect(await readSweeperSchedule()).toMatchObject({ state: 'paused', note: 'moving house', nextRunAt: null });
    const { stdout } = await runTradePrint(['schedules'], cliEnv());
    expect(stdout).toMatch(/^sweeper +paused +moving house +– /m);
    await sweeper().unpause();
  });

  it('names each failed step, and keeps the results of the others', async () => {
    await service.worker?.stop();
    const failWith = (message: string) => () => Promise.reject(ApplicationFailure.nonRetryable(message));
    const connection = await NativeConnection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' });
    const worker = await Worker.create({
      ...commonWorkerOptions(service.deps, { connection, shutdownGraceMs: 500 }),
      taskQueue: service.taskQueue,
      workflowBundle: await workflowBundle('orders'),
      activities: { ...createActivities(service.deps), forgetExpired: failWith('no such table'), sweepArtwork: failWith('no such bucket') },
    });
    await worker.runUntil(async () => {
      await sweeper().trigger();
      const failed = await waitFor('a run that failed', async () => {
        const run = (await readSweeperSchedule())?.runs[0];
        return run?.status === 'failed' && run;
      });
      expect(failed).toMatchObject({
        failure: 'forgetExpired: no such table; sweepArtwork: no such bucket',
        result: { orders: 0, looked: 0, deliveries: 0, events: 0, compared: 0 },
      });
      expect(failed.result).not.toHaveProperty('rateWindows');
    });
    await connection.close();
    const { stdout } = await runTradePrint(['schedules'], cliEnv());
    expect(stdout).toMatch(/^sweeper .* failed +forgetExpired: no such table; sweepArtwork: no such bucket +.*orders 0/m);
  });
});
