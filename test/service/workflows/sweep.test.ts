import { optionalTsToMs } from '@temporalio/common/lib/time';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../../activities';
import { newSecret } from '../../../src/security/ids';
import { copiesOfQuote } from '../../support/copies';
import { holdLock } from '../../support/held-lock';
import { startService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { onTimeSkippingServer, type OwnEnvironment } from './environment';
import { OrderDesk } from './order-desk';

describe('what runs by schedule', () => {
  let environment: OwnEnvironment;
  let desk: OrderDesk;
  beforeAll(async () => {
    environment = await onTimeSkippingServer();
    desk = new OrderDesk(environment.service);
  });
  afterAll(() => environment?.stop());

  const start = (type: 'sweep' | 'retention') =>
    environment.temporal.client.workflow.start(type, { workflowId: `${type}-${newSecret()}`, taskQueue: environment.service.taskQueue });

  it('a step of the sweep that fails keeps no other from its end, and the run fails with its reason', async () => {
    const ref = await desk.order();
    await desk.handle(ref).terminate('lost');
    await desk.sql(`UPDATE orders SET workflow_seen_at = workflow_seen_at - interval '2 minutes'`);
    await desk.sql('ALTER TABLE rate_windows RENAME TO rate_windows_away');
    try {
      const run = await start('sweep');
      await expect(run.result()).rejects.toMatchObject({
        cause: { activityType: 'forgetExpired', cause: { message: expect.stringContaining('rate_windows') } },
      });
      const { events } = await run.fetchHistory();
      expect((events ?? []).filter((event) => event.activityTaskCompletedEventAttributes)).toHaveLength(6);
    } finally {
      await desk.sql('ALTER TABLE rate_windows_away RENAME TO rate_windows');
    }
    expect((await desk.handle(ref).describe()).status.name).toBe('RUNNING');
    expect(await (await start('sweep')).result()).toMatchObject({ orders: 0, idempotencyRecords: 0, events: 0, compared: 0, removed: 0 });
  });

  it('a pass of the retention that is cancelled ends after the batch it is at', async () => {
    const first = await desk.quote();
    await desk.sql(`UPDATE quotes SET expires_at = now() - interval '100 days' WHERE id = $1`, [first]);
    await copiesOfQuote(desk.service.deps.database, first, 1200, { hold_started_at: new Date() });
    const left = async () =>
      (await desk.sql(`SELECT 1 FROM quotes WHERE expires_at < now() - interval '99 days' AND shipping_address->>'name' <> '[erased]'`))
        .length;
    const lock = await holdLock(desk.service.deps.database, 'LOCK TABLE quotes IN EXCLUSIVE MODE');
    const attempt = new MockActivityEnvironment();
    const pass = attempt.run(createActivities(desk.service.deps).forgetAddresses);
    try {
      await waitFor(
        'the first batch waits',
        async () => (await desk.sql(`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'quotes'::regclass`)).length > 0,
      );
      attempt.cancel();
    } finally {
      await lock.release();
    }
    await expect(pass).rejects.toMatchObject({ name: 'CancelledFailure' });
    expect(await left()).toBe(701);
    expect(await (await start('retention')).result()).toEqual({ quotes: 701 });
  });
});

it('a pass of the retention sends heartbeats while it works', async () => {
  const service = await startService();
  try {
    const desk = new OrderDesk(service);
    await desk.sql(`UPDATE quotes SET expires_at = now() - interval '100 days' WHERE id = $1`, [await desk.quote()]);
    const lock = await holdLock(service.deps.database, 'LOCK TABLE quotes IN EXCLUSIVE MODE');
    const run = await desk.client.workflow.start('retention', { workflowId: `retention-${newSecret()}`, taskQueue: service.taskQueue });
    try {
      await waitFor('a heartbeat', async () => {
        const [pending] = (await run.describe()).raw.pendingActivities ?? [];
        return msOf(pending?.lastHeartbeatTime) > msOf(pending?.lastStartedTime);
      });
    } finally {
      await lock.release();
    }
    expect(await run.result()).toEqual({ quotes: 1 });
  } finally {
    await service.stop();
  }
});

const msOf = (time: Parameters<typeof optionalTsToMs>[0]): number => optionalTsToMs(time) ?? 0;
