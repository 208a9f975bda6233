import { MockActivityEnvironment } from '@temporalio/testing';
import { createWebhookActivities } from '../../../activities';
import { aTrader } from '../http/support';
import { KeyedQueue } from '../../../src/runtime/keyed-queue';
import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService, type TestService } from '../../support/service';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';

const AT_ONCE = 4;
const WAITING = 4;
/** So patient that what follows depends on no clock. */
const PATIENT_RETRIES = { concurrency: AT_ONCE, maxWaiting: WAITING, maxWaitMs: 600_000 };

describe('retries of an endpoint that hangs', () => {
  let receiver: WebhookReceiver;
  let service: TestService;
  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startService({ worker: false, env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin } });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  it('four are made at once, four wait for them, and the next is told to ask again', async () => {
    const { database } = service.deps;
    const { trade, accountId } = await aTrader(service);
    await anEndpoint(database, accountId, receiver.url);
    const open: (() => void)[] = [];
    receiver.answerWith((_, response) => void open.push(() => response.writeHead(204).end()));
    for (let index = 0; index < AT_ONCE + WAITING + 1; index += 1) await anOrder(trade);
    const deliveries = await database.rows<{ id: string }>(
      `UPDATE webhook_deliveries SET attempts = 1, handed_over_at = now() RETURNING id`,
    );
    const { attemptDelivery } = createWebhookActivities({ ...service.deps, retries: new KeyedQueue(PATIENT_RETRIES) });
    const ended: unknown[] = [];
    const retries = deliveries.map(async ({ id }) => {
      const result: unknown = await new MockActivityEnvironment().run(() => attemptDelivery({ deliveryId: id, chain: 1, attempt: 2 }));
      ended.push(result);
    });
    await Promise.race(retries);
    expect(ended).toEqual([{ outcome: 'busy', delayMs: expect.any(Number) }]);
    await receiver.waitFor(AT_ONCE);
    expect(receiver.received).toHaveLength(AT_ONCE);
    receiver.answerWith((_, response) => void response.writeHead(204).end());
    for (const answer of open) answer();
    await Promise.all(retries);
    expect(ended.slice(1)).toEqual(deliveries.slice(1).map(() => ({ outcome: 'delivered' })));
    expect(receiver.eventIds().size).toBe(AT_ONCE + WAITING);
  });
});
