import { spawnSync } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { projectRoot } from '../../src/dev/project';
import { ORDER_REVISION, quoteWorkflowId } from '../../workflows/messages';
import type { OrderRef } from '../../src/temporal';
import { deliveryWorkflowId } from '../../workflows/webhook-messages';
import { anAccount } from '../support/accounts';
import { anOrder } from '../support/baskets';
import { anEndpoint } from '../support/endpoints';
import { startService, type TestService } from '../support/service';
import { waitFor } from '../support/wait-for';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver';
import { onDevServer, type OwnEnvironment } from '../workflows/environment';
import { aMilestone, aParcel, aVoid, OrderDesk, refusalCode } from '../workflows/order-desk';

/**
 * Records one history of every workflow shape into test/replay/histories: `npm run histories`. Not a test; it runs under
 * jest for the sake of the servers that the tests have. A recorded history is never recorded again once its shape was
 * released: it is what runs in production, and stays until no such workflow is left.
 */
function record(temporalAddress: string, name: string, workflowId: string, runId?: string): void {
  const script = path.join(projectRoot, 'scripts', 'record-histories.mjs');
  const fetched = spawnSync(process.execPath, [script, '--as', name, workflowId, ...(runId === undefined ? [] : [runId])], {
    env: { ...process.env, TEMPORAL_ADDRESS: temporalAddress }, encoding: 'utf8',
  });
  if (fetched.status !== 0) throw new Error(fetched.stderr);
}

describe('recording', () => {
  let environment: OwnEnvironment;
  let desk: OrderDesk;
  afterEach(() => environment?.stop());

  const begin = async (dynamicConfig: string[], env: Record<string, string> = {}) => {
    environment = await onDevServer(dynamicConfig, env);
    desk = new OrderDesk(environment.service);
  };
  /** Orders of revision 1 were recorded under the plain names. */
  const save = async (name: string, workflowId: string, runId?: string) =>
    record(environment.temporal.address, name.replace(/^order-/, `order-r${ORDER_REVISION}-`), workflowId, runId);
  const idOf = (ref: OrderRef) => `order/${ref.orderId}`;
  const runOf = async (ref: OrderRef) => (await desk.handle(ref).describe()).runId;
  const closed = async (workflowId: string) => {
    await waitFor('closed', async () => (await desk.door.client.workflow.getHandle(workflowId).describe()).status.name !== 'RUNNING');
  };
  const saveClosed = async (name: string, workflowId: string) => {
    await closed(workflowId);
    await save(name, workflowId);
  };

  it('orders, holds and a sweep', async () => {
    await begin([], { ORDER_QUIET_PERIOD: '3s' });
    const quoteId = await desk.quote('live', false);
    await desk.door.startQuoteHold(quoteId, new Date(Date.now() + 3_600_000));
    const ref = await desk.submit(quoteId, 'live');
    await desk.atRest(ref);
    await saveClosed('quote-hold-consumed', quoteWorkflowId(quoteId));
    await desk.apply(ref, aMilestone('production_started', { actor: 'floor token' }));
    await desk.signal(ref, { milestoneId: 'bad-1', type: 'teleported' });
    await desk.apply(ref, aMilestone('printed'));
    await desk.apply(ref, aMilestone('held'));
    await desk.signal(ref, { milestoneId: 'bad-2', type: 'completed' });
    await desk.apply(ref, aMilestone('released'));
    await desk.apply(ref, { milestoneId: 'pay-1', type: 'payment_recorded', paymentId: 'pay-1', amountCents: 100 });
    await desk.apply(ref, { milestoneId: 'back-1', type: 'payment_reversed', paymentId: 'pay-1' });
    await desk.apply(ref, aParcel('p1'));
    await desk.apply(ref, aVoid('p1'));
    await desk.signal(ref, aParcel('p2'));
    await waitFor('shipped', async () => (await desk.row(ref)).status === 'shipped');
    await refusalCode(desk.cancel(ref));
    await desk.apply(ref, aMilestone('completed'));
    await saveClosed('order-completed', idOf(ref));
    await desk.apply(ref, aVoid('p2'));
    await saveClosed('order-resumed', idOf(ref));

    const plain = await desk.order();
    for (const message of [aMilestone('production_started'), aMilestone('printed'), aMilestone('held'), aMilestone('released'), aParcel('p1'), aMilestone('completed')]) {
      await desk.atRest(plain);
      await desk.apply(plain, message);
    }
    await saveClosed('order-whole-life', idOf(plain));

    const cancelled = await desk.order();
    await desk.atRest(cancelled);
    await desk.cancel(cancelled);
    await saveClosed('order-cancelled', idOf(cancelled));

    const poor = await anAccount(environment.service.deps.dataSource, { creditLimitCents: 0 });
    const refusedQuote = await desk.quote();
    await desk.sql(`UPDATE quotes SET account_id = $2 WHERE id = $1`, [refusedQuote, poor.accountId]);
    await refusalCode(desk.submit(refusedQuote, 'test', poor.accountId));
    await saveClosed('order-refused', `order/${refusedQuote.replace('quo_', 'ord_')}`);

    const unknown: OrderRef = { orderId: 'ord_0123456789', orderNumber: 'T-0', accountId: 'acc_0123456789', environment: 'test' };
    await refusalCode(desk.apply(unknown, aMilestone('printed')));
    await saveClosed('order-unknown', idOf(unknown));

    const expired = await desk.quote();
    await desk.door.startQuoteHold(expired, new Date(Date.now() + 1500));
    await saveClosed('quote-hold-expired', quoteWorkflowId(expired));
    const late = await desk.quote();
    await desk.door.startQuoteHold(late, new Date(0));
    await saveClosed('quote-hold-late', quoteWorkflowId(late));

    await desk.door.client.workflow.execute('sweep', { workflowId: 'sweep', taskQueue: environment.service.taskQueue });
    await save('sweep', 'sweep');
  });

  it('an order that continues as new', async () => {
    await begin(['limit.historyCount.suggestContinueAsNew=40']);
    const ref = await desk.order();
    const first = await runOf(ref);
    for (let index = 0; (await runOf(ref)) === first; index += 1) await desk.apply(ref, aParcel(`p${index}`));
    const second = await runOf(ref);
    await desk.apply(ref, aMilestone('production_started'));
    await desk.cancel(ref).catch(() => undefined);
    await save('order-continued-first', idOf(ref), first);
    await save('order-continued-second', idOf(ref), second);
  });
});

describe('recording webhooks', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    receiver = await startReceiver();
    service = await startService({ env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '3s,1s,1s,1s,1s,1s' } });
  });
  afterEach(async () => {
    await service?.stop();
    await receiver?.close();
  });

  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.dataSource.query(text, parameters);
  const handle = (workflowId: string) => service.deps.temporal.client.workflow.getHandle(workflowId);
  const saveClosed = async (name: string, workflowId: string) => {
    await waitFor(`${workflowId} has ended`, () => handle(workflowId).describe().then(({ status }) => status.name === 'COMPLETED', () => false), 60_000);
    record(service.env.TEMPORAL_ADDRESS ?? '', name, workflowId);
  };

  /** An account of its own with an endpoint; and its orders' only deliveries. */
  async function aShop() {
    const account = await anAccount(service.deps.dataSource);
    const endpoint = await anEndpoint(service.deps.dataSource, account.accountId, receiver.url);
    return {
      key: account.testKey,
      endpointId: endpoint.id,
      act: (verb: string, body: object = {}) => service.studio().post(`/webhook-endpoints/${endpoint.id}/${verb}`, body),
      async delivery(): Promise<string> {
        const { orderId } = await anOrder(service.trade(account.testKey));
        const [{ id }] = await sql('SELECT id FROM webhook_deliveries WHERE order_id = $1', [orderId]);
        return id;
      },
    };
  }
  const answer = (statuses: number[]) => receiver.answerWith((_, response) => void response.writeHead(statuses.shift() ?? 204).end());
  const attempted = (deliveryId: string) => waitFor('an attempt that failed', async () => {
    const [row] = await sql('SELECT attempts FROM webhook_deliveries WHERE id = $1', [deliveryId]);
    return row.attempts > 0;
  });

  it('deliveries', async () => {
    const shop = await aShop();
    await saveClosed('webhook-delivered', deliveryWorkflowId(await shop.delivery()));
    answer([500, 500]);
    await saveClosed('webhook-retried', deliveryWorkflowId(await shop.delivery()));

    const troubled = await aShop();
    await sql('UPDATE webhook_endpoints SET consecutive_failures = 9 WHERE id = $1', [troubled.endpointId]);
    answer(Array.from({ length: 7 }, () => 500));
    await saveClosed('webhook-failed', deliveryWorkflowId(await troubled.delivery()));

    answer([500]);
    const held = await troubled.delivery();
    await attempted(held);
    await troubled.act('disable');
    await saveClosed('webhook-held', deliveryWorkflowId(held));

    const lost = await aShop();
    answer([500]);
    const left = await lost.delivery();
    await attempted(left);
    await handle(deliveryWorkflowId(left)).terminate('lost');
    await service.deps.temporal.restartDelivery({ deliveryId: left, chain: 1, attempt: 2, notBefore: new Date(Date.now() + 2000).toISOString() });
    await saveClosed('webhook-taken-over', deliveryWorkflowId(left));

    const popular = await aShop();
    const open: ServerResponse[] = [];
    receiver.answerWith((_, response) => void open.push(response));
    const crowd: string[] = [];
    for (let index = 0; index < 5; index += 1) crowd.push(await popular.delivery());
    const waits = (deliveryId: string) => handle(deliveryWorkflowId(deliveryId)).fetchHistory().then(({ events }) => events?.some((event) => event.timerStartedEventAttributes), () => false);
    const waiting = await waitFor('one that finds no room', async () => {
      for (const deliveryId of crowd) if (await waits(deliveryId)) return deliveryId;
      return null;
    });
    answer([]);
    for (const response of open) response.writeHead(204).end();
    await saveClosed('webhook-waited-for-room', deliveryWorkflowId(waiting));

  }, 180_000);

  it('a ping and a recovery', async () => {
    const shop = await aShop();
    await shop.act('ping');
    await saveClosed('webhook-ping', await startedWith(`ping/${shop.endpointId}/`));

    await shop.act('disable');
    // More than one batch of them.
    const { orderId } = await anOrder(service.trade(shop.key));
    for (let index = 0; index < 22; index += 1) await service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: `m${index}`, type: index % 2 === 0 ? 'held' : 'released' });
    await shop.act('enable', { skipPing: true });
    await shop.act('recover', { since: '2020-01-01T00:00:00Z' });
    await saveClosed('webhook-recover', await startedWith(`recover/${shop.endpointId}/`));
  }, 180_000);

  const startedWith = (prefix: string) => waitFor(`${prefix} is listed`, async () => {
    for await (const { workflowId } of service.deps.temporal.client.workflow.list({ query: `WorkflowId STARTS_WITH "${prefix}"` })) return workflowId;
    return null;
  });
});
