import { newId } from '../../../src/security/ids';
import { anOrder, aQuote, placeOrder } from '../../support/baskets';
import { useFixture, useSharedService } from '../../support/fixtures';
import { anotherKey, aTrader, expectRefusal, scopesWithout } from './support';

describe('POST /test/quotes/{id}/expire', () => {
  const service = useSharedService();
  const trader = useFixture(() => aTrader(service));

  const expire = (quoteId: string, trade = trader.trade) => trade.post(`/test/quotes/${quoteId}/expire`);

  it('the quote expires now, and ordering it is QUOTE_EXPIRED', async () => {
    const quote = await aQuote(trader.trade);
    const expired = await expire(quote.quoteId);
    expect(expired.json.data).toEqual({ ...quote, expiresAt: expect.any(String) });
    expect(Date.parse(expired.json.data.expiresAt)).toBeLessThan(Date.parse(quote.expiresAt));
    expect((await expire(quote.quoteId)).json.data).toEqual(expired.json.data);
    expect((await trader.trade.get(`/quotes/${quote.quoteId}`)).json.data).toEqual(expired.json.data);
    const { expiresAt } = expired.json.data;
    expectRefusal(await placeOrder(trader.trade, quote.quoteId), 409, 'QUOTE_EXPIRED', { expiresAt });
  });

  it('an ordered quote is QUOTE_ALREADY_ORDERED and does not change', async () => {
    const { quoteId, orderId } = await anOrder(trader.trade);
    const before = (await trader.trade.get(`/quotes/${quoteId}`)).json.data;
    expectRefusal(await expire(quoteId), 409, 'QUOTE_ALREADY_ORDERED', { orderId });
    expect((await trader.trade.get(`/quotes/${quoteId}`)).json.data).toEqual(before);
  });

  it('concurrent expiry and order give either an order or an expired quote', async () => {
    const { quoteId } = await aQuote(trader.trade);
    const [expired, placed] = await Promise.all([expire(quoteId), placeOrder(trader.trade, quoteId)]);
    expect([expired.json.error?.code ?? 200, placed.json.error?.code ?? 201]).toEqual(
      placed.status === 201 ? ['QUOTE_ALREADY_ORDERED', 201] : [200, 'QUOTE_EXPIRED'],
    );
  });

  it('requires a test key with orders:write and its own test quote', async () => {
    const { quoteId } = await aQuote(trader.trade);
    const live = service.trade(trader.liveKey);
    const liveQuote = (await aQuote(live)).quoteId;
    const reader = await anotherKey(service, trader.accountId, { scopes: scopesWithout('orders:write') });
    expectRefusal(await expire(quoteId, reader), 403, 'FORBIDDEN');
    for (const id of [quoteId, liveQuote]) expectRefusal(await expire(id, live), 404, 'NOT_FOUND');
    expectRefusal(await expire(quoteId, (await aTrader(service)).trade), 404, 'NOT_FOUND');
    for (const id of [liveQuote, newId('quo'), 'x']) expectRefusal(await expire(id), 404, 'NOT_FOUND');
    expect((await placeOrder(trader.trade, quoteId)).status).toBe(201);
  });
});
