import { spawnSync } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { quoteWorkflowId, sendWorkflowId, statementRunWorkflowId } from '../../../workflows/messages';
import { deliveryWorkflowId } from '../../../workflows/webhook-messages';
import { anAccount } from '../../support/accounts';
import { aLine, anOrder, declareArtwork } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { startOnDevServer, type OwnEnvironment } from '../workflows/environment';
import { aMilestone, aParcel, aParcelVoid, OrderDriver, refusalCodeOf, type OrderRef } from '../workflows/order-driver';

/**
 * Records one history of every workflow shape into test/service/replay/histories: `npm run histories`. It is not a test, and uses
 * jest for the servers of the tests. Before 1.0.0 all histories may be deleted and recorded again. From then on a
 * history stays until no workflow of its shape exists.
 */
function record(temporalAddress: string, name: string, workflowId: string, runId?: string): void {
  const script = path.join(projectRoot, 'scripts', 'run', 'record-histories.mjs');
  const fetched = spawnSync(process.execPath, [script, '--as', name, workflowId, ...(runId === undefined ? [] : [runId])], {
    env: { ...process.env, TEMPORAL_ADDRESS: temporalAddress },
    encoding: 'utf8',
  });
  if (fetched.status !== 0) throw new Error(fetched.stderr);
}

describe('recording', () => {
  let environment: OwnEnvironment;
  let desk: OrderDriver;
  afterEach(() => environment?.stop());

  const startEnvironment = async (dynamicConfig: string[], env: Record<string, string> = {}) => {
    environment = await startOnDevServer(dynamicConfig, env);
    desk = new OrderDriver(environment.service);
  };
  const saveHistory = async (name: string, workflowId: string, runId?: string) =>
    record(environment.temporal.address, name, workflowId, runId);
  const idOf = (ref: OrderRef) => `order/${ref.orderId}`;
  const runOf = async (ref: OrderRef) => (await desk.handle(ref).describe()).runId;
  const untilClosed = async (workflowId: string) => {
    await waitFor('closed', async () => (await desk.client.workflow.getHandle(workflowId).describe()).status.name !== 'RUNNING');
  };
  const saveClosedHistory = async (name: string, workflowId: string) => {
    await untilClosed(workflowId);
    await saveHistory(name, workflowId);
  };

  it('orders, holds and a sweep', async () => {
    await startEnvironment([], { ORDER_QUIET_PERIOD: '3s', CONFIRMATION_DELAY: '3s' });
    const quoteId = await desk.createQuote('live', false);
    await desk.service.deps.temporal.quotes.startTimer(quoteId, new Date(Date.now() + 3_000));
    const ref = await desk.placeOrderOf(quoteId, 'live');
    await desk.waitUntilIdle(ref);
    await saveClosedHistory('quote-expiry-ordered', quoteWorkflowId(quoteId));
    await desk.apply(ref, aMilestone('production_started'));
    await desk.signal(ref, { milestoneId: 'bad-1', type: 'teleported' });
    await desk.apply(ref, aMilestone('printed'));
    await desk.apply(ref, aMilestone('held'));
    await desk.signal(ref, { milestoneId: 'bad-2', type: 'completed' });
    await desk.apply(ref, aMilestone('released'));
    await desk.apply(ref, { milestoneId: 'pay-1', type: 'payment_recorded', paymentId: 'pay-1', amountCents: 100 });
    await desk.apply(ref, { milestoneId: 'back-1', type: 'payment_reversed', paymentId: 'pay-1', reason: 'bounced' });
    await desk.apply(ref, aParcel('p1'));
    await desk.apply(ref, aParcelVoid('p1'));
    await desk.signal(ref, aParcel('p2'));
    await waitFor('shipped', async () => (await desk.row(ref)).status === 'shipped');
    await refusalCodeOf(desk.cancel(ref));
    await desk.apply(ref, aMilestone('completed'));
    await saveClosedHistory('order-completed', idOf(ref));
    await desk.apply(ref, aParcelVoid('p2'));
    await saveClosedHistory('order-resumed', idOf(ref));

    const unconfirmed = await desk.placeOrder('live', false);
    await desk.waitUntilIdle(unconfirmed);
    await desk.cancel(unconfirmed);
    await saveClosedHistory('order-cancelled-unconfirmed', idOf(unconfirmed));

    const plain = await desk.placeOrder();
    for (const message of [
      aMilestone('production_started'),
      aMilestone('printed'),
      aMilestone('held'),
      aMilestone('released'),
      aParcel('p1'),
      aMilestone('completed'),
    ]) {
      await desk.waitUntilIdle(plain);
      await desk.apply(plain, message);
    }
    await saveClosedHistory('order-whole-life', idOf(plain));

    const cancelled = await desk.placeOrder();
    await desk.waitUntilIdle(cancelled);
    await desk.cancel(cancelled);
    await saveClosedHistory('order-cancelled', idOf(cancelled));

    const trade = desk.service.trade(desk.service.account.testKey);
    const { url } = await declareArtwork(trade);
    await desk.sql(`UPDATE uploads SET expires_at = now() - interval '150 minutes' + interval '2 seconds' WHERE url = $1`, [url]);
    const awaiting = await anOrder(trade, { items: [aLine(url)] });
    await waitFor(
      'the end of the artwork check',
      async () => (await desk.sql('SELECT 1 FROM order_attention WHERE order_id = $1', [awaiting.orderId])).length > 0,
    );
    await trade.post(`/orders/${awaiting.orderId}/cancel`);
    await saveClosedHistory('order-awaiting-artwork', `order/${awaiting.orderId}`);

    const met = await desk.placeOrder();
    await desk.waitUntilIdle(met);
    await desk.sql(`UPDATE orders SET printed = true, printed_lines = '{0}', version = version + 1 WHERE id = $1`, [met.orderId]); // as if by a run that died
    await refusalCodeOf(desk.cancel(met));
    await desk.apply(met, aMilestone('production_started'));
    await desk.sql(`UPDATE orders SET order_number = 'T-restored' WHERE id = $1`, [met.orderId]); // as if by a restored backup
    await desk.apply(met, aMilestone('completed'));
    await saveClosedHistory('order-behind-its-row', idOf(met));

    const gone = await desk.placeOrder();
    await desk.waitUntilIdle(gone);
    await desk.sql('DELETE FROM idempotency_records WHERE order_id = $1', [gone.orderId]);
    for (const table of ['invoices', 'order_events', 'order_timeline', 'order_search'])
      await desk.sql(`DELETE FROM ${table} WHERE order_id = $1`, [gone.orderId]);
    await desk.sql('DELETE FROM orders WHERE id = $1', [gone.orderId]);
    await desk.signal(gone, aMilestone('printed'));
    await saveClosedHistory('order-gone', idOf(gone));

    const unknown: OrderRef = { orderId: 'ord_0123456789', orderNumber: 'T-0', accountId: 'acc_0123456789', environment: 'test' };
    await desk.signalWithStart(unknown, aMilestone('printed'));
    await saveClosedHistory('order-unknown', idOf(unknown));

    const signalled = await desk.placeOrder();
    await desk.waitUntilIdle(signalled);
    await desk.handle(signalled).terminate('lost');
    await desk.signalWithStart(signalled, aMilestone('cancelled'));
    await saveClosedHistory('order-signalled', idOf(signalled));

    const expired = await desk.createQuote();
    await desk.service.deps.temporal.quotes.startTimer(expired, new Date(Date.now() + 1500));
    await saveClosedHistory('quote-expiry-expired', quoteWorkflowId(expired));
    const late = await desk.createQuote();
    await desk.service.deps.temporal.quotes.startTimer(late, new Date(0));
    await saveClosedHistory('quote-expiry-late', quoteWorkflowId(late));
  });

  it('mails with documents, and a sweep', async () => {
    await startEnvironment([]);
    const office = environment.service.studio();
    const ref = await desk.placeOrder('live');
    const { invoiceNumber } = (await office.get(`/orders/${ref.orderId}`)).json.data.invoice;
    const sent = await office.post(`/invoices/${invoiceNumber}/send`, { sendId: 'm-1' });
    await saveClosedHistory('document-send', sendWorkflowId(sent.json.data.id));
    const run = (await office.post('/statement-runs', { runId: 'march' })).json.data;
    await saveClosedHistory('statement-run', statementRunWorkflowId(run.id));
    const paused = (await office.post('/statement-runs', { runId: 'april' })).json.data;
    await office.post(`/statement-runs/${paused.id}/pause`);
    await office.post(`/statement-runs/${paused.id}/resume`);
    await saveClosedHistory('statement-run-resumed', statementRunWorkflowId(paused.id));
    await desk.client.workflow.execute('reminders', { workflowId: 'reminders', taskQueue: environment.service.taskQueue });
    await saveHistory('reminders', 'reminders');
    await desk.client.workflow.execute('sweep', { workflowId: 'sweep', taskQueue: environment.service.taskQueue });
    await saveHistory('sweep', 'sweep');
  });

  it('a pass of the retention', async () => {
    await startEnvironment([]);
    const expired = await desk.createQuote();
    await desk.sql(`UPDATE quotes SET expires_at = now() - interval '91 days' WHERE id = $1`, [expired]);
    await desk.client.workflow.execute('retention', { workflowId: 'retention', taskQueue: environment.service.taskQueue });
    await saveHistory('retention', 'retention');
  });

  it('an order whose milestones are corrected', async () => {
    await startEnvironment([], { ORDER_QUIET_PERIOD: '1s' });
    const ref = await desk.placeOrder();
    await desk.waitUntilIdle(ref);
    await desk.apply(ref, aMilestone('production_started', { milestoneId: 'm-start' }));
    await desk.apply(ref, aMilestone('completed', { milestoneId: 'm-done' }));
    const office = environment.service.studio();
    const correctMilestone = (milestoneId: string) =>
      office.post(`/orders/${ref.orderId}/milestones/${milestoneId}/correct`, { reason: 'another sheet' });
    await correctMilestone('m-start'); // refused
    await correctMilestone('m-done');
    await correctMilestone('m-done'); // repeated
    await desk.sql(`UPDATE orders SET version = version + 1 WHERE id = $1`, [ref.orderId]); // as if by a run that died
    await correctMilestone('m-start');
    await desk.apply(ref, aMilestone('cancelled'));
    await saveClosedHistory('order-corrected', idOf(ref));
  });

  it('a morning mail', async () => {
    await startEnvironment([]);
    await desk.client.workflow.execute('attention', { workflowId: 'attention', taskQueue: environment.service.taskQueue });
    await saveHistory('attention', 'attention');
  });

  it('an order that continues as new', async () => {
    await startEnvironment(['limit.historyCount.suggestContinueAsNew=40']);
    const ref = await desk.placeOrder();
    const first = await runOf(ref);
    for (let index = 0; (await runOf(ref)) === first; index += 1) await desk.apply(ref, aParcel(`p${index}`));
    const second = await runOf(ref);
    await desk.apply(ref, aMilestone('production_started'));
    await desk.cancel(ref).catch(() => undefined);
    await saveHistory('order-continued-first', idOf(ref), first);
    await saveHistory('order-continued-second', idOf(ref), second);
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

  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows(text, parameters);
  const handle = (workflowId: string) => service.deps.temporal.client.workflow.getHandle(workflowId);
  const saveClosedHistory = async (name: string, workflowId: string) => {
    await waitFor(
      `${workflowId} has ended`,
      () =>
        handle(workflowId)
          .describe()
          .then(
            ({ status }) => status.name !== 'RUNNING',
            () => false,
          ),
      60_000,
    );
    record(service.env.TEMPORAL_ADDRESS ?? '', name, workflowId);
  };

  /** A new account with an endpoint, for the only deliveries of its orders. */
  async function aShop() {
    const account = await anAccount(service.deps.database);
    const endpoint = await anEndpoint(service.deps.database, account.accountId, receiver.url);
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
  const answerWithStatuses = (statuses: number[]) =>
    receiver.respondWith((_, response) => void response.writeHead(statuses.shift() ?? 204).end());
  const untilHandedOver = (deliveryId: string) =>
    waitFor('its retries in progress', async () => {
      const [row] = await sql('SELECT handed_over_at FROM webhook_deliveries WHERE id = $1', [deliveryId]);
      return row.handed_over_at;
    });

  it('deliveries', async () => {
    const shop = await aShop();
    answerWithStatuses([500, 500]);
    const retried = await shop.delivery();
    await saveClosedHistory('webhook-retried', deliveryWorkflowId(retried));
    const [{ order_id: orderId }] = await sql('SELECT order_id FROM webhook_deliveries WHERE id = $1', [retried]);
    record(service.env.TEMPORAL_ADDRESS ?? '', 'order-retries', `order/${orderId}`);

    const troubled = await aShop();
    await sql('UPDATE webhook_endpoint_health SET consecutive_failures = 9 WHERE endpoint_id = $1', [troubled.endpointId]);
    answerWithStatuses(Array.from({ length: 7 }, () => 500));
    await saveClosedHistory('webhook-failed', deliveryWorkflowId(await troubled.delivery()));

    answerWithStatuses([500]);
    const held = await troubled.delivery();
    await untilHandedOver(held);
    await troubled.act('disable');
    await saveClosedHistory('webhook-held', deliveryWorkflowId(held));

    // Resent while it waits, and refused again: the child of the older chain ends, and that of the newer one continues.
    const resent = await aShop();
    answerWithStatuses([500, 500]);
    const twice = await resent.delivery();
    await untilHandedOver(twice);
    const older = (await handle(deliveryWorkflowId(twice)).describe()).runId;
    await service.studio().post(`/deliveries/${twice}/resend`);
    await saveClosedHistory('webhook-resent', deliveryWorkflowId(twice));
    record(service.env.TEMPORAL_ADDRESS ?? '', 'webhook-superseded', deliveryWorkflowId(twice), older);
    const [{ order_id: resentOrder }] = await sql('SELECT order_id FROM webhook_deliveries WHERE id = $1', [twice]);
    record(service.env.TEMPORAL_ADDRESS ?? '', 'order-resent', `order/${resentOrder}`);

    // Of nine concurrent retries, four run and four wait in the relay.
    const popular = await aShop();
    receiver.respondWith((_, response) => void response.writeHead(500).end());
    const crowd = await Promise.all(Array.from({ length: 9 }, () => popular.delivery()));
    for (const deliveryId of crowd) await untilHandedOver(deliveryId);
    const open: ServerResponse[] = [];
    receiver.respondWith((_, response) => void open.push(response));
    const waits = (deliveryId: string) =>
      handle(deliveryWorkflowId(deliveryId))
        .fetchHistory()
        .then(
          ({ events }) => (events ?? []).filter((event) => event.timerStartedEventAttributes).length > 1,
          () => false,
        );
    const waiting = await waitFor('one without a free slot', async () => {
      for (const deliveryId of crowd) if (await waits(deliveryId)) return deliveryId;
      return null;
    });
    answerWithStatuses([]);
    for (const response of open) response.writeHead(204).end();
    await saveClosedHistory('webhook-waited-for-room', deliveryWorkflowId(waiting));
  });

  it('a ping', async () => {
    const shop = await aShop();
    await shop.act('ping');
    await saveClosedHistory('webhook-ping', await untilListed(`ping/${shop.endpointId}/`));
  });

  const untilListed = (prefix: string) =>
    waitFor(`${prefix} is listed`, async () => {
      for await (const { workflowId } of service.deps.temporal.client.workflow.list({ query: `WorkflowId STARTS_WITH "${prefix}"` }))
        return workflowId;
      return null;
    });
});
