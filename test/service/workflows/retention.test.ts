import { copiesOfQuote } from '../../support/copies';
import { startService, type TestService } from '../../support/service';
import { OrderDesk } from './order-desk';

describe('retention of addresses', () => {
  let service: TestService;
  let desk: OrderDesk;
  afterEach(() => service.stop());

  async function begin(days: string): Promise<void> {
    service = await startService({ env: { QUOTE_RETENTION_DAYS: days } });
    desk = new OrderDesk(service);
  }
  const pass = () =>
    desk.client.workflow.execute('retention', { workflowId: `retention-${service.taskQueue}`, taskQueue: service.taskQueue });
  const age = (quoteId: string, days: number) =>
    desk.sql(`UPDATE quotes SET expires_at = now() - $2 * interval '1 day' WHERE id = $1`, [quoteId, days]);
  const address = async (quoteId: string) =>
    (await desk.sql<{ shipping_address: Record<string, unknown> }>('SELECT shipping_address FROM quotes WHERE id = $1', [quoteId]))[0]
      ?.shipping_address;
  const trade = () => service.trade(service.account.testKey);

  it('a quote that expired unordered longer ago loses its address, and still answers as expired', async () => {
    await begin('30');
    const [older, younger, open, ordered] = [await desk.quote(), await desk.quote(), await desk.quote(), await desk.quote()];
    await desk.submit(ordered);
    await age(older, 31);
    await age(younger, 29);
    await age(ordered, 300);
    const before = (await trade().get(`/quotes/${older}`)).json.data;
    const kept = await Promise.all([younger, open, ordered].map(address));
    expect(await pass()).toEqual({ quotes: 1 });
    expect(await address(older)).toEqual({
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
    expect(await Promise.all([younger, open, ordered].map(address))).toEqual(kept);
    expect((await trade().get(`/quotes/${older}`)).json.data).toEqual(before);
    const refused = await trade().post('/orders', { quoteId: older }, { 'idempotency-key': 'late' });
    expect(refused.json.error?.code).toBe('QUOTE_EXPIRED');
    expect(await pass()).toEqual({ quotes: 0 });
  });

  it('more than one batch goes in one pass', async () => {
    await begin('1');
    const first = await desk.quote();
    await age(first, 2);
    await copiesOfQuote(service.deps.database, first, 1200, { hold_started_at: new Date() });
    expect(await pass()).toEqual({ quotes: 1201 });
  });

  it('0 days keep them for ever', async () => {
    await begin('0');
    const quote = await desk.quote();
    await age(quote, 3000);
    expect(await pass()).toEqual({ quotes: 0 });
    expect(await address(quote)).toMatchObject({ name: 'Ada Customer' });
  });
});
