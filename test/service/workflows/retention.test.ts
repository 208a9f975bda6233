import { copyQuote } from '../../support/row-copies';
import { startService, type TestService } from '../../support/service';
import { useReceiver } from '../../support/fixtures';
import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { holdLock } from '../../support/held-lock';
import { waitFor } from '../../support/wait-for';
import { OrderDriver } from './order-driver';

describe('retention of addresses', () => {
  let service: TestService;
  let desk: OrderDriver;
  afterEach(() => service.stop());

  async function startWithRetention(days: string): Promise<void> {
    service = await startService({ env: { QUOTE_RETENTION_DAYS: days } });
    desk = new OrderDriver(service);
  }
  const runRetention = () =>
    desk.client.workflow.execute('retention', { workflowId: `retention-${service.taskQueue}`, taskQueue: service.taskQueue });
  const expireQuote = (quoteId: string, days: number) =>
    desk.sql(`UPDATE quotes SET expires_at = now() - $2 * interval '1 day' WHERE id = $1`, [quoteId, days]);
  const readAddress = async (quoteId: string) =>
    (await desk.sql<{ shipping_address: Record<string, unknown> }>('SELECT shipping_address FROM quotes WHERE id = $1', [quoteId]))[0]
      ?.shipping_address;
  const trade = () => service.trade(service.account.testKey);

  it('an expired quote without an order loses its address, and is still read as expired', async () => {
    await startWithRetention('30');
    const [older, younger, open, ordered] = [
      await desk.createQuote(),
      await desk.createQuote(),
      await desk.createQuote(),
      await desk.createQuote(),
    ];
    await desk.placeOrderOf(ordered);
    await expireQuote(older, 31);
    await expireQuote(younger, 29);
    await expireQuote(ordered, 300);
    const before = (await trade().get(`/quotes/${older}`)).json.data;
    const kept = await Promise.all([younger, open, ordered].map(readAddress));
    expect(await runRetention()).toEqual({ quotes: 1, attempts: 0 });
    expect(await readAddress(older)).toEqual({
      name: '[erased]',
      company: null,
      line1: '[erased]',
      line2: null,
      city: '[erased]',
      state: '[erased]',
      postcode: '[erased]',
      country: 'AU',
      phone: null,
      email: '[erased]',
    });
    expect(await Promise.all([younger, open, ordered].map(readAddress))).toEqual(kept);
    expect((await trade().get(`/quotes/${older}`)).json.data).toEqual(before);
    const refused = await trade().post('/orders', { quoteId: older }, { 'idempotency-key': 'late' });
    expect(refused.json.error?.code).toBe('QUOTE_EXPIRED');
    expect(await runRetention()).toEqual({ quotes: 0, attempts: 0 });
  });

  it('one pass handles more than one batch', async () => {
    await startWithRetention('1');
    const first = await desk.createQuote();
    await expireQuote(first, 2);
    await copyQuote(service.deps.database, first, 1200);
    expect(await runRetention()).toEqual({ quotes: 1201, attempts: 0 });
  });

  it('0 days keeps them forever', async () => {
    await startWithRetention('0');
    const quote = await desk.createQuote();
    await expireQuote(quote, 3000);
    expect(await runRetention()).toEqual({ quotes: 0, attempts: 0 });
    expect(await readAddress(quote)).toMatchObject({ name: 'Ada Customer' });
  });
});

describe('retention of webhook attempts', () => {
  const receiver = useReceiver();
  let service: TestService;
  let desk: OrderDriver;
  afterEach(() => service.stop());

  async function startWithRetention(days: string): Promise<void> {
    service = await startService({
      env: { WEBHOOK_ATTEMPT_RETENTION_DAYS: days, WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '1ms' },
    });
    desk = new OrderDriver(service);
  }
  const runRetention = () =>
    desk.client.workflow.execute('retention', { workflowId: `retention-${service.taskQueue}`, taskQueue: service.taskQueue });
  const ageAttempts = (deliveryId: string, days: number, number: number | null = null) =>
    desk.sql(
      `UPDATE webhook_attempts SET at = now() - $2 * interval '1 day' + number * interval '1 minute' WHERE delivery_id = $1 AND number = COALESCE($3, number)`,
      [deliveryId, days, number],
    );
  const readDelivery = async (id: string) => (await service.studio().get(`/deliveries/${id}`)).json.data;

  /** The delivery of `order.received` when it has ended. */
  async function deliver(status: number): Promise<string> {
    receiver.respondWith((_, response) => void response.writeHead(status).end('as asked'));
    const order = await anOrder(service.trade(service.account.testKey));
    const { id } = await waitFor('the delivery', () =>
      service.deps.database.row<{ id: string }>(
        `SELECT id FROM webhook_deliveries WHERE order_id = $1 AND state IN ('delivered', 'failed')`,
        [order.orderId],
      ),
    );
    return id;
  }

  it('old attempts are deleted, and deliveries keep the time and result of the last one in every list', async () => {
    await startWithRetention('30');
    await anEndpoint(service.deps.database, service.account.accountId, receiver.url);
    const [old, failed, mixed, recent] = [await deliver(204), await deliver(500), await deliver(500), await deliver(204)];
    await ageAttempts(old, 31);
    await ageAttempts(failed, 31);
    await ageAttempts(mixed, 31, 1);
    await ageAttempts(recent, 29);
    const readLists = async () => ({
      studio: (await service.studio().get('/deliveries?environment=test')).json.data,
      own: (await service.trade(service.account.testKey).get('/webhook-deliveries')).json.data,
    });
    const [lists, before] = [await readLists(), await Promise.all([old, failed, mixed, recent].map(readDelivery))];
    expect(lists.studio).toHaveLength(4);
    expect(lists.own).toHaveLength(4);

    expect(await runRetention()).toEqual({ quotes: 0, attempts: 4 });
    expect(await readLists()).toEqual(lists);
    const after = await Promise.all([old, failed, mixed, recent].map(readDelivery));
    for (const [at, deleted] of [1, 2, 1, 0].entries()) {
      expect(after[at]).toEqual({
        ...before[at],
        attempts: before[at].attempts.slice(deleted),
        attemptsDeletedUntil: deleted === 0 ? null : before[at].attempts[deleted - 1].at,
      });
    }
    expect(after[1]).toMatchObject({ attempts: [], attemptCount: 2, lastStatus: 500, lastErrorCode: 'bad_status' });
    expect(await runRetention()).toEqual({ quotes: 0, attempts: 0 });

    receiver.respondWith((_, response) => void response.writeHead(204).end());
    expect((await service.studio().post(`/deliveries/${failed}/resend`, {})).status).toBe(200);
    const resent = await waitFor('the resent delivery', async () => {
      const delivery = await readDelivery(failed);
      return delivery.state === 'delivered' ? delivery : null;
    });
    expect(resent).toMatchObject({ lastStatus: 204, lastErrorCode: null, attempts: [{ ok: true }] });
  });

  it('more than one batch goes in one pass; a locked delivery waits for the next', async () => {
    await startWithRetention('1');
    const endpoint = await anEndpoint(service.deps.database, service.account.accountId, receiver.url);
    const [locked, free] = [await deliver(204), await deliver(204)];
    await ageAttempts(locked, 2);
    await ageAttempts(free, 2);
    await desk.sql(
      `INSERT INTO webhook_attempts (endpoint_id, chain, number, trigger, at, ok, timings)
       SELECT $1, 1, 1, 'ping', now() - interval '2 days', true, '{}' FROM generate_series(1, 1200)`,
      [endpoint.id],
    );
    const lock = await holdLock(service.deps.database, 'SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [locked]);
    expect(await runRetention()).toEqual({ quotes: 0, attempts: 1201 });
    await lock.release();
    expect(await runRetention()).toEqual({ quotes: 0, attempts: 1 });
  });

  it('0 days keep them for ever', async () => {
    await startWithRetention('0');
    await anEndpoint(service.deps.database, service.account.accountId, receiver.url);
    const id = await deliver(204);
    await ageAttempts(id, 3000);
    expect(await runRetention()).toEqual({ quotes: 0, attempts: 0 });
    expect((await readDelivery(id)).attempts).toHaveLength(1);
  });
});
