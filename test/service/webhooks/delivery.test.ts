import { readdir, readFile, rm } from 'node:fs/promises';
import { deliveryWorkflowId } from '../../../workflows/webhook-messages';
import { anAccount, type TestAccount } from '../../support/accounts';
import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService } from '../../support/service';
import { useReceiver, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { isSignedBy } from '../../support/webhook-receiver';
import { sweepOnce } from '../../support/sweep';

/** Two retries. test/service/workflows/webhook-time.test.ts tests all six with their times. */
const SCHEDULE = '10ms,10ms';

describe('a webhook delivery', () => {
  const receiver = useReceiver();
  const service = useService(() => ({ env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: SCHEDULE } }));
  let secret: string;
  let endpointId: string;

  let account: TestAccount;

  beforeEach(async () => {
    receiver.forget();
    account = await anAccount(service.deps.database);
    ({ secret, id: endpointId } = await anEndpoint(service.deps.database, account.accountId, receiver.url));
  });

  const sendFloorMilestone = (orderId: string, milestoneId: string, type: string) =>
    service.studio().post(`/orders/${orderId}/milestones`, { milestoneId, type });
  const sql = <T>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows(text, parameters);
  const untilInState = (count: number, state: string) =>
    waitFor(
      `${count} deliveries ${state}`,
      async () => (await findDeliveries()).filter((delivery) => delivery.state === state).length === count,
    );
  /** The deliveries to the endpoints of the test's own account, oldest first. */
  const findDeliveries = () =>
    sql<{ id: string; state: string }>(
      `SELECT d.id, d.state FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE e.account_id = $1 ORDER BY d.created_at`,
      [account.accountId],
    );
  const findTheDelivery = async (): Promise<string> => {
    const deliveries = await findDeliveries();
    expect(deliveries).toHaveLength(1);
    return deliveries[0]?.id ?? '';
  };
  const readHealth = () =>
    sql(
      'SELECT consecutive_failures, state, disabled_reason FROM webhook_endpoints JOIN webhook_endpoint_health ON endpoint_id = id WHERE id = $1',
      [endpointId],
    );
  const setFailures = (failures: number, id = endpointId) =>
    sql('UPDATE webhook_endpoint_health SET consecutive_failures = $1 WHERE endpoint_id = $2', [failures, id]);

  it('sends every status once, signed, with the body of GET /orders/{id} at that moment', async () => {
    const trade = service.trade(account.testKey);
    const order = await anOrder(trade);
    await sendFloorMilestone(order.orderId, 'm1', 'production_started');
    const inProduction = (await trade.get(`/orders/${order.orderId}`)).json.data;
    await service.studio().post(`/orders/${order.orderId}/parcels`, { parcelId: 'p1', trackingNumber: 'T1' });
    const received = [...(await receiver.waitFor(3))].toSorted((a, b) => a.body.sequence - b.body.sequence);
    expect(received.map(({ type, body }) => [type, body.sequence, body.data.status])).toEqual([
      ['order.received', 1, 'received'],
      ['order.in_production', 2, 'in_production'],
      ['order.shipped', 3, 'shipped'],
    ]);
    expect(received[0]?.body.data).toEqual(order);
    expect(received[1]?.body.data).toEqual(inProduction);
    expect(received[2]?.body.data.shipments).toMatchObject([{ trackingNumber: 'T1' }]);
    for (const each of received) {
      expect(isSignedBy(each, secret)).toBe(true);
      expect(each.headers).toMatchObject({
        'service-event-id': each.id,
        'service-event-type': each.type,
        'content-type': 'application/json',
        'user-agent': 'Service-Print-API-Webhooks/1',
      });
      expect(each.id).toMatch(/^evt_[0-9a-f]+$/);
    }
    await untilInState(3, 'delivered');
  });

  it('is repeated until the endpoint accepts it, with the same id and bytes', async () => {
    let refusals = 2;
    receiver.respondWith((_, response) => void response.writeHead(refusals-- > 0 ? 500 : 200).end('hello'));
    await anOrder(service.trade(account.testKey));
    const received = await receiver.waitFor(3);
    expect(new Set(received.map(({ rawBody }) => rawBody)).size).toBe(1);
    await untilInState(1, 'delivered');
    expect(
      await sql(
        'SELECT number, ok, status, error_code, reply_excerpt, next_attempt_at IS NULL AS last FROM webhook_attempts WHERE delivery_id = $1 ORDER BY id',
        [await findTheDelivery()],
      ),
    ).toMatchObject([
      { number: 1, ok: false, status: 500, error_code: 'bad_status', last: false },
      { number: 2 },
      { number: 3, ok: true, status: 200, reply_excerpt: 'hello', last: true },
    ]);
  });

  it('fails after its last attempt, is kept, and counts once for the endpoint', async () => {
    receiver.respondWith((_, response) => void response.writeHead(410).end());
    await anOrder(service.trade(account.testKey));
    await untilInState(1, 'failed');
    expect(receiver.received).toHaveLength(3);
    expect(await readHealth()).toMatchObject([{ consecutive_failures: 1, state: 'enabled' }]);
  });

  it('disables the endpoint at the twentieth failure in a row, not at the nineteenth, and later ones are held', async () => {
    receiver.respondWith((_, response) => void response.writeHead(500).end());
    const trade = service.trade(account.testKey);
    await setFailures(18);
    await anOrder(trade);
    await untilInState(1, 'failed');
    expect(await readHealth()).toMatchObject([{ consecutive_failures: 19, state: 'enabled' }]);
    await anOrder(trade);
    await untilInState(2, 'failed');
    expect(await readHealth()).toEqual([{ consecutive_failures: 20, state: 'disabled', disabled_reason: '20 deliveries in a row failed' }]);
    await anOrder(trade);
    await untilInState(1, 'held');
    expect(receiver.received).toHaveLength(6);
  });

  it('resets the count after one success', async () => {
    await setFailures(19);
    await anOrder(service.trade(account.testKey));
    await untilInState(1, 'delivered');
    expect(await readHealth()).toMatchObject([{ consecutive_failures: 0, state: 'enabled' }]);
  });

  describe('of a failing live endpoint', () => {
    let live: string;
    beforeEach(async () => {
      live = (await anEndpoint(service.deps.database, account.accountId, receiver.url, 'live')).id;
      const { mailOutboxDir } = service.deps.config;
      for (const file of await readdir(mailOutboxDir).catch(() => [])) await rm(`${mailOutboxDir}/${file}`, { force: true });
    });
    const order = (key = account.liveKey) => anOrder(service.trade(key));
    async function readMails(): Promise<string[]> {
      const dir = service.deps.config.mailOutboxDir;
      const files = (await readdir(dir).catch(() => [])).filter((name) => /^webhook-trouble.*eml$/.test(name)).toSorted();
      return Promise.all(files.map(async (file) => (await readFile(`${dir}/${file}`, 'utf8')).replaceAll(/=\r?\n/g, '')));
    }
    const untilMailed = (count: number) =>
      waitFor(`${count} mails`, async () => {
        const found = await readMails();
        return found.length >= count ? found : null;
      });

    it('notifies studio and account at the third failure in a row, once, and again only after a recovery', async () => {
      receiver.respondWith((_, response) => void response.writeHead(503).end());
      await setFailures(2, live);
      await order();
      const [toAccount, toStudio] = await untilMailed(2);
      for (const about of ['To: studio@studio.invalid', 'are failing', 'answered 503', live, '/docs/guides/webhooks'])
        expect(toStudio).toContain(about);
      for (const about of ['To: gallery@example.com', 'Your webhook endpoint is failing', 'answered 503', '/docs/guides/webhooks'])
        expect(toAccount).toContain(about);
      await setFailures(2, live); // without this, the count would not be three again
      await order();
      await untilInState(2, 'failed');
      receiver.respondWith((_, response) => void response.writeHead(200).end());
      await order();
      await untilInState(1, 'delivered');
      expect(await readMails()).toHaveLength(2);
      receiver.respondWith((_, response) => void response.writeHead(500).end());
      await setFailures(2, live);
      await order();
      expect((await untilMailed(4)).filter((mail) => mail.includes('answered 500'))).toHaveLength(2);
    });

    it('notifies both when the endpoint is disabled', async () => {
      receiver.respondWith((_, response) => void response.writeHead(500).end());
      await setFailures(19, live);
      await order();
      const [toStudio, toAccount] = await untilMailed(2);
      expect([toStudio, toAccount]).toEqual(Array(2).fill(expect.stringMatching(/^Subject: .* (is|are) disabled$/m)));
    });

    it('sends no mail for a test endpoint', async () => {
      receiver.respondWith((_, response) => void response.writeHead(500).end());
      await setFailures(2);
      await order(account.testKey);
      await untilInState(1, 'failed');
      const id = await findTheDelivery();
      await untilClosed(deliveryWorkflowId(id));
      expect(await readMails()).toEqual([]);
    });

    const untilClosed = (workflowId: string) =>
      waitFor('its workflow has ended', async () => {
        const { status } = await service.deps.temporal.client.workflow.getHandle(workflowId).describe();
        return status.name !== 'RUNNING';
      });
  });

  it("goes to endpoints of the order's own environment and account only", async () => {
    await anEndpoint(service.deps.database, account.accountId, receiver.url, 'live');
    await anOrder(service.trade(account.testKey));
    await untilInState(1, 'delivered');
    expect(receiver.received).toHaveLength(1);
    expect(await findDeliveries()).toHaveLength(1);
  });

  it("uses the endpoint's URL and secret at the time of each attempt", async () => {
    receiver.respondWith((_, response) => {
      // The studio rotates the endpoint's secret between the first attempt and the second.
      void sql(`UPDATE webhook_endpoints SET secret = 'lpw_new', updated_at = now() WHERE id = $1`, [endpointId]).then(() =>
        response.writeHead(500).end(),
      );
    });
    await anOrder(service.trade(account.testKey));
    const received = await receiver.waitFor(2);
    expect([isSignedBy(received[0] as never, secret), isSignedBy(received[1] as never, 'lpw_new')]).toEqual([true, true]);
  });

  it('has no workflow if its first attempt succeeds', async () => {
    await anOrder(service.trade(account.testKey));
    await untilInState(1, 'delivered');
    const id = await findTheDelivery();
    await expect(service.deps.temporal.client.workflow.getHandle(deliveryWorkflowId(id)).describe()).rejects.toThrow(/not found/i);
  });

  it('that is given up fails in Temporal with its last response, and is found by endpoint and state', async () => {
    receiver.respondWith((_, response) => void response.writeHead(503).end());
    const order = await anOrder(service.trade(account.testKey));
    await untilInState(1, 'failed');
    const id = await findTheDelivery();
    const { client } = service.deps.temporal;
    const handle = client.workflow.getHandle(deliveryWorkflowId(id));
    await waitFor('its workflow to end', async () => (await handle.describe()).status.name === 'FAILED');
    await expect(handle.result()).rejects.toMatchObject({
      cause: {
        type: 'DeliveryFailed',
        message: expect.stringMatching(`order.received ${order.orderNumber} → .*: 3 attempts; last answer: answered 503`),
      },
    });
    const query = `WebhookEndpoint = "${endpointId}" AND DeliveryState = "failed" AND TradeAccount = "${account.accountId}"`;
    await waitFor('the visibility store', async () => {
      for await (const found of client.workflow.list({ query })) if (found.workflowId === deliveryWorkflowId(id)) return true;
      return false;
    });
  });

  it('is not delayed by an empty signal', async () => {
    let status = 503;
    receiver.respondWith((_, response) => void response.writeHead(status).end());
    const schedule = Array.from({ length: 30 }, () => '2s').join(','); // on a slow machine, the signals take several
    const slow = await startService({ env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: schedule } });
    try {
      await anEndpoint(slow.deps.database, slow.account.accountId, receiver.url);
      await anOrder(slow.trade(slow.account.testKey));
      const query = (): Promise<{ id: string; state: string }[]> =>
        slow.deps.database.rows('SELECT id, state FROM webhook_deliveries WHERE handed_over_at IS NOT NULL');
      const { id } = await waitFor('the first attempt handed over', async () => (await query())[0]);
      const handle = slow.deps.temporal.client.workflow.getHandle(deliveryWorkflowId(id));
      for (const payload of [[], [null], ['x'], [{ chain: 'x' }], [7]]) await handle.signal('superseded', ...payload);
      status = 204;
      await waitFor('it has arrived', async () => (await query())[0]?.state === 'delivered');
    } finally {
      await slow.stop();
    }
  });

  it('that is given up needs attention until it is delivered', async () => {
    let status = 503;
    receiver.respondWith((_, response) => void response.writeHead(status).end());
    const { orderId } = await anOrder(service.trade(account.testKey));
    await untilInState(1, 'failed');
    const readAttention = async () => (await service.studio().get(`/orders/${orderId}`)).json.data.attention;
    const id = await findTheDelivery();
    expect(await readAttention()).toEqual([
      { code: 'DELIVERY_FAILED', since: expect.any(String), message: `webhook ${id} did not arrive in 3 attempts; the last: answered 503` },
    ]);
    status = 204;
    expect((await service.studio().post(`/deliveries/${id}/resend`)).status).toBe(200);
    await untilInState(1, 'delivered');
    expect(await readAttention()).toEqual([]);
  });

  it('is resumed by the sweeper if its workflow was lost between attempts', async () => {
    let status = 500;
    receiver.respondWith((_, response) => void response.writeHead(status).end());
    const slow = await startService({ env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '1h,1h' } });
    try {
      await anEndpoint(slow.deps.database, slow.account.accountId, receiver.url);
      const order = await anOrder(slow.trade(slow.account.testKey));
      const { id } = await waitFor(
        'the first attempt handed over',
        async () =>
          (await slow.deps.database.rows<{ id: string }>(`SELECT id FROM webhook_deliveries WHERE handed_over_at IS NOT NULL`))[0],
      );
      await slow.deps.temporal.client.workflow.getHandle(deliveryWorkflowId(id)).terminate('lost');
      await slow.deps.database.run(`UPDATE webhook_deliveries SET next_attempt_at = now() - interval '3 minutes'`);
      status = 204;
      expect(await sweepOnce(slow.deps)).toMatchObject({ deliveries: 1 });
      await receiver.waitFor(2);
      expect(receiver.received.map(({ body }) => body.data.orderId)).toEqual([order.orderId, order.orderId]);
      await waitFor(
        'delivered',
        async () => (await slow.deps.database.rows<unknown>(`SELECT 1 FROM webhook_deliveries WHERE state = 'delivered'`)).length === 1,
      );
    } finally {
      await slow.stop();
    }
  });
});
