import { startService } from '../../../support/service';
import { useFixture, useReceiver, useService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';
import { findAuditEntries, aToken, validationPathsOf } from './support';
import { aWebhookShop, waitForDeliveries, type WebhookShop } from './webhook-support';

describe('deliveries', () => {
  const receiver = useReceiver();
  const service = useService(() => ({
    env: {
      WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
      WEBHOOK_RETRY_SCHEDULE: '100ms,100ms,100ms,100ms,100ms,100ms',
      TEMPORAL_UI_URL: 'http://temporal.example:8233',
      RATE_LIMIT_FACTOR: '50',
    },
  }));
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Books' })));
  let shop: WebhookShop;
  beforeEach(async () => {
    receiver.respondWith((_, response) => void response.writeHead(200).end('thanks'));
    shop = await aWebhookShop(service, office, receiver);
  });

  const readDelivery = async (id: string) => (await office.get(`/deliveries/${id}`)).json.data;
  const resend = (id: string) => office.post(`/deliveries/${id}/resend`);
  const disable = () => office.post(`/webhook-endpoints/${shop.endpointId}/disable`, {});
  const placeAndDeliver = async () => {
    const order = await shop.orders.place();
    const [delivery] = await waitForDeliveries(office, shop.endpointId, 'delivered');
    return { order, delivery };
  };

  describe('Auth', () => {
    it.each([
      ['GET', '/deliveries'],
      ['GET', '/deliveries/counts'],
      ['GET', '/deliveries/dlv_00'],
      ['POST', '/deliveries/dlv_00/resend'],
    ] as const)('%s %s is 401 without a token and 403 for the floor', async (method, path) => {
      const floor = service.studio(await aToken(service, 'floor'));
      expect([(await service.studio('').send(method, path)).status, (await floor.send(method, path)).status]).toEqual([401, 403]);
    });
  });

  describe('Validation', () => {
    it.each([
      ['state=sent', 'query.state'],
      ['orderId=whe_00', 'query.orderId'],
      ['limit=101', 'query.limit'],
      ['cursor=x', 'query.cursor'],
    ])('?%s is refused', async (query, path) => {
      const reply = await office.get(`/deliveries?${query}`);
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, [path]]);
    });
  });

  describe('Errors', () => {
    it.each(['dlv_00', 'x', '%00', 'whe_00'])('delivery %s is 404', async (id) => {
      expect([(await office.get(`/deliveries/${id}`)).status, (await resend(id)).status]).toEqual([404, 404]);
    });
    it('resending to a disabled endpoint is 409 and says to enable it, and to a deleted one is 409', async () => {
      const { delivery } = await placeAndDeliver();
      await disable();
      const refused = await resend(delivery.id);
      expect([refused.status, refused.json.error?.code]).toEqual([409, 'ENDPOINT_DISABLED']);
      expect(refused.json.error?.message).toContain('enable it first');
      await office.send('DELETE', `/webhook-endpoints/${shop.endpointId}`);
      const gone = await resend(delivery.id);
      expect([gone.status, gone.json.error?.code, gone.json.error?.message]).toEqual([
        409,
        'ENDPOINT_DISABLED',
        expect.stringContaining('deleted'),
      ]);
      expect(await readDelivery(delivery.id)).toMatchObject({ state: 'delivered', chain: 1 });
      expect(shop.received()).toHaveLength(1);
    });
  });

  describe('Success', () => {
    it('shows a delivery with its sent event and attempt, and without a workflow if none was needed', async () => {
      const { order, delivery } = await placeAndDeliver();
      const [request] = shop.received();
      expect(delivery).toEqual({
        id: expect.stringMatching(/^dlv_/),
        endpointId: shop.endpointId,
        endpointUrl: expect.stringContaining(receiver.origin),
        accountId: shop.accountId,
        accountName: expect.any(String),
        environment: 'test',
        orderId: order.orderId,
        orderNumber: order.orderNumber,
        eventId: request?.id,
        eventType: 'order.received',
        sequence: 1,
        state: 'delivered',
        trigger: 'automatic',
        chain: 1,
        attemptCount: 1,
        lastAttemptAt: expect.any(String),
        lastStatus: 200,
        lastErrorCode: null,
        nextAttemptAt: null,
        createdAt: expect.any(String),
        completedAt: expect.any(String),
      });
      const timings = {
        dnsMs: null,
        connectMs: expect.any(Number),
        tlsMs: null,
        firstByteMs: expect.any(Number),
        totalMs: expect.any(Number),
      };
      expect(await readDelivery(delivery.id)).toEqual({
        ...delivery,
        attemptsDeletedUntil: null,
        attemptsInChain: 7,
        lastAttemptDueAt: null,
        event: { id: request?.id, type: 'order.received', sequence: 1, createdAt: request?.body.createdAt, rawBody: request?.rawBody },
        attempts: [
          {
            chain: 1,
            number: 1,
            trigger: 'automatic',
            at: expect.any(String),
            ok: true,
            status: 200,
            errorCode: null,
            timings,
            replyExcerpt: 'thanks',
            nextAttemptAt: null,
          },
        ],
        workflowUrl: null, // the first attempt needs no workflow
      });
    });
    it('shows every attempt of a failed chain, with the time of the next one', async () => {
      receiver.respondWith((_, response) => void response.writeHead(503).end('<b>down</b>'));
      await shop.orders.place();
      const [{ id }] = await waitForDeliveries(office, shop.endpointId, 'failed');
      const { attempts, ...delivery } = await readDelivery(id);
      expect(delivery.workflowUrl).toBe(`http://temporal.example:8233/namespaces/default/workflows/${encodeURIComponent(`webhook/${id}`)}`);
      expect(delivery).toMatchObject({
        state: 'failed',
        attemptCount: 7,
        lastAttemptAt: attempts[6].at,
        lastStatus: 503,
        lastErrorCode: 'bad_status',
        nextAttemptAt: null,
        completedAt: expect.any(String),
      });
      expect(attempts.map(({ number }: any) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      for (const attempt of attempts)
        expect(attempt).toMatchObject({ ok: false, status: 503, errorCode: 'bad_status', replyExcerpt: '<b>down</b>' });
      expect(attempts.map(({ at, nextAttemptAt }: any) => nextAttemptAt && Date.parse(nextAttemptAt) - Date.parse(at))).toEqual([
        100,
        100,
        100,
        100,
        100,
        100,
        null,
      ]);
    });
    it('a pending delivery shows the times of its next and its last possible attempt', async () => {
      const slow = await startService({
        env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '1h,1h,1h,1h,1h,1h', RATE_LIMIT_FACTOR: '50' },
      });
      try {
        receiver.respondWith((_, response) => void response.writeHead(500).end());
        const other = await aWebhookShop(slow, slow.studio(), receiver);
        await other.orders.place();
        const pending = await waitFor('a first attempt', async () => {
          const [found] = (await slow.studio().get('/deliveries?environment=test&state=pending')).json.data;
          return found?.attemptCount === 1 && (await slow.studio().get(`/deliveries/${found.id}`)).json.data;
        });
        const afterFirst = (time: string): number => (Date.parse(time) - Date.parse(pending.attempts[0].at)) / 3_600_000;
        expect([afterFirst(pending.nextAttemptAt), afterFirst(pending.lastAttemptDueAt)]).toEqual([1, 6]);
        receiver.respondWith((_, response) => void response.writeHead(204).end());
        await slow.studio().post(`/deliveries/${pending.id}/resend`);
        await waitForDeliveries(slow.studio(), other.endpointId, 'delivered');
      } finally {
        await slow.stop();
      }
    });
    it('a resend has the same event id and bytes, a new chain and a row in the audit log', async () => {
      const { delivery } = await placeAndDeliver();
      const reply = await resend(delivery.id);
      expect([reply.status, reply.json.data.chain, reply.json.data.trigger]).toEqual([200, 2, 'resend']);
      await waitFor('the second request', async () => shop.received().length === 2);
      const [first, second] = shop.received();
      expect([second?.id, second?.rawBody]).toEqual([first?.id, first?.rawBody]);
      await waitForDeliveries(office, shop.endpointId, 'delivered');
      expect((await readDelivery(delivery.id)).attempts).toMatchObject([
        { chain: 1, number: 1, trigger: 'automatic' },
        { chain: 2, number: 1, trigger: 'resend', ok: true },
      ]);
      expect(await findAuditEntries(service, delivery.id)).toMatchObject([
        { actor: 'Books', action: 'delivery.resend', before: { state: 'delivered', chain: 1 }, after: { state: 'pending', chain: 2 } },
      ]);
    });
    it('a failed delivery can be resent, and then counts for its endpoint as usual', async () => {
      receiver.respondWith((_, response) => void response.writeHead(500).end());
      await shop.orders.place();
      const [{ id }] = await waitForDeliveries(office, shop.endpointId, 'failed');
      receiver.respondWith((_, response) => void response.writeHead(204).end());
      await resend(id);
      await waitForDeliveries(office, shop.endpointId, 'delivered');
      expect((await office.get(`/webhook-endpoints/${shop.endpointId}`)).json.data.consecutiveFailures).toBe(0);
    });
    it('the list is filtered by account, by the last failure, and by creation time', async () => {
      receiver.respondWith((_, response) => void response.writeHead(500).end());
      await shop.orders.place();
      const [failed] = await waitForDeliveries(office, shop.endpointId, 'failed');
      const other = await aWebhookShop(service, office, receiver);
      const findIds = async (query: string) => (await office.get(`/deliveries?${query}`)).json.data.map(({ id }: { id: string }) => id);
      const mine = `accountId=${shop.accountId}`;
      for (const query of [
        mine,
        `${mine}&errorCode=bad_status`,
        `${mine}&state=failed&from=${failed.createdAt}`,
        `${mine}&endpointId=${shop.endpointId}`,
        'errorCode=bad_status&limit=1',
      ])
        expect(await findIds(`environment=test&${query}`)).toEqual([failed.id]);
      for (const query of [`accountId=${other.accountId}`, `${mine}&errorCode=timeout`, `${mine}&to=${failed.createdAt}`])
        expect(await findIds(`environment=test&${query}`)).toEqual([]);
    });
    it('list and counts have live deliveries by default, and those of a given order or endpoint in any environment', async () => {
      const readCounts = async (query = '') => (await office.get(`/deliveries/counts${query}`)).json.data;
      const before = { live: await readCounts(), test: await readCounts('?environment=test') };
      const live = await office.post(`/accounts/${shop.accountId}/webhook-endpoints`, { environment: 'live', url: receiver.url });
      for (const id of [shop.endpointId, live.json.data.id]) await office.post(`/webhook-endpoints/${id}/disable`, {});
      const [first, second, third] = [await shop.liveOrders.place(), await shop.orders.place(), await shop.liveOrders.place()].map(
        ({ orderId }) => orderId,
      );
      const findIds = async (query: string) => (await office.get(`/deliveries?${query}`)).json.data.map(({ orderId }: any) => orderId);
      for (const mine of ['state=held', `accountId=${shop.accountId}`]) {
        expect(await findIds(`${mine}&limit=2`)).toEqual([third, first]);
        expect(await findIds(`${mine}&limit=2&environment=live`)).toEqual([third, first]);
        expect(await findIds(`${mine}&limit=1&environment=test`)).toEqual([second]);
      }
      expect(await findIds(`orderId=${second}`)).toEqual([second]);
      expect(await findIds(`endpointId=${shop.endpointId}`)).toEqual([second]);
      expect(await findIds(`orderId=${second}&environment=live`)).toEqual([]);
      const csv = (await office.get(`/deliveries.csv?environment=live&accountId=${shop.accountId}`)).text;
      expect(csv.trim().split('\r\n')).toHaveLength(3);
      expect(await readCounts()).toEqual({
        environment: 'live',
        byState: { ...before.live.byState, held: before.live.byState.held + 2 },
      });
      expect((await readCounts('?environment=test')).byState.held).toBe(before.test.byState.held + 1);
    });
    it('the list is filtered by state, endpoint and order, newest first, and pages through each once', async () => {
      await disable();
      const placed = [await shop.orders.place(), await shop.orders.place(), await shop.orders.place()];
      const mine = `/deliveries?endpointId=${shop.endpointId}`;
      const all = (await office.get(mine)).json;
      expect([all.data.map(({ orderId }: any) => orderId), all.nextCursor]).toEqual([placed.map(({ orderId }) => orderId).reverse(), null]);
      const first = (await office.get(`${mine}&limit=2`)).json;
      const rest = (await office.get(`${mine}&limit=2&cursor=${first.nextCursor}`)).json;
      expect([[...first.data, ...rest.data], rest.nextCursor]).toEqual([all.data, null]);
      expect(validationPathsOf(await office.get(`${mine}&state=held&cursor=${first.nextCursor}`))).toEqual(['query.cursor']);
      expect((await office.get(`${mine}&state=held`)).json.data).toEqual(all.data);
      expect((await office.get(`${mine}&state=failed`)).json.data).toEqual([]);
      expect((await office.get(`/deliveries?orderId=${placed[1].orderId}`)).json.data).toEqual([all.data[1]]);
      expect((await office.get('/deliveries?orderId=ord_00')).json).toEqual({ data: [], error: null, nextCursor: null });
    });
  });
});
