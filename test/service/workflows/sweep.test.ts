import { Context } from '@temporalio/activity';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../../../activities';
import { newSecret } from '../../../src/security/ids';
import { commonWorkerOptions } from '../../../src/temporal/workers';
import { workflowBundle } from '../../../src/temporal/workflow-bundle';
import { copyQuote } from '../../support/row-copies';
import { holdLock } from '../../support/held-lock';
import { startService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startOnTimeSkippingServer, type OwnEnvironment } from './environment';
import { OrderDriver } from './order-driver';

describe('the sweep', () => {
  let environment: OwnEnvironment;
  let desk: OrderDriver;
  beforeAll(async () => {
    environment = await startOnTimeSkippingServer();
    desk = new OrderDriver(environment.service);
  });
  afterAll(() => environment?.stop());

  const start = () =>
    environment.temporal.client.workflow.start('sweep', { workflowId: `sweep-${newSecret()}`, taskQueue: environment.service.taskQueue });

  it('a failed step does not stop the other steps, and the run fails with its reason', async () => {
    const ref = await desk.placeOrder();
    await desk.handle(ref).terminate('lost');
    await desk.sql(`UPDATE orders SET workflow_checked_at = workflow_checked_at - interval '2 minutes'`);
    await desk.sql('ALTER TABLE rate_windows RENAME TO rate_windows_away');
    try {
      const run = await start();
      await expect(run.result()).rejects.toMatchObject({
        cause: {
          message: expect.stringMatching(/^forgetExpired: .*rate_windows[^;]*$/),
          details: [{ orders: 1, deliveries: 0, events: 0, compared: 0, removed: 0 }],
        },
      });
      const { events } = await run.fetchHistory();
      expect((events ?? []).filter((event) => event.activityTaskCompletedEventAttributes)).toHaveLength(8);
    } finally {
      await desk.sql('ALTER TABLE rate_windows_away RENAME TO rate_windows');
    }
    expect((await desk.handle(ref).describe()).status.name).toBe('RUNNING');
    expect(await (await start()).result()).toMatchObject({ orders: 0, idempotencyRecords: 0, events: 0, compared: 0, removed: 0 });
  });

  it('a sweep that is cancelled ends as cancelled', async () => {
    const lock = await holdLock(desk.service.deps.database, 'LOCK TABLE rate_windows');
    try {
      const run = await start();
      await run.cancel();
      await expect(run.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    } finally {
      await lock.release();
    }
  });
});

it('a pass of the retention sends heartbeats, and once cancelled ends after its current batch', async () => {
  const service = await startService({ worker: false });
  const connection = await NativeConnection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' });
  const desk = new OrderDriver(service);
  const activities = createActivities(service.deps);
  let [pass, stop]: [Promise<unknown>?, AbortSignal?] = [];
  const eraseQuoteAddresses = () => {
    stop = Context.current().cancellationSignal;
    return (pass = activities.eraseQuoteAddresses());
  };
  const worker = await Worker.create({
    ...commonWorkerOptions(service.deps, { connection, shutdownGraceMs: 500 }),
    taskQueue: service.taskQueue,
    workflowBundle: await workflowBundle('orders'),
    activities: { ...activities, eraseQuoteAddresses },
  });
  const start = () => desk.client.workflow.start('retention', { workflowId: `retention-${newSecret()}`, taskQueue: service.taskQueue });
  try {
    await worker.runUntil(async () => {
      const first = await desk.createQuote();
      await desk.sql(`UPDATE quotes SET expires_at = now() - interval '100 days' WHERE id = $1`, [first]);
      await copyQuote(service.deps.database, first, 1200);
      const lock = await holdLock(service.deps.database, 'LOCK TABLE quotes IN EXCLUSIVE MODE');
      try {
        const run = await start();
        await waitFor('a heartbeat', async () => {
          const { pendingActivities } = (await run.describe()).raw;
          const pending = pendingActivities?.find(({ activityType }) => activityType?.name === 'eraseQuoteAddresses');
          return msOf(pending?.lastHeartbeatTime) > msOf(pending?.lastStartedTime);
        });
        await run.cancel();
        await expect(run.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
        await waitFor('the cancellation in the activity', async () => stop?.aborted);
      } finally {
        await lock.release();
      }
      await expect(pass).rejects.toMatchObject({ name: 'CancelledFailure' });
      expect(await desk.sql(`SELECT 1 FROM quotes WHERE shipping_address->>'name' = '[erased]'`)).toHaveLength(500);
      expect(await (await start()).result()).toEqual({ quotes: 701, attempts: 0 });
    });
  } finally {
    await connection.close();
    await service.stop();
  }
});

const msOf = (time: Parameters<typeof optionalTsToMs>[0]): number => optionalTsToMs(time) ?? 0;
