import { deliveryWorkflowId } from '../../../workflows/webhook-messages';
import { createWebhooksWorker } from '../../../src/processes/relay';
import { Relay } from '../../../src/relay/relay';
import { createOrdersWorker } from '../../../src/processes/worker';
import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { SHUTDOWN_GRACE_MS } from '../../../src/temporal/workers';
import { useReceiver, useService, useFixture } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { createTimeSkipping } from './environment';

const HOUR = 60 * 60 * 1000;
const MINUTES = [0, 1, 6, 21, 81, 321, 1041];

describe('the retry schedule of seventeen hours', () => {
  /** Difference between the server's time and this process's. Attempts use the server's time. */
  let aheadMs = 0;

  const temporal = useFixture(createTimeSkipping, (environment) => environment.teardown());
  const receiver = useReceiver();
  const service = useService(() => ({
    temporalAddress: temporal.address,
    worker: false,
    env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin },
    clock: { now: () => new Date(Date.now() + aheadMs) },
  }));
  const startWorkers = async () => {
    const settings = { connection: temporal.nativeConnection, shutdownGraceMs: 500 };
    const workers = await Promise.all([
      createOrdersWorker(service.deps, { ...settings, taskQueue: service.taskQueue }),
      createWebhooksWorker(service.deps, { ...settings, taskQueue: `${service.taskQueue}-webhooks` }),
    ]);
    const done = Promise.all(workers.map((worker) => worker.run()));
    const relay = new Relay(service.deps);
    relay.start();
    await anEndpoint(service.deps.database, service.account.accountId, receiver.url);
    const stop = async () => {
      await relay.stop(SHUTDOWN_GRACE_MS);
      for (const worker of workers) worker.shutdown();
      await done;
    };
    return { stop };
  };
  useFixture(startWorkers, (started) => started.stop());

  /** One order whose endpoint answers 500 until attempt `succeedsAt`. Returns the minutes of its attempts. */
  async function runAttempts(succeedsAt: number): Promise<{ minutes: number[]; state: string }> {
    let attempt = 0;
    receiver.respondWith((_, response) => {
      attempt += 1;
      response.writeHead(attempt === succeedsAt ? 200 : 500, { 'retry-after': '7' }).end();
    });
    aheadMs = (await temporal.currentTimeMs()) - Date.now();
    const order = await anOrder(service.trade(service.account.testKey));
    const readDelivery = async () =>
      (await sql('SELECT id, state, handed_over_at FROM webhook_deliveries WHERE order_id = $1', [order.orderId]))[0];
    const { id, state: early } = await waitFor('the first attempt', async () => {
      const found = await readDelivery();
      return found?.state !== 'pending' || found.handed_over_at !== null ? found : null;
    });
    const [{ at }] = await sql('SELECT at FROM webhook_attempts WHERE delivery_id = $1 AND number = 1', [id]);
    if (early !== 'pending') return { minutes: [0], state: early };
    await temporal.sleep(18 * HOUR);
    const state = await waitFor('the end of the chain', async () => {
      const found = await readDelivery();
      return found?.state === 'pending' ? null : found?.state;
    });
    const { events = [] } = await service.deps.temporal.client.workflow.getHandle(deliveryWorkflowId(id)).fetchHistory();
    const times = (events ?? [])
      .filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'attemptDelivery')
      .map((event) => Number(event.eventTime?.seconds ?? 0));
    // Real time passes in every attempt, on a slow machine half a minute in all, so each wait is rounded.
    const minutes = [0];
    for (const [index, seconds] of times.entries())
      minutes.push((minutes.at(-1) ?? 0) + Math.round((seconds - (times[index - 1] ?? at.getTime() / 1000)) / 60));
    return { minutes, state };
  }

  const sql = (text: string, parameters: unknown[]): Promise<any[]> => service.deps.database.rows(text, parameters);

  it('attempts at 0, 1m, 6m, 21m, 1h21m, 5h21m and 17h21m, for any Retry-After, then gives up', async () => {
    expect(await runAttempts(0)).toEqual({ minutes: MINUTES, state: 'failed' });
  });

  it.each([1, 2, 3, 4, 5, 6, 7])('stops at success on attempt %i', async (attempt) => {
    expect(await runAttempts(attempt)).toEqual({ minutes: MINUTES.slice(0, attempt), state: 'delivered' });
  });
});
