import { TEMPORAL_TIMEOUTS } from '../../../src/temporal/options';
import { anIdempotencyKeyHeader, anOrder, aQuote, placeOrder } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { anEndpoint } from '../../support/endpoints';
import { temporalAddress } from '../../support/infrastructure';
import { useService, useFixture } from '../../support/fixtures';
import { LONG_TEMPORAL_TIMEOUTS } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { TcpProxy } from '../../support/tcp-proxy';
import { aTrader, expectRefusal, countRows, sql } from './support';

describe('orders while the connection to Temporal is broken', () => {
  const proxy = useFixture(
    async () => TcpProxy.to(await temporalAddress()),
    (opened) => opened.close(),
  );
  const temporalTimeouts = { ...TEMPORAL_TIMEOUTS };
  const service = useService(() => ({ worker: false, temporalAddress: proxy.address, temporalTimeouts }));
  beforeAll(async () => {
    service.env.TEMPORAL_ADDRESS = await temporalAddress();
    await service.startWorker();
  });
  afterEach(() => {
    proxy.mend();
    Object.assign(temporalTimeouts, TEMPORAL_TIMEOUTS);
  });

  const startedOrders = async (accountId: string) =>
    (
      await sql<{ id: string }>(service, 'SELECT id FROM orders WHERE account_id = $1 AND workflow_checked_at IS NOT NULL', [accountId])
    ).map(({ id }) => id);

  it('quotes and orders work as usual; orders are marked as not started, and start when Temporal is back', async () => {
    const { trade, accountId } = await aTrader(service);
    proxy.cut();
    const quoteIds = [(await aQuote(trade)).quoteId, (await aQuote(trade)).quoteId];
    const header = anIdempotencyKeyHeader();
    const placed = await placeOrder(trade, quoteIds[0] ?? '', header);
    expect([placed.status, (await placeOrder(trade, quoteIds[1] ?? '')).status]).toEqual([201, 201]);
    expect((await placeOrder(trade, quoteIds[0] ?? '', header)).text).toBe(placed.text);
    expect(await countRows(service, accountId)).toMatchObject({ orders: 2, invoices: 2, order_events: 2, idempotency_records: 2 });
    expect(await startedOrders(accountId)).toEqual([]);
    proxy.mend();
    const started = await waitFor('both workflows started', async () => {
      const ids = await startedOrders(accountId);
      return ids.length === 2 && ids;
    });
    for (const id of started)
      expect((await service.deps.temporal.client.workflow.getHandle(`order/${id}`).describe()).status.name).toBe('RUNNING');
  });

  it('messages to orders and pings are refused with SERVICE_UNAVAILABLE, and work afterwards', async () => {
    const { trade, accountId } = await aTrader(service);
    const { orderId } = await anOrder(trade);
    const { id: endpointId } = await anEndpoint(service.deps.database, accountId, 'https://hooks.example.com');
    proxy.cut();
    await waitFor('the breaker opens', async () => {
      service.deps.temporal.breaker.check();
      return service.deps.temporal.breaker.isOpen;
    });
    const cancel = await trade.post(`/orders/${orderId}/cancel`);
    expectRefusal(cancel, 503, 'SERVICE_UNAVAILABLE');
    expect(cancel.headers['retry-after']).toBe('5');
    expect((await trade.get(`/orders/${orderId}`)).json.data.status).toBe('received');
    const change = { specialInstructions: 'ring' };
    const key = anIdempotencyKeyHeader();
    expectRefusal(await trade.send('PATCH', `/orders/${orderId}`, change, key), 503, 'SERVICE_UNAVAILABLE');
    const milestone = { milestoneId: 'm-1', type: 'held' };
    expectRefusal(await service.studio().post(`/orders/${orderId}/milestones`, milestone), 503, 'SERVICE_UNAVAILABLE');
    const batch = { type: 'held', items: [{ orderId, milestoneId: 'batch-1' }] };
    const error = { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('repeat') };
    expect((await service.studio().post('/milestone-batches', batch)).json.data).toEqual([{ orderId, outcome: 'failed', error }]);
    const schedules = await service.studio().get('/schedules');
    expectRefusal(schedules, 503, 'SERVICE_UNAVAILABLE');
    expect(schedules.headers['retry-after']).toBe('5');
    for (const action of ['ping', 'enable'])
      expectRefusal(await service.studio().post(`/webhook-endpoints/${endpointId}/${action}`), 503, 'SERVICE_UNAVAILABLE');
    proxy.mend();
    await waitFor('the breaker closes', async () => !service.deps.temporal.breaker.isOpen);
    Object.assign(temporalTimeouts, LONG_TEMPORAL_TIMEOUTS); // a busy machine
    expect((await trade.send('PATCH', `/orders/${orderId}`, change, key)).status).toBe(200);
    expect((await service.studio().get(`/orders/${orderId}`)).json.data.job.specialInstructions).toBe('ring');
    expect((await trade.post(`/orders/${orderId}/cancel`)).json.data).toMatchObject({ orderId, status: 'cancelled' });
  });

  it('both APIs stay ready for a load balancer, and the studio API names the outage', async () => {
    proxy.cut();
    const readReadiness = async (port: number) => {
      const { status, json } = await new HttpClient(`http://127.0.0.1:${port}`).get('/readyz');
      return [status, json.data];
    };
    const checks = { database: 'ok', migrations: 'ok', temporal: 'not reachable' };
    const readStudio = (temporal: string) =>
      waitFor(`the studio says that Temporal is ${temporal}`, async () => {
        const readiness = await readReadiness(service.api.studioPort);
        return readiness[1].checks.temporal === temporal && readiness;
      });
    expect(await readStudio('not reachable')).toEqual([200, { status: 'ready', checks: expect.objectContaining(checks) }]);
    expect(await readReadiness(service.api.tradePort)).toEqual([200, { status: 'ready' }]);
    proxy.mend();
    await readStudio('ok');
  });
});
