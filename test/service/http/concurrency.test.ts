import { aQuote, placeOrder } from '../../support/baskets';
import type { Reply } from '../../support/client';
import { useSharedService } from '../../support/fixtures';
import { anotherKey, aTrader, expectRefusal, countRows, sql } from './support';

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const withStatus = (replies: Reply[], status: number): Reply[] => replies.filter((reply) => reply.status === status);

describe('Orders placed at the same moment', () => {
  const service = useSharedService();

  /** Two keys of one account: fifty submissions stay below their limits of thirty. */
  async function twoClients() {
    const trader = await aTrader(service);
    return { ...trader, clients: [trader.trade, await anotherKey(service, trader.accountId)] as const };
  }

  it('fifty submissions of one quote with fifty keys place one order, and the other 49 get its id', async () => {
    const { trade, accountId, clients } = await twoClients();
    const { quoteId } = await aQuote(trade);
    const replies = await Promise.all(times(50, (index) => placeOrder(clients[index % 2 === 0 ? 0 : 1], quoteId)));
    const [winner, ...others] = withStatus(replies, 201);
    expect(others).toEqual([]);
    const orderId = winner?.json.data.orderId;
    const losers = replies.filter((reply) => reply !== winner);
    expect(losers).toHaveLength(49);
    for (const loser of losers) expectRefusal(loser, 409, 'QUOTE_ALREADY_ORDERED', { orderId });
    expect(await countRows(service, accountId)).toMatchObject({ orders: 1, invoices: 1, order_events: 1, idempotency_records: 1 });
  });

  it('fifty submissions with one key place one order, and the others wait or get the same bytes', async () => {
    const { trade, accountId, clients } = await twoClients();
    const { quoteId } = await aQuote(trade);
    const header = { 'idempotency-key': 'one for all' };
    const replies = await Promise.all(times(50, (index) => placeOrder(clients[index % 2 === 0 ? 0 : 1], quoteId, header)));
    const placed = withStatus(replies, 201);
    expect(placed.filter((reply) => reply.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(new Set(placed.map((reply) => reply.text)).size).toBe(1);
    for (const waiting of replies.filter((reply) => !placed.includes(reply))) {
      expectRefusal(waiting, 409, 'IDEMPOTENCY_KEY_REUSED');
      expect(waiting.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
    }
    expect(await countRows(service, accountId)).toMatchObject({ orders: 1, invoices: 1, order_events: 1, idempotency_records: 1 });
    expect((await placeOrder(await anotherKey(service, accountId), quoteId, header)).text).toBe(placed[0]?.text);
  });

  it('two quotes racing for a credit limit that fits one: one 201, one 402, and the loser stays unspent', async () => {
    const { trade, accountId } = await aTrader(service);
    const quotes = [await aQuote(trade), await aQuote(trade)];
    const { totalCents } = quotes[0];
    await sql(service, 'UPDATE accounts SET credit_limit_cents = $2 WHERE id = $1', [accountId, totalCents * 2 - 1]);
    const replies = await Promise.all(quotes.map(({ quoteId }) => placeOrder(trade, quoteId)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 402]);
    const loser = replies.findIndex(({ status }) => status === 402);
    expectRefusal(replies[loser] as Reply, 402, 'CREDIT_LIMIT_EXCEEDED', {
      outstandingCents: totalCents,
      creditCents: 0,
      limitCents: totalCents * 2 - 1,
      availableCents: totalCents - 1,
      orderCents: totalCents,
    });
    expect((await trade.get(`/quotes/${quotes[loser].quoteId}`)).json.data.consumedAt).toBeNull();
    expect(await countRows(service, accountId)).toMatchObject({ orders: 1, invoices: 1, order_events: 1, idempotency_records: 1 });
  });

  it('ten quotes racing for credit that fits four: four orders, never more', async () => {
    const { trade, accountId } = await aTrader(service);
    const quotes = await Promise.all(times(10, () => aQuote(trade)));
    const { totalCents } = quotes[0];
    await sql(service, 'UPDATE accounts SET credit_limit_cents = $2 WHERE id = $1', [accountId, totalCents * 4]);
    const replies = await Promise.all(quotes.map(({ quoteId }) => placeOrder(trade, quoteId)));
    expect([withStatus(replies, 201).length, withStatus(replies, 402).length]).toEqual([4, 6]);
    expect(await countRows(service, accountId)).toMatchObject({ orders: 4, invoices: 4, order_events: 4 });
  });

  it('twenty cancels of one order void one invoice and emit one event', async () => {
    const { trade, accountId } = await aTrader(service);
    const { orderId } = (await placeOrder(trade, (await aQuote(trade)).quoteId)).json.data;
    const replies = await Promise.all(times(20, () => trade.post(`/orders/${orderId}/cancel`)));
    expect(replies.map(({ status }) => status)).toEqual(times(20, () => 200));
    expect(new Set(replies.map(({ json }) => json.data.status))).toEqual(new Set(['cancelled']));
    expect(await sql(service, `SELECT type, sequence FROM order_events WHERE order_id = $1 ORDER BY sequence`, [orderId])).toEqual([
      { type: 'order.received', sequence: 1 },
      { type: 'order.cancelled', sequence: 2 },
    ]);
    expect(await countRows(service, accountId)).toMatchObject({ orders: 1, invoices: 1, order_events: 2, order_timeline: 1 });
  });

  it('orders placed at the same time get unique numbers', async () => {
    const { trade } = await aTrader(service);
    const quotes = await Promise.all(times(8, () => aQuote(trade)));
    const replies = await Promise.all(quotes.map(({ quoteId }) => placeOrder(trade, quoteId)));
    expect(new Set(replies.map(({ json }) => json.data.orderNumber)).size).toBe(8);
  });
});
