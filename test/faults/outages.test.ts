import { expectRefusal } from '../http/support';
import { aKey, anAccount } from '../support/accounts';
import { aKeyHeader, aQuote, placeOrder } from '../support/baskets';
import { HttpClient, type Reply } from '../support/client';
import { waitFor } from '../support/wait-for';
import { Stack, type PartName } from './support/stack';

const AWHILE_MS = 60_000;

/** One part is killed and comes back; API and worker stay the processes they were. */
describe('a part away and back', () => {
  let stack: Stack;
  let trade: HttpClient;
  let studio: HttpClient;
  let accountId: string;

  beforeAll(async () => {
    stack = await Stack.create({ services: 'source', postgresSettings: { fsync: 'off' }, env: { LOG_LEVEL: 'warn' } });
    await stack.start();
    const { dataSource } = await stack.dependencies();
    ({ accountId } = await anAccount(dataSource));
    trade = new HttpClient(stack.tradeUrl, await aKey(dataSource, accountId));
    studio = new HttpClient(stack.studioUrl, stack.adminToken);
  }, 120_000);
  afterAll(() => stack.close(), 60_000);

  const pids = () => (['api', 'worker'] as const).map((part) => stack.processOf(part)?.pid);
  const outstanding = async () => (await studio.get(`/accounts/${accountId}`)).json.data.test.outstandingCents as number;

  /** Kills a part, lets `meanwhile` look, starts it again; API and worker must have stayed. */
  async function without(part: PartName, meanwhile: () => Promise<void>): Promise<void> {
    const before = pids();
    await stack.kill(part);
    try {
      await meanwhile();
    } finally {
      await stack.up(part);
    }
    await stack.whenReady();
    expect(pids()).toEqual(before);
    expect(stack.ownEnds).toEqual([]);
  }

  /** The same request until it is answered so; the number of tries is the client's business. */
  const eventually = (status: number, send: () => Promise<Reply>) => waitFor(`an answer ${status}`, async () => {
    const reply = await send();
    if (reply.status !== status) expect([500, 409, 429]).toContain(reply.status);
    return reply.status === status && reply;
  }, AWHILE_MS);

  it('PostgreSQL: 500 in the envelope for everything, and then the main job works again', async () => {
    const { quoteId } = await aQuote(trade);
    const waiting = await aQuote(trade);
    const header = aKeyHeader();
    const order = await placeOrder(trade, quoteId, header);
    expect(order.status).toBe(201);
    await without('postgres', async () => {
      const replies = await Promise.all([
        trade.get('/catalogue'), trade.get('/orders'), trade.get(`/quotes/${waiting.quoteId}`), trade.post('/quotes', {}), placeOrder(trade, waiting.quoteId),
        trade.post(`/orders/${order.json.data.orderId}/cancel`), studio.get('/orders'), studio.post(`/orders/${order.json.data.orderId}/milestones`, { milestoneId: 'm1', type: 'held' }),
      ]);
      for (const reply of replies) expectRefusal(reply, 500, 'INTERNAL_ERROR');
      const readiness = await fetch(new URL('/readyz', stack.tradeUrl));
      expect([readiness.status, ((await readiness.json()) as { data: { checks: unknown } }).data.checks]).toEqual([503, expect.objectContaining({ database: 'not reachable', temporal: 'ok' })]);
      expect((await fetch(new URL('/healthz', stack.tradeUrl))).status).toBe(200);
    });
    expect((await placeOrder(trade, quoteId, header)).text).toBe(order.text);
    const placed = await eventually(201, () => placeOrder(trade, waiting.quoteId));
    expect((await studio.post(`/orders/${placed.json.data.orderId}/milestones`, { milestoneId: 'm1', type: 'held' })).json.data.status).toBe('on_hold');
    expect(await outstanding()).toBe(order.json.data.totalCents + placed.json.data.totalCents);
  }, 180_000);

  it('Temporal: reads and quotes go on, changes are a clean 500, and the same key then places the order on the same processes', async () => {
    const { quoteId } = await aQuote(trade);
    const order = (await placeOrder(trade, (await aQuote(trade)).quoteId)).json.data;
    const [header, owed] = [aKeyHeader(), await outstanding()];
    const hold = () => studio.post(`/orders/${order.orderId}/milestones`, { milestoneId: 'm1', type: 'held' });
    let quotedMeanwhile = '';
    await without('temporal', async () => {
      const changes = [placeOrder(trade, quoteId, header), trade.post(`/orders/${order.orderId}/cancel`), hold()];
      expect((await trade.get('/catalogue')).status).toBe(200);
      expect((await trade.get(`/orders/${order.orderId}`)).json.data).toEqual(order);
      expect((await trade.get(`/quotes/${quoteId}`)).status).toBe(200);
      quotedMeanwhile = (await aQuote(trade)).quoteId;
      for (const reply of await Promise.all(changes)) expectRefusal(reply, 500, 'INTERNAL_ERROR');
      expect(await outstanding()).toBe(owed);
      expect((await trade.get(`/orders/${order.orderId}`)).json.data.status).toBe('received');
    });
    const placed = await eventually(201, () => placeOrder(trade, quoteId, header));
    expect((await placeOrder(trade, quoteId, header)).text).toBe(placed.text);
    expect((await eventually(201, () => placeOrder(trade, quotedMeanwhile))).json.data.status).toBe('received');
    expect((await eventually(200, hold)).json.data.status).toBe('on_hold');
    expect((await eventually(200, () => trade.post(`/orders/${order.orderId}/cancel`))).json.data.status).toBe('cancelled');
  }, 180_000);

  it('the worker: a change waits for its return, and a repeat of it is not a second one', async () => {
    const { quoteId } = await aQuote(trade);
    const header = aKeyHeader();
    const owed = await outstanding();
    await stack.kill('worker');
    const attempt = placeOrder(trade, quoteId, header);
    expect((await trade.get('/orders')).status).toBe(200);
    await stack.up('worker');
    const [first] = await Promise.all([attempt, stack.whenReady()]);
    const placed = first.status === 201 ? first : await eventually(201, () => placeOrder(trade, quoteId, header));
    expect((await placeOrder(trade, quoteId, header)).text).toBe(placed.text);
    expect(await outstanding()).toBe(owed + placed.json.data.totalCents);
  }, 180_000);
});
