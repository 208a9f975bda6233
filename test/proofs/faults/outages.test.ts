import { expectRefusal } from '../../service/http/support';
import { aKey, anAccount } from '../../support/accounts';
import { anIdempotencyKeyHeader, anOrder, aQuote, placeOrder } from '../../support/baskets';
import { HttpClient, type Reply } from '../../support/client';
import { anEndpoint } from '../../support/endpoints';
import { useReceiver } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { PatientClient, repeatWhileOverloaded } from '../../support/repeat';
import type { PartName } from './support/stack';
import { useStack } from './support/use-stack';

const SERVICES = ['api', 'worker', 'relay'] as const;

/** One process is killed and restarted. The other processes must stay the same. */
describe('an outage of one process', () => {
  const receiver = useReceiver();
  const stack = useStack(() => ({ env: { LOG_LEVEL: 'warn', WEBHOOK_ALLOWED_ORIGINS: receiver.origin } }));
  let trade: HttpClient;
  let studio: HttpClient;
  let accountId: string;

  beforeAll(async () => {
    const { database } = await stack.dependencies();
    ({ accountId } = await anAccount(database));
    await anEndpoint(database, accountId, receiver.url);
    trade = new HttpClient(stack.tradeUrl, await aKey(database, accountId));
    studio = new HttpClient(stack.studioUrl, stack.adminToken);
  });

  const otherPids = (away: PartName) => SERVICES.filter((part) => part !== away).map((part) => stack.processOf(part)?.pid);
  const readOutstanding = async () =>
    (await new PatientClient(stack.studioUrl, stack.adminToken).get(`/accounts/${accountId}`)).json.data.test.outstandingCents as number;

  /** Kills a part, runs `meanwhile`, and restarts the part. The others must have stayed. */
  async function whileKilled(part: PartName, meanwhile: () => Promise<void>): Promise<void> {
    const before = otherPids(part);
    await stack.kill(part);
    try {
      await meanwhile();
    } finally {
      await stack.startPart(part);
    }
    await stack.whenReady();
    expect(otherPids(part)).toEqual(before);
    expect(stack.unexpectedExits).toEqual([]);
  }

  /** The service checks its parts once a second at most. */
  const untilReadiness = (expected: object) =>
    waitFor(`readiness ${JSON.stringify(expected)}`, async () => {
      try {
        expect(await stack.readiness()).toEqual(expected);
        return true;
      } catch {
        return false;
      }
    });

  /** Repeats the request until it has this response, for any number of tries. */
  const retryUntilStatus = (status: number, send: () => Promise<Reply>) =>
    waitFor(`an answer ${status}`, async () => {
      const reply = await send();
      if (reply.status !== status) expect([500, 503, 409, 429]).toContain(reply.status);
      return reply.status === status && reply;
    });

  it('PostgreSQL: 500 in the envelope for everything, and then the main job works again', async () => {
    const { quoteId } = await aQuote(trade);
    const waiting = await aQuote(trade);
    const header = anIdempotencyKeyHeader();
    const order = await placeOrder(trade, quoteId, header);
    expect(order.status).toBe(201);
    await whileKilled('postgres', async () => {
      const replies = await Promise.all([
        trade.get('/catalogue'),
        trade.get('/orders'),
        trade.get(`/quotes/${waiting.quoteId}`),
        trade.post('/quotes', {}),
        placeOrder(trade, waiting.quoteId),
        trade.post(`/orders/${order.json.data.orderId}/cancel`),
        studio.get('/orders'),
        studio.post(`/orders/${order.json.data.orderId}/milestones`, { milestoneId: 'm1', type: 'held' }),
      ]);
      for (const reply of replies) expectRefusal(reply, 500, 'INTERNAL_ERROR');
      await untilReadiness({
        status: 503,
        checks: expect.objectContaining({ database: 'not reachable', temporal: 'ok' }),
      });
      expect((await fetch(new URL('/healthz', stack.tradeUrl))).status).toBe(200);
    });
    expect((await placeOrder(trade, quoteId, header)).text).toBe(order.text);
    const nextHeader = anIdempotencyKeyHeader();
    const placed = await retryUntilStatus(201, () => placeOrder(trade, waiting.quoteId, nextHeader));
    const held = await retryUntilStatus(200, () =>
      studio.post(`/orders/${placed.json.data.orderId}/milestones`, { milestoneId: 'm1', type: 'held' }),
    );
    expect(held.json.data.status).toBe('on_hold');
    expect(await readOutstanding()).toBe(order.json.data.totalCents + placed.json.data.totalCents);
  });

  it('PostgreSQL paused: 503 OVERLOADED for everything, and the same key then places the order once', async () => {
    const { quoteId } = await aQuote(trade);
    const [header, owed] = [anIdempotencyKeyHeader(), await readOutstanding()];
    stack.freeze('postgres');
    try {
      const replies = await Promise.all([
        trade.get('/catalogue'),
        trade.get('/orders'),
        trade.get(`/quotes/${quoteId}`),
        placeOrder(trade, quoteId, header),
        studio.get('/orders'),
      ]);
      for (const reply of replies) expectRefusal(reply, 503, 'OVERLOADED');
    } finally {
      await stack.thaw('postgres');
    }
    const placed = await retryUntilStatus(201, () => placeOrder(trade, quoteId, header));
    expect((await placeOrder(trade, quoteId, header)).text).toBe(placed.text);
    expect(await readOutstanding()).toBe(owed + placed.json.data.totalCents);
    expect(stack.unexpectedExits).toEqual([]);
  });

  it('Temporal: quotes and orders work, other changes are refused in the envelope, and afterwards they work and every order has its workflow', async () => {
    const [order, another] = [await anOrder(trade), await anOrder(trade)];
    const [header, owed] = [anIdempotencyKeyHeader(), await readOutstanding()];
    const cancelOrder = () => trade.post(`/orders/${order.orderId}/cancel`);
    const holdOrder = () => studio.post(`/orders/${another.orderId}/milestones`, { milestoneId: 'm1', type: 'held' });
    let placed: Reply | undefined;
    let unordered = '';
    await whileKilled('temporal', async () => {
      // A slow PostgreSQL is not what this tests.
      const changes = [cancelOrder, holdOrder].map((change) => repeatWhileOverloaded(change));
      expect((await trade.get('/catalogue')).status).toBe(200);
      expect((await trade.get(`/orders/${order.orderId}`)).json.data).toEqual(order);
      const { quoteId } = await aQuote(trade);
      unordered = (await aQuote(trade)).quoteId;
      placed = await placeOrder(trade, quoteId, header);
      expect([placed.status, placed.json.data.status]).toEqual([201, 'received']);
      expect((await placeOrder(trade, quoteId, header)).text).toBe(placed.text);
      expectRefusal(await placeOrder(trade, quoteId), 409, 'QUOTE_ALREADY_ORDERED', { orderId: placed.json.data.orderId });
      expect((await trade.get(`/orders/${placed.json.data.orderId}`)).json.data).toEqual(placed.json.data);
      await waitFor('the event of an order placed during the outage', async () =>
        receiver.received.some(({ body }) => body.data.orderId === placed?.json.data.orderId),
      );
      for (const reply of await Promise.all(changes)) expectRefusal(reply, 503, 'SERVICE_UNAVAILABLE');
      expect(await readOutstanding()).toBe(owed + placed.json.data.totalCents);
      expect((await trade.get(`/orders/${order.orderId}`)).json.data.status).toBe('received');
      await untilReadiness({
        status: 200,
        checks: expect.objectContaining({ database: 'ok', temporal: 'not reachable' }),
      });
    });
    // A message with response 503 may still be applied when Temporal is back. Its repeat shows the result.
    expect((await retryUntilStatus(200, holdOrder)).json.data.status).toBe('on_hold');
    expect((await retryUntilStatus(200, cancelOrder)).json.data.status).toBe('cancelled');
    const lastHeader = anIdempotencyKeyHeader();
    await retryUntilStatus(201, () => placeOrder(trade, unordered, lastHeader));
    const { database, temporal } = await stack.dependencies();
    await waitFor(
      'every workflow is started',
      async () => (await database.rows('SELECT 1 FROM orders WHERE workflow_checked_at IS NULL')).length === 0,
    );
    expect((await temporal.client.workflow.getHandle(`order/${placed?.json.data.orderId}`).describe()).status.name).toBe('RUNNING');
  });

  it('the worker: orders are placed as usual; a change waits until the worker is back, and repeating it has no second effect', async () => {
    const owed = await readOutstanding();
    await stack.kill('worker');
    const { orderId, totalCents } = await anOrder(trade);
    const payOrder = () => studio.post(`/orders/${orderId}/payments`, { paymentId: 'pay-1', amountCents: 100 });
    const attempt = payOrder();
    expect((await trade.get('/orders')).json.data).toContainEqual(expect.objectContaining({ orderId, status: 'received' }));
    await stack.startPart('worker');
    await Promise.all([attempt, stack.whenReady()]);
    expect((await retryUntilStatus(200, payOrder)).json.data.payments).toEqual([
      expect.objectContaining({ paymentId: 'pay-1', amountCents: 100 }),
    ]);
    expect(await readOutstanding()).toBe(owed + totalCents - 100);
  });

  it('the relay: orders are placed as usual, and receivers get the events when it is back', async () => {
    let orderId = '';
    await whileKilled('relay', async () => {
      ({ orderId } = await anOrder(trade));
      expect(receiver.received.map(({ body }) => body.data.orderId)).not.toContain(orderId);
      expect((await studio.get(`/deliveries?orderId=${orderId}`)).json.data).toEqual([
        expect.objectContaining({ state: 'pending', attemptCount: 0 }),
      ]);
    });
    await waitFor('its event', async () => receiver.received.some(({ body }) => body.data.orderId === orderId));
  });
});
