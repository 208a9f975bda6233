import { anIdempotencyKeyHeader, anOrder, aQuote, aQuoteRequest, placeOrder } from '../../support/baskets';
import { useSharedService } from '../../support/fixtures';
import { aTrader, expectRefusal, expectValidationPaths } from './support';

describe("the client's reference", () => {
  const service = useSharedService();

  it("of an order is the sent one, else the quote's, else the account's default", async () => {
    const { trade, accountId } = await aTrader(service);
    const setDefault = (defaultReference: string | null) =>
      service
        .studio()
        .send('PATCH', `/accounts/${accountId}`, { defaultReference })
        .then(({ json }) => json.data.defaultReference);
    const place = async (ofQuote: string | null | undefined, body: Record<string, unknown>) => {
      const quote = await aQuote(trade, { reference: ofQuote });
      expect([quote.reference, (await trade.get(`/quotes/${quote.quoteId}`)).json.data.reference]).toEqual([
        ofQuote ?? null,
        ofQuote ?? null,
      ]);
      return (await placeOrder(trade, quote.quoteId, undefined, body)).json.data.reference;
    };
    expect(await place(undefined, {})).toBeNull();
    expect(await setDefault('FRAME 2026')).toBe('FRAME 2026');
    expect(await place('PO-1', { reference: ' PO-2' })).toBe(' PO-2');
    expect(await place('PO-1', { reference: null })).toBe('PO-1');
    expect(await place(null, { reference: 'PO-2' })).toBe('PO-2');
    expect(await place(null, {})).toBe('FRAME 2026');
    expect(await setDefault(null)).toBeNull();
    expect(await place(null, {})).toBeNull();
  });

  it('is on reads, lists, events, the invoice, the search and files, and a change replaces it', async () => {
    const { trade } = await aTrader(service);
    const order = await anOrder(trade, { reference: 'Bestellung 12/Ä' });
    const change = (body: object) => trade.send('PATCH', `/orders/${order.orderId}`, body, anIdempotencyKeyHeader());
    const search = (q: string) => service.studio().get(`/orders?environment=test&q=${encodeURIComponent(q)}`);
    const referencesOf = (rows: { reference: string | null }[]) => rows.map(({ reference }) => reference);
    const csvOf = async (path: string) => (await service.studio().get(path)).text;
    expect((await trade.get('/events')).json.data[0].data.reference).toBe('Bestellung 12/Ä');
    const found = (await trade.get(`/orders?reference=${encodeURIComponent('Bestellung 12/Ä')}`)).json.data;
    expect(found).toEqual([order]);
    expect((await trade.get('/orders?reference=Bestellung')).json.data).toEqual([]);
    expect(referencesOf((await search('bestellung 12/a')).json.data)).toEqual(['Bestellung 12/Ä']);

    expect((await change({ reference: 'NEW-77' })).json.data).toEqual({ ...order, reference: 'NEW-77' });
    expect((await trade.get(`/orders/${order.orderId}/invoice`)).json.data.reference).toBe('NEW-77');
    expect((await service.studio().get(`/orders/${order.orderId}`)).json.data).toMatchObject({
      reference: 'NEW-77',
      timeline: [{ type: 'changed', change: { before: { reference: 'Bestellung 12/Ä' }, after: { reference: 'NEW-77' } } }],
    });
    expect(referencesOf((await search('new-77')).json.data)).toEqual(['NEW-77']);
    expect((await search('bestellung 12/a')).json.data).toEqual([]);
    expect(await csvOf(`/orders.csv?environment=test&q=${order.orderNumber}`)).toContain('"NEW-77"');
    const { invoiceNumber } = (await trade.get(`/orders/${order.orderId}/invoice`)).json.data;
    expect((await service.studio().get(`/invoices/${invoiceNumber}`)).json.data.reference).toBe('NEW-77');
    expect(await csvOf(`/invoices.csv?environment=test&q=${invoiceNumber}`)).toContain('"NEW-77"');

    expect((await change({ specialInstructions: 'ring' })).json.data.reference).toBe('NEW-77');
    expect((await change({ reference: null })).json.data.reference).toBeNull();
    expect((await trade.get('/orders?reference=NEW-77')).json.data).toEqual([]);
  });

  it('of a remake is that of its original', async () => {
    const { trade } = await aTrader(service);
    const { orderId } = await anOrder(trade, { reference: 'PO-9' });
    const remake = { remakeId: 'r1', lines: [{ line: 0, quantity: 1 }], reason: 'scratched' };
    expect((await service.studio().post(`/orders/${orderId}/remakes`, remake)).json.data.reference).toBe('PO-9');
  });

  it('is part of the idempotency comparison of placing and changing', async () => {
    const { trade } = await aTrader(service);
    const { quoteId } = await aQuote(trade);
    const [placing, changing] = [anIdempotencyKeyHeader(), anIdempotencyKeyHeader()];
    const placed = await placeOrder(trade, quoteId, placing, { reference: 'PO-1' });
    expect((await placeOrder(trade, quoteId, placing, { reference: 'PO-1' })).text).toBe(placed.text);
    expectRefusal(await placeOrder(trade, quoteId, placing, { reference: 'PO-2' }), 409, 'IDEMPOTENCY_KEY_REUSED');
    const change = (reference: string) => trade.send('PATCH', `/orders/${placed.json.data.orderId}`, { reference }, changing);
    expect((await change('PO-3')).status).toBe(200);
    expectRefusal(await change('PO-4'), 409, 'IDEMPOTENCY_KEY_REUSED');
  });

  it.each(['', 'x'.repeat(129), 'PO\n1', 1])('%j is VALIDATION_ERROR on quotes, orders, changes and accounts', async (reference) => {
    const { trade, accountId } = await aTrader(service);
    const basket = await aQuoteRequest(trade);
    expectValidationPaths(await trade.post('/quotes', { ...basket, reference }), ['reference']);
    const { quoteId } = (await trade.post('/quotes', basket)).json.data;
    expectValidationPaths(await placeOrder(trade, quoteId, undefined, { reference }), ['reference']);
    const { orderId } = (await placeOrder(trade, quoteId)).json.data;
    expectValidationPaths(await trade.send('PATCH', `/orders/${orderId}`, { reference }, anIdempotencyKeyHeader()), ['reference']);
    expectValidationPaths(await service.studio().send('PATCH', `/accounts/${accountId}`, { defaultReference: reference }), [
      'defaultReference',
    ]);
  });
});
