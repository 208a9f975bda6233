import { SEARCH_ATTRIBUTES } from '../../workflows/order-visibility';
import { deliveryWorkflowId } from '../../workflows/webhook-messages';
import { createOrdersWorker, createWebhooksWorker } from '../../src/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { anOrder } from '../support/baskets';
import { anEndpoint } from '../support/endpoints';
import { timeSkippingServerPath, workflowBundlePath } from '../support/infrastructure';
import { startService, type TestService } from '../support/service';
import { waitFor } from '../support/wait-for';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver';

const HOUR = 60 * 60 * 1000;
const MINUTES = [0, 1, 6, 21, 81, 321, 1041];

describe('the retry schedule of seventeen hours', () => {
  let temporal: TestWorkflowEnvironment;
  let receiver: WebhookReceiver;
  let service: TestService;
  let stopWorkers: () => Promise<void>;

  beforeAll(async () => {
    temporal = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path: timeSkippingServerPath() } } });
    receiver = await startReceiver();
    service = await startService({ temporalAddress: temporal.address, worker: false, env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin } });
    // This server knows no listing of search attributes, so they are named blindly; 2 is KEYWORD.
    await temporal.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes: Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map(({ name }) => [name, 2])) });
    const settings = { connection: temporal.nativeConnection, workflowBundle: { codePath: workflowBundlePath() }, shutdownGraceMs: 500 };
    const workers = await Promise.all([
      createOrdersWorker(service.deps, { ...settings, taskQueue: service.taskQueue }),
      createWebhooksWorker(service.deps, { ...settings, taskQueue: `${service.taskQueue}-webhooks` }),
    ]);
    const done = Promise.all(workers.map((worker) => worker.run()));
    await anEndpoint(service.deps.dataSource, service.account.accountId, receiver.url);
    stopWorkers = async () => {
      for (const worker of workers) worker.shutdown();
      await done;
    };
  });
  afterAll(async () => {
    await stopWorkers?.();
    await service?.stop();
    await receiver?.close();
    await temporal?.teardown();
  });

  /** One order whose endpoint answers 500 until attempt `succeedsAt`; the minutes at which attempts were scheduled. */
  async function attemptsOf(succeedsAt: number): Promise<{ minutes: number[]; state: string }> {
    let attempt = 0;
    receiver.answerWith((_, response) => {
      attempt += 1;
      response.writeHead(attempt === succeedsAt ? 200 : 500, { 'retry-after': '7' }).end();
    });
    const order = await anOrder(service.trade(service.account.testKey));
    const [{ id }] = await service.deps.dataSource.query('SELECT id FROM webhook_deliveries WHERE order_id = $1', [order.orderId]);
    const handle = service.deps.temporal.client.workflow.getHandle(deliveryWorkflowId(id));
    await waitFor('the delivery workflow', () => handle.describe().then(() => true, () => false));
    await temporal.sleep(18 * HOUR);
    const state = await waitFor('the end of the chain', async () => {
      const [row] = await service.deps.dataSource.query('SELECT state FROM webhook_deliveries WHERE id = $1', [id]);
      return row.state === 'pending' ? null : row.state;
    });
    const { events = [] } = await handle.fetchHistory();
    const times = (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'attemptDelivery')
      .map((event) => Number(event.eventTime?.seconds ?? 0));
    return { minutes: times.map((seconds) => Math.round((seconds - (times[0] ?? 0)) / 60)), state };
  }

  it('attempts at 0, 1m, 6m, 21m, 1h21m, 5h21m and 17h21m, whatever Retry-After says, then gives up', async () => {
    expect(await attemptsOf(0)).toEqual({ minutes: MINUTES, state: 'failed' });
  });

  it.each([1, 2, 3, 4, 5, 6, 7])('stops at success on attempt %i', async (attempt) => {
    expect(await attemptsOf(attempt)).toEqual({ minutes: MINUTES.slice(0, attempt), state: 'delivered' });
  });
});
