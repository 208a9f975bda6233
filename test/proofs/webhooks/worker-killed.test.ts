import { orderWorkflowId } from '../../../workflows/messages';
import { deliveryWorkflowId } from '../../../workflows/webhook-messages';
import { aQuote, placeOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { holdLock } from '../../support/held-lock';
import type { ForkedProcess } from '../../support/forked';
import { temporalAddress } from '../../support/infrastructure';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { isSignedBy, startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { TcpProxy } from '../../support/tcp-proxy';
import { findTimerEnds } from '../../service/webhooks/support/delivery-timers';
import { startWorkerProcess } from '../../service/webhooks/support/worker-process';
import { sweepOnce } from '../../support/sweep';

/** A service without a worker in this process, and a receiver of its account. */
class WorkerWorld {
  private readonly running: ForkedProcess[] = [];

  private constructor(
    readonly receiver: WebhookReceiver,
    readonly service: TestService,
    private readonly secret: string,
  ) {}

  static async run(scene: (world: WorkerWorld) => Promise<void>, retrySchedule = '3s,3s,3s,3s,3s,3s'): Promise<void> {
    const receiver = await startReceiver();
    const service = await startService({
      worker: false,
      env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: retrySchedule },
    });
    const { secret } = await anEndpoint(service.deps.database, service.account.accountId, receiver.url);
    const world = new WorkerWorld(receiver, service, secret);
    try {
      await scene(world);
    } finally {
      await Promise.all(world.running.map((worker) => worker.kill()));
      await receiver.close();
      await service.stop();
    }
  }

  sql<T = any>(text: string, parameters: unknown[] = []): Promise<T[]> {
    return this.service.deps.database.rows(text, parameters);
  }

  async startWorker(env: Record<string, string> = {}): Promise<ForkedProcess> {
    const worker = await startWorkerProcess(this.service, env);
    this.running.push(worker);
    return worker;
  }

  workflowOf(deliveryId: string) {
    return this.service.deps.temporal.client.workflow.getHandle(deliveryWorkflowId(deliveryId));
  }

  /** From now on requests get this status. */
  answerWith(status: number): void {
    this.receiver.respondWith((_, response) => void response.writeHead(status).end());
  }

  /** A placed order whose first event waits to be delivered. */
  async submit(): Promise<{ orderId: string; deliveryId: string }> {
    const trade = this.service.trade(this.service.account.testKey);
    const { quoteId } = await aQuote(trade);
    const reply = await placeOrder(trade, quoteId);
    expect(reply.status).toBe(201);
    const { orderId } = reply.json.data;
    const [{ id: deliveryId }] = await this.sql('SELECT id FROM webhook_deliveries WHERE order_id = $1', [orderId]);
    return { orderId, deliveryId };
  }

  /** A lock until it is released. */
  async hold(statement: string, parameters: unknown[] = []): Promise<() => Promise<void>> {
    const lock = await holdLock(this.service.deps.database, statement, parameters);
    return () => lock.release();
  }

  /** The event arrived `times` times, signed and identical. The row is delivered, and no work is open. */
  async arrived(deliveryId: string, times: number): Promise<void> {
    await waitFor(
      'delivered',
      async () => (await this.sql(`SELECT 1 FROM webhook_deliveries WHERE id = $1 AND state = 'delivered'`, [deliveryId])).length > 0,
    );
    const [{ retried }] = (await this.sql('SELECT handed_over_at IS NOT NULL AS retried FROM webhook_deliveries WHERE id = $1', [
      deliveryId,
    ])) as [{ retried: boolean }];
    if (retried) expect(await this.workflowOf(deliveryId).result()).toBe('delivered');
    const { received } = this.receiver;
    expect(received).toHaveLength(times);
    expect(new Set(received.map(({ id, rawBody }) => `${id} ${rawBody}`)).size).toBe(1);
    expect(received.every((each) => isSignedBy(each, this.secret))).toBe(true);
    expect(await this.sql(`SELECT id FROM webhook_deliveries WHERE state <> 'delivered'`)).toEqual([]);
  }

  attemptsOf(deliveryId: string): Promise<unknown[]> {
    return this.sql('SELECT number, ok, status FROM webhook_attempts WHERE delivery_id = $1 ORDER BY id', [deliveryId]);
  }
}

/**
 * A process with worker and relay is killed with SIGKILL at each step of a delivery, and another one takes over. Each test waits for
 * the claim of the killed process to expire, so the tests run concurrently.
 */
describe('a delivery whose relay is killed', () => {
  it.concurrent('is sent by another relay if none was running when its row was written', () =>
    WorkerWorld.run(async (world) => {
      const { deliveryId } = await world.submit();
      await world.startWorker();
      await world.arrived(deliveryId, 1);
    }),
  );

  it.concurrent("after recording its failure, with its retries and the order's workflow lost as well", () =>
    WorkerWorld.run(async (world) => {
      const { service } = world;
      world.answerWith(500);
      const worker = await world.startWorker();
      const { orderId, deliveryId } = await world.submit();
      await waitFor('its retries in progress', async () => (await findTimerEnds(service, deliveryId)).length > 0);
      const text = 'SELECT 1 FROM webhook_deliveries WHERE id = $1 AND handed_over_at IS NOT NULL';
      await waitFor('the relay has noted its handover', async () => (await world.sql(text, [deliveryId])).length > 0);
      await worker.kill();
      await service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId)).terminate();
      await world.workflowOf(deliveryId).terminate();
      await world.sql(`UPDATE webhook_deliveries SET next_attempt_at = now() - interval '3 minutes', claimed_until = NULL WHERE id = $1`, [
        deliveryId,
      ]);
      expect(await sweepOnce(service.deps)).toMatchObject({ deliveries: 1 });
      world.answerWith(204);
      const before = world.receiver.received.length;
      await world.startWorker();
      await world.arrived(deliveryId, before + 1);
    }, '3s,1h,1h,1h,1h,1h'),
  );

  it.concurrent('while its request is at the receiver', () =>
    WorkerWorld.run(async (world) => {
      const { receiver } = world;
      const worker = await world.startWorker();
      receiver.respondWith(() => undefined);
      const { deliveryId } = await world.submit();
      await receiver.waitFor(1);
      await worker.kill();
      world.answerWith(204);
      await world.startWorker();
      await world.arrived(deliveryId, 2);
      expect(await world.attemptsOf(deliveryId)).toEqual([{ number: 1, ok: true, status: 204 }]);
    }),
  );

  it.concurrent('after the receiver has answered, before recording it', () =>
    WorkerWorld.run(async (world) => {
      const { receiver } = world;
      const worker = await world.startWorker();
      let release: (() => Promise<void>) | undefined;
      receiver.respondWith(({ id }, response) => {
        void world.hold('SELECT id FROM webhook_deliveries WHERE event_id = $1 FOR UPDATE', [id]).then((letGo) => {
          release = letGo;
          response.writeHead(204).end();
        });
      });
      const { deliveryId } = await world.submit();
      await receiver.waitFor(1);
      await waitFor('the reply in transit', async () => release !== undefined);
      await worker.kill();
      world.answerWith(204);
      await release?.();
      expect(await world.attemptsOf(deliveryId)).toEqual([]);
      await world.startWorker();
      await world.arrived(deliveryId, 2);
      expect(await world.attemptsOf(deliveryId)).toEqual([{ number: 1, ok: true, status: 204 }]);
    }),
  );

  it.concurrent('after recording its failure, before its retry workflow starts: the attempt is not repeated', () =>
    WorkerWorld.run(async (world) => {
      const { receiver } = world;
      const line = await TcpProxy.to(await temporalAddress());
      const worker = await world.startWorker({ TEMPORAL_ADDRESS: line.address });
      let answer = (): void => undefined;
      receiver.respondWith((_, response) => {
        answer = () => void response.writeHead(500).end();
      });
      const { deliveryId } = await world.submit();
      await receiver.waitFor(1);
      line.stall();
      answer();
      await waitFor('the failure to be recorded', async () => (await world.attemptsOf(deliveryId)).length > 0);
      await worker.kill();
      await line.close();
      world.answerWith(204);
      await world.startWorker();
      await world.arrived(deliveryId, 2);
      expect(await world.attemptsOf(deliveryId)).toEqual([
        { number: 1, ok: false, status: 500 },
        { number: 2, ok: true, status: 204 },
      ]);
    }),
  );

  it.concurrent('between two attempts', () =>
    WorkerWorld.run(async (world) => {
      const { service } = world;
      const worker = await world.startWorker();
      world.answerWith(500);
      const { deliveryId } = await world.submit();
      await waitFor('the timer between attempts', async () => (await findTimerEnds(service, deliveryId)).length > 0);
      await worker.kill();
      world.answerWith(204);
      const before = world.receiver.received.length; // two on a machine so slow that the timer ended before the kill
      await world.startWorker();
      await world.arrived(deliveryId, before + 1);
      const attempts = await world.attemptsOf(deliveryId);
      expect([attempts[0], attempts.at(-1)]).toMatchObject([
        { number: 1, ok: false, status: 500 },
        { ok: true, status: 204 },
      ]);
    }),
  );
});
