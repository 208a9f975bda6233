import { MockActivityEnvironment } from '@temporalio/testing';
import { createWebhookActivities } from '../../../activities';
import { createWebhookSender } from '../../../src/webhooks/send';
import { aTrader } from '../http/support';
import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService } from '../../support/service';
import { useReceiver, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { startReceiver } from '../../support/webhook-receiver';

const CONCURRENCY = 4;
const MAX_WAITING = 4;

describe('retries of an endpoint that hangs', () => {
  const receiver = useReceiver();
  // An attempt that times out on a slow machine would be another request.
  const service = useService(() => ({
    worker: false,
    webhookSender: createWebhookSender({ allowedOrigins: [receiver.origin], timeoutMs: 50_000 }),
  }));
  beforeEach(() => {
    receiver.received.length = 0;
  });

  /** Retries that are due, and an endpoint that answers them after `answerAll`. */
  async function hangingRetries(count: number) {
    const { trade, accountId } = await aTrader(service);
    const { id: endpointId } = await anEndpoint(service.deps.database, accountId, receiver.url);
    const open: (() => void)[] = [];
    receiver.respondWith((_, response) => void open.push(() => response.writeHead(204).end()));
    for (let index = 0; index < count; index += 1) await anOrder(trade);
    const deliveries = await service.deps.database.rows<{ id: string }>(
      `UPDATE webhook_deliveries SET attempts = 1, handed_over_at = now() WHERE endpoint_id = $1 RETURNING id`,
      [endpointId],
    );
    const { attemptDelivery } = createWebhookActivities(service.deps);
    const ended: unknown[] = [];
    const begin = ({ id }: { id: string }) => {
      const environment = new MockActivityEnvironment();
      const ends = environment
        .run(() => attemptDelivery({ deliveryId: id, chain: 1, attempt: 2 }))
        .then((result: unknown) => void ended.push(result));
      return { ends, cancel: () => environment.cancel() };
    };
    const answerAll = (): void => {
      receiver.respondWith((_, response) => void response.writeHead(204).end());
      for (const answer of open) answer();
    };
    return { endpointId, deliveries, begin, ended, answerAll };
  }

  it('four run concurrently, four wait, and the next asks again after a time that grows with the number due', async () => {
    const { deliveries, begin, ended, answerAll } = await hangingRetries(CONCURRENCY + MAX_WAITING + 1);
    const retries = deliveries.map((delivery) => begin(delivery).ends);
    await Promise.race(retries);
    expect(ended).toEqual([{ outcome: 'busy', delayMs: expect.any(Number) }]);
    const [{ delayMs }] = ended as [{ delayMs: number }];
    expect(delayMs).toBeGreaterThanOrEqual(1_500); // nine are due, in three rounds of a second
    expect(delayMs).toBeLessThanOrEqual(3_000);
    await receiver.waitFor(CONCURRENCY);
    expect(receiver.received).toHaveLength(CONCURRENCY);
    answerAll();
    await Promise.all(retries);
    expect(ended.slice(1)).toEqual(deliveries.slice(1).map(() => ({ outcome: 'delivered' })));
    expect(receiver.eventIds().size).toBe(CONCURRENCY + MAX_WAITING);
  });

  it('a waiting one that is cancelled ends at once and is not sent', async () => {
    const { endpointId, deliveries, begin, answerAll } = await hangingRetries(CONCURRENCY + 1);
    const running = deliveries.slice(0, CONCURRENCY).map(begin);
    await receiver.waitFor(CONCURRENCY);
    const waits = begin(deliveries[CONCURRENCY] as { id: string });
    await waitFor('one that waits', async () => service.deps.attemptQueue.size(endpointId) === CONCURRENCY + 1);
    waits.cancel();
    await expect(waits.ends).rejects.toThrow('CANCELLED');
    answerAll();
    await Promise.all(running.map(({ ends }) => ends));
    expect(receiver.received).toHaveLength(CONCURRENCY);
    expect(service.deps.attemptQueue.size(endpointId)).toBe(0);
  });
});

it('a ping does not wait for retries that hang, even if they take all slots of the worker', async () => {
  const [hanging, good] = [await startReceiver(), await startReceiver()];
  const service = await startService({
    env: { WORKER_WEBHOOK_SLOTS: '4', WEBHOOK_RETRY_SCHEDULE: '1ms' },
    webhookSender: createWebhookSender({ allowedOrigins: [hanging.origin, good.origin], timeoutMs: 50_000 }),
  });
  const answers: (() => void)[] = [];
  hanging.respondWith(({ id }, response) => {
    const isFirst = hanging.received.filter((attempt) => attempt.id === id).length === 1;
    if (isFirst) response.writeHead(500).end();
    else answers.push(() => response.writeHead(204).end());
  });
  const { trade, accountId } = await aTrader(service);
  await anEndpoint(service.deps.database, accountId, hanging.url);
  const { id } = await anEndpoint(service.deps.database, service.account.accountId, good.url);
  for (let index = 0; index < 4; index += 1) await anOrder(trade);
  await waitFor('four retries that hang', async () => answers.length === 4);
  const reply = await service.studio().post(`/webhook-endpoints/${id}/ping`);
  for (const answer of answers) answer();
  expect([reply.status, reply.json.data?.ok, good.received.map(({ type }) => type)]).toEqual([200, true, ['ping']]);
  await service.stop();
  await hanging.close();
  await good.close();
});
