import { anOrder } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { useReceiver, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { findAuditEntries } from './studio/support';
import { aTrader, expectValidationPaths, expectRefusal, sql, type Trader } from './support';

describe("an account's own webhook endpoints and deliveries", () => {
  const receiver = useReceiver();
  const service = useService(() => ({
    env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '50ms,50ms', RATE_LIMIT_FACTOR: '50' },
  }));
  let trader: Trader;
  let endpointId: string;
  beforeEach(async () => {
    receiver.received.length = 0;
    receiver.respondWith((_, response) => void response.writeHead(204).end());
    trader = await aTrader(service);
    endpointId = await register(trader);
  });

  async function register({ accountId }: Trader, environment = 'test'): Promise<string> {
    const made = await service.studio().post(`/accounts/${accountId}/webhook-endpoints`, { environment, url: receiver.url });
    return made.json.data.id;
  }
  const deliveriesIn = (trade: HttpClient, state: string, count = 1): Promise<any[]> =>
    waitFor(`${count} deliveries ${state}`, async () => {
      const found = (await trade.get(`/webhook-deliveries?state=${state}`)).json.data;
      return found.length === count && found;
    });
  const resend = (id: string, trade = trader.trade) => trade.post(`/webhook-deliveries/${id}/resend`);
  const postAsStudio = (action: string) => service.studio().post(`/webhook-endpoints/${endpointId}/${action}`, {});

  it("shows the endpoints of the key's account and environment without secrets", async () => {
    const live = await register(trader, 'live');
    await register(await aTrader(service));
    await postAsStudio('disable');
    await anOrder(trader.trade);
    const listed = await trader.trade.get('/webhook-endpoints');
    expect(listed.json).toEqual({
      data: [
        {
          id: endpointId,
          url: receiver.url,
          eventTypes: null,
          state: 'disabled',
          disabledReason: 'disabled by the studio',
          consecutiveFailures: 0,
          secretOverlapUntil: null,
          deliveries: { held: 1, failed: 0 },
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ],
      error: null,
      nextCursor: null,
    });
    expect(listed.text).not.toMatch(/lpw_|whsec_|secret":/);
    expect((await service.trade(trader.liveKey).get('/webhook-endpoints')).json.data.map(({ id }: { id: string }) => id)).toEqual([live]);
  });

  it('shows deliveries with their state and the reason of failures', async () => {
    receiver.respondWith((_, response) => void response.writeHead(503).end());
    const order = await anOrder(trader.trade);
    const [failed] = await deliveriesIn(trader.trade, 'failed');
    expect(failed).toEqual({
      id: expect.stringMatching(/^dlv_/),
      endpointId,
      orderId: order.orderId,
      eventId: receiver.received[0]?.id,
      eventType: 'order.received',
      sequence: 1,
      state: 'failed',
      trigger: 'automatic',
      attemptCount: 3,
      lastStatus: 503,
      lastErrorCode: 'bad_status',
      nextAttemptAt: null,
      createdAt: expect.any(String),
      completedAt: expect.any(String),
    });
    expect((await trader.trade.get('/webhook-deliveries?state=delivered')).json.data).toEqual([]);
    for (const stranger of [(await aTrader(service)).trade, service.trade(trader.liveKey)])
      expect((await stranger.get('/webhook-deliveries')).json.data).toEqual([]);
  });

  it('pages newest first over all endpoints, and a cursor keeps the state', async () => {
    await register(trader);
    await anOrder(trader.trade);
    await anOrder(trader.trade);
    const all = await deliveriesIn(trader.trade, 'delivered', 4);
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    );
    const first = await trader.trade.get('/webhook-deliveries?state=delivered&limit=3');
    const rest = await trader.trade.get(`/webhook-deliveries?limit=3&cursor=${first.json.nextCursor}`);
    expect([...first.json.data, ...rest.json.data]).toEqual(all);
    expect(rest.json.nextCursor).toBeNull();
    expectValidationPaths(await trader.trade.get(`/webhook-deliveries?state=held&cursor=${first.json.nextCursor}`), ['query.cursor']);
    const stranger = await aTrader(service);
    expectValidationPaths(await stranger.trade.get(`/webhook-deliveries?cursor=${first.json.nextCursor}`), ['query.cursor']);
  });

  it('refuses an invalid parameter by its name', async () => {
    for (const query of ['state=sent', 'state=held&state=failed', 'limit=0', 'cursor=x'])
      expectValidationPaths(await trader.trade.get(`/webhook-deliveries?${query}`), [`query.${query.split('=')[0]}`]);
  });

  it('an endpoint gets only future events of the types its account chose, and the feed has all', async () => {
    const chooseEventTypes = (eventTypes: unknown) => trader.trade.send('PATCH', `/webhook-endpoints/${endpointId}`, { eventTypes });
    const reply = await chooseEventTypes(['order.cancelled']);
    expect([reply.status, reply.json.data.eventTypes]).toEqual([200, ['order.cancelled']]);
    const { orderId } = await anOrder(trader.trade);
    await trader.trade.post(`/orders/${orderId}/cancel`);
    expect((await deliveriesIn(trader.trade, 'delivered')).map(({ eventType }) => eventType)).toEqual(['order.cancelled']);
    expect(receiver.received.map(({ type }) => type)).toEqual(['order.cancelled']);
    const feed: { type: string }[] = (await trader.trade.get('/events')).json.data;
    expect(feed.map(({ type }) => type)).toEqual(['order.received', 'order.cancelled']);
    expect((await chooseEventTypes(null)).json.data.eventTypes).toBeNull();
    await anOrder(trader.trade);
    expect((await deliveriesIn(trader.trade, 'delivered', 2))[0]?.eventType).toBe('order.received');
    expect(await findAuditEntries(service, endpointId)).toContainEqual(
      expect.objectContaining({
        actor: 'account',
        action: 'endpoint.change',
        after: expect.objectContaining({ eventTypes: ['order.cancelled'] }),
      }),
    );
  });

  it('the studio may choose types when registering and later', async () => {
    const studio = service.studio();
    const path = `/accounts/${trader.accountId}/webhook-endpoints`;
    const made = await studio.post(path, { environment: 'test', url: receiver.url, eventTypes: ['order.shipped'] });
    expect([made.status, made.json.data.eventTypes]).toEqual([201, ['order.shipped']]);
    const changed = await studio.send('PATCH', `/webhook-endpoints/${made.json.data.id}`, { eventTypes: null });
    expect(changed.json.data).toMatchObject({ eventTypes: null, url: receiver.url });
    expectValidationPaths(await studio.send('PATCH', `/webhook-endpoints/${made.json.data.id}`, {}), ['']);
  });

  it.each<[unknown, string[]]>([
    [{}, ['eventTypes']],
    [{ eventTypes: [] }, ['eventTypes']],
    [{ eventTypes: ['order.shipped', 'order.shipped'] }, ['eventTypes.1']],
    [{ eventTypes: ['order.teleported'] }, ['eventTypes.0']],
    [{ eventTypes: ['ping'] }, ['eventTypes.0']],
  ])('choosing %j is refused', async (body, paths) => {
    expectValidationPaths(await trader.trade.send('PATCH', `/webhook-endpoints/${endpointId}`, body), paths);
  });

  it('its account can ping it and sees the response', async () => {
    const ping = () => trader.trade.post(`/webhook-endpoints/${endpointId}/ping`);
    expect((await ping()).json.data).toMatchObject({ ok: true, status: 204, errorCode: null });
    expect(receiver.received.map(({ type }) => type)).toEqual(['ping']);
    receiver.respondWith((_, response) => void response.writeHead(418).end('teapot'));
    expect((await ping()).json.data).toMatchObject({ ok: false, status: 418, errorCode: 'bad_status', replyExcerpt: 'teapot' });
  });

  it('a receiver that does not respond delays no other write of its account', async () => {
    let reply = (): void => undefined;
    receiver.respondWith((_, response) => {
      reply = () => void response.writeHead(204).end();
    });
    const pinged = trader.trade.post(`/webhook-endpoints/${endpointId}/ping`);
    await receiver.waitFor(1);
    expect((await trader.trade.send('PATCH', `/webhook-endpoints/${endpointId}`, { eventTypes: ['order.shipped'] })).status).toBe(200);
    reply();
    expect((await pinged).json.data).toMatchObject({ ok: true });
  });

  it('endpoints of another account or environment are 404 for both', async () => {
    for (const stranger of [(await aTrader(service)).trade, service.trade(trader.liveKey)]) {
      expectRefusal(await stranger.post(`/webhook-endpoints/${endpointId}/ping`), 404, 'NOT_FOUND');
      expectRefusal(await stranger.send('PATCH', `/webhook-endpoints/${endpointId}`, { eventTypes: null }), 404, 'NOT_FOUND');
    }
    expect(receiver.received).toEqual([]);
  });

  it('a resend sends the same event again, and the audit log names the key', async () => {
    await anOrder(trader.trade);
    const [{ id, eventId }] = await deliveriesIn(trader.trade, 'delivered');
    const reply = await resend(id);
    expect([reply.status, reply.json.data]).toMatchObject([200, { id, eventId, trigger: 'resend' }]);
    const [first, second] = await receiver.waitFor(2);
    expect([second?.id, second?.rawBody]).toEqual([eventId, first?.rawBody]);
    const [key] = await sql<{ id: string }>(service, `SELECT id FROM api_keys WHERE account_id = $1 AND environment = 'test'`, [
      trader.accountId,
    ]);
    expect(await findAuditEntries(service, id)).toMatchObject([
      {
        actor_id: key?.id,
        actor: 'account',
        action: 'delivery.resend',
        request_id: reply.headers['service-request-id'],
        before: { state: 'delivered', chain: 1 },
        after: { state: 'pending', chain: 2 },
      },
    ]);
  });

  it('deliveries of another account or environment and unknown ones are 404, and nothing is sent', async () => {
    await anOrder(trader.trade);
    const [{ id }] = await deliveriesIn(trader.trade, 'delivered');
    const strangers = [(await aTrader(service)).trade, service.trade(trader.liveKey)];
    for (const stranger of strangers) expectRefusal(await resend(id, stranger), 404, 'NOT_FOUND');
    for (const other of ['dlv_00', 'x', '%00', endpointId]) expectRefusal(await resend(other), 404, 'NOT_FOUND');
    expect((await deliveriesIn(trader.trade, 'delivered')).map((one) => one.trigger)).toEqual(['automatic']);
  });

  it('a resend to a disabled or deleted endpoint is 409 with a message for clients, and changes nothing', async () => {
    await anOrder(trader.trade);
    const [{ id }] = await deliveriesIn(trader.trade, 'delivered');
    await postAsStudio('disable');
    const refused = await resend(id);
    expectRefusal(refused, 409, 'ENDPOINT_DISABLED', { endpointId });
    expect(refused.json.error?.message).toContain('ask the studio to enable it');
    await service.studio().send('DELETE', `/webhook-endpoints/${endpointId}`);
    expectRefusal(await resend(id), 409, 'ENDPOINT_DISABLED', { endpointId });
    expect(await deliveriesIn(trader.trade, 'delivered')).toHaveLength(1);
    expect(await findAuditEntries(service, id)).toEqual([]);
  });
});
