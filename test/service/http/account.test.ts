import { anOrder } from '../../support/baskets';
import { useSharedService } from '../../support/fixtures';
import { aTrader, anotherKey, sql } from './support';

describe('GET /account', () => {
  const service = useSharedService();

  it("shows the terms and the sums of the key's environment", async () => {
    const { accountId, liveKey, trade } = await aTrader(service, { creditLimitCents: 1_000_000, tradeDiscountBps: 1500 });
    const { totalCents } = await anOrder(trade);
    const terms = {
      accountId,
      name: 'Gallery North',
      scopes: ['price:read', 'orders:read', 'orders:write'],
      paymentTermsDays: 30,
      tradeDiscountBps: 1500,
      currency: 'AUD',
      creditLimitCents: 1_000_000,
    };
    const test = { environment: 'test', outstandingCents: totalCents, creditCents: 0, availableCents: 1_000_000 - totalCents };
    const live = { environment: 'live', outstandingCents: 0, creditCents: 0, availableCents: 1_000_000 };
    expect((await trade.get('/account')).json.data).toEqual({ ...terms, ...test });
    expect((await service.trade(liveKey).get('/account')).json.data).toEqual({ ...terms, ...live });
  });

  it('calculates credit as the check of an order does', async () => {
    const { accountId, trade } = await aTrader(service, { creditLimitCents: 0 });
    const paid = { paymentId: 'bank-1', amountCents: 50_000, receivedAt: new Date().toISOString(), environment: 'test' };
    expect((await service.studio().post(`/accounts/${accountId}/payments`, paid)).status).toBe(200);
    expect((await trade.get('/account')).json.data).toMatchObject({ outstandingCents: 0, creditCents: 50_000, availableCents: 50_000 });
    const { totalCents } = await anOrder(trade);
    expect((await trade.get('/account')).json.data).toMatchObject({
      outstandingCents: totalCents,
      creditCents: 50_000,
      availableCents: 50_000 - totalCents,
    });
  });

  it('available credit is null without a limit, and a key shows its own scopes', async () => {
    const { accountId } = await aTrader(service);
    const reader = await anotherKey(service, accountId, { scopes: ['orders:read'] });
    const reply = await reader.get('/account');
    expect(reply.json.data).toMatchObject({ scopes: ['orders:read'], creditLimitCents: null, availableCents: null });
    await sql(service, 'UPDATE accounts SET payment_terms_days = 7 WHERE id = $1', [accountId]);
    expect((await reader.get('/account')).json.data.paymentTermsDays).toBe(7);
  });
});
