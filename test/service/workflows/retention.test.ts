import { copyQuote } from '../../support/row-copies';
import { startService, type TestService } from '../../support/service';
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

  it('a quote that expired unordered longer ago loses its address, and still answers as expired', async () => {
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
    expect(await runRetention()).toEqual({ quotes: 1 });
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
    expect(await runRetention()).toEqual({ quotes: 0 });
  });

  it('more than one batch goes in one pass', async () => {
    await startWithRetention('1');
    const first = await desk.createQuote();
    await expireQuote(first, 2);
    await copyQuote(service.deps.database, first, 1200, { hold_started_at: new Date() });
    expect(await runRetention()).toEqual({ quotes: 1201 });
  });

  it('0 days keep them for ever', async () => {
    await startWithRetention('0');
    const quote = await desk.createQuote();
    await expireQuote(quote, 3000);
    expect(await runRetention()).toEqual({ quotes: 0 });
    expect(await readAddress(quote)).toMatchObject({ name: 'Ada Customer' });
  });
});
