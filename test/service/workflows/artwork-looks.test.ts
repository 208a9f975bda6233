import { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../../../activities';
import { commonWorkerOptions } from '../../../src/temporal/workers';
import { ARTWORK_GRACE_MS } from '../../../src/domain/artwork-rules';
import { HOUR_MS } from '../../../src/domain/duration';
import { workflowBundle } from '../../../src/temporal/workflow-bundle';
import { orderState, orderWorkflowId } from '../../../workflows/messages';
import { aLine, anOrder, declareArtwork } from '../../support/baskets';
import { startService } from '../../support/service';
import { installRuntime } from '../../support/temporal-runtime';
import { waitFor } from '../../support/wait-for';

it('a late check for artwork keeps the time of a newer replacement', async () => {
  installRuntime();
  let behindMs = HOUR_MS;
  const service = await startService({ worker: false, clock: { now: () => new Date(Date.now() - behindMs) } });
  const { deps, taskQueue } = service;
  const activities = createActivities(deps);
  let answered: string | null | undefined;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const connection = await NativeConnection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' });
  const worker = await Worker.create({
    ...commonWorkerOptions(deps, { connection, shutdownGraceMs: 500 }),
    workflowBundle: await workflowBundle('orders'),
    taskQueue,
    activities: {
      ...activities,
      // The response to Temporal is held until its release.
      checkMissingArtwork: async (input: { orderId: string }) => {
        behindMs = 0;
        answered = await activities.checkMissingArtwork(input);
        await released;
        return answered;
      },
    },
  });
  const done = worker.run();
  const trade = service.trade(service.account.testKey);
  const [first, second] = [await declareArtwork(trade), await declareArtwork(trade)];
  // The service's clock reaches this time with the first check.
  await deps.database.run(`UPDATE uploads SET expires_at = $2 WHERE url = $1`, [first.url, new Date(Date.now() - ARTWORK_GRACE_MS)]);
  const { orderId } = await anOrder(trade, { items: [aLine(first.url)] });
  await waitFor('the first check', async () => answered !== undefined);
  expect(answered).toBeNull();

  expect((await trade.post(`/orders/${orderId}/lines/0/artwork`, { imageUrl: second.url })).status).toBe(200);
  const handle = deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));
  const due = (await handle.query(orderState))?.artworkDue;
  expect(due).toEqual(expect.any(String));
  release();
  await waitFor('the answer', async () => {
    const { events } = await handle.fetchHistory();
    return events?.some((event) => event.activityTaskCompletedEventAttributes);
  });
  expect((await handle.query(orderState))?.artworkDue).toBe(due);

  worker.shutdown();
  await done;
  await connection.close();
  await service.stop();
});
