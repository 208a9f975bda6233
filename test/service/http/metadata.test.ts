import { anIdempotencyKeyHeader, aQuote, aQuoteRequest, placeOrder } from '../../support/baskets';
import { useSharedService } from '../../support/fixtures';
import { aTrader, expectValidationPaths } from './support';

describe('metadata', () => {
  const service = useSharedService();

  const SENT = { zebra: 'z', '7': 'seven', shopOrder: '1041', Ä: '', ['k'.repeat(40)]: '🖼'.repeat(200) };

  it('is returned on the quote, its order, every read and the events, always in the same order', async () => {
    const { trade } = await aTrader(service);
    const quote = await aQuote(trade, { metadata: SENT });
    expect(quote.metadata).toEqual(SENT);
    const shown = JSON.stringify(quote.metadata);
    expect(JSON.stringify((await trade.get(`/quotes/${quote.quoteId}`)).json.data.metadata)).toBe(shown);
    const key = anIdempotencyKeyHeader();
    const placed = await placeOrder(trade, quote.quoteId, key);
    expect(JSON.stringify(placed.json.data.metadata)).toBe(shown);
    expect((await placeOrder(trade, quote.quoteId, key)).text).toBe(placed.text);
    const { orderId } = placed.json.data;
    const { text, json } = await trade.get(`/orders/${orderId}`);
    expect(text).toBe(placed.text);
    const [event] = (await trade.get('/events')).json.data;
    expect(JSON.stringify(event.data)).toBe(JSON.stringify(json.data));
    expect((await service.studio().get(`/orders/${orderId}`)).json.data.metadata).toEqual(SENT);
  });

  it("of an order is the sent one, also if empty, and else the quote's", async () => {
    const { trade } = await aTrader(service);
    const placeWithMetadata = async (body: Record<string, unknown>) => {
      const { quoteId } = await aQuote(trade, { metadata: { from: 'quote' } });
      const { metadata, orderId } = (await placeOrder(trade, quoteId, undefined, body)).json.data;
      expect((await trade.get(`/orders/${orderId}`)).json.data.metadata).toEqual(metadata);
      expect((await trade.get(`/quotes/${quoteId}`)).json.data.metadata).toEqual({ from: 'quote' });
      return metadata;
    };
    expect(await placeWithMetadata({ metadata: { b: '2', a: '1' } })).toEqual({ a: '1', b: '2' });
    expect(await placeWithMetadata({ metadata: {} })).toEqual({});
    expect(await placeWithMetadata({ metadata: null })).toEqual({ from: 'quote' });
    expect(await placeWithMetadata({})).toEqual({ from: 'quote' });
  });

  it('is empty if omitted, and is part of the idempotency comparison', async () => {
    const { trade } = await aTrader(service);
    const { quoteId, metadata } = await aQuote(trade);
    expect(metadata).toEqual({});
    const key = anIdempotencyKeyHeader();
    await placeOrder(trade, quoteId, key, { metadata: { a: '1' } });
    const other = await placeOrder(trade, quoteId, key, { metadata: { a: '2' } });
    expect([other.status, other.json.error?.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it.each([[[]], ['a'], [{ a: 1 }], [{ a: 'x'.repeat(201) }], [{ ['k'.repeat(41)]: 'a' }], [{ a: '\0' }]])(
    '%j is VALIDATION_ERROR on quotes and orders',
    async (metadata) => {
      const { trade } = await aTrader(service);
      const basket = await aQuoteRequest(trade);
      expectValidationPaths(await trade.post('/quotes', { ...basket, metadata }), ['metadata']);
      const { quoteId } = (await trade.post('/quotes', basket)).json.data;
      expectValidationPaths(await placeOrder(trade, quoteId, undefined, { metadata }), ['metadata']);
    },
  );

  it('and instructions of maximum size fit into the body of an order, also escaped', async () => {
    const { trade } = await aTrader(service);
    const { quoteId } = await aQuote(trade);
    const metadata = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [String.fromCodePoint(0x1f5bc + at).repeat(40), '🖼'.repeat(200)]),
    );
    const text = JSON.stringify({ quoteId, specialInstructions: '🖼'.repeat(2000), metadata });
    const escaped = text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const reply = await trade.send('POST', '/orders', escaped, anIdempotencyKeyHeader());
    expect([reply.status, reply.json.data.metadata]).toEqual([201, metadata]);
  });
});
