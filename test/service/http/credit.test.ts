import { newId } from '../../../src/security/ids';
import { aQuote, placeOrder } from '../../support/baskets';
import { sendAsStudio } from '../../support/order-messages';
import { useSharedService } from '../../support/fixtures';
import { aTrader, copyQuoteAs, expectRefusal, countRows, sql } from './support';
import { aToken } from './studio/support';

describe('The credit limit at POST /orders', () => {
  const service = useSharedService();

  const setLimit = (accountId: string, cents: number | null) =>
    sql(service, 'UPDATE accounts SET credit_limit_cents = $2 WHERE id = $1', [accountId, cents]);

  /** A trader with a quote, and copies of it to order in sequence. */
  async function aTraderWithQuote() {
    const trader = await aTrader(service);
    const quote = await aQuote(trader.trade);
    const nextQuote = async (changes: Record<string, unknown> = {}) => {
      const id = newId('quo');
      await copyQuoteAs(service, quote.quoteId, id, changes);
      return id;
    };
    return {
      ...trader,
      total: quote.totalCents as number,
      nextQuote,
      order: async (changes = {}) => placeOrder(trader.trade, await nextQuote(changes)),
    };
  }

  it('no limit (null) allows any amount', async () => {
    const { order } = await aTraderWithQuote();
    expect([(await order()).status, (await order()).status, (await order()).status]).toEqual([201, 201, 201]);
  });

  test.each<[string, (total: number) => number, number]>([
    ['0', () => 0, 402],
    ['one cent', () => 1, 402],
    ['one cent less than the order', (total) => total - 1, 402],
    ['exactly the order', (total) => total, 201],
    ['one cent more', (total) => total + 1, 201],
    ['the largest integer', () => Number.MAX_SAFE_INTEGER, 201],
  ])('a limit of %s is checked to the cent', async (_name, limitOf, status) => {
    const { accountId, total, order } = await aTraderWithQuote();
    const limitCents = limitOf(total);
    await setLimit(accountId, limitCents);
    const reply = await order();
    expect(reply.status).toBe(status);
    if (status === 402) {
      expectRefusal(reply, 402, 'CREDIT_LIMIT_EXCEEDED', {
        outstandingCents: 0,
        creditCents: 0,
        limitCents,
        availableCents: limitCents,
        orderCents: total,
      });
      expect(await countRows(service, accountId)).toMatchObject({ orders: 0, invoices: 0, order_events: 0, idempotency_records: 0 });
    }
  });

  it('counts outstanding amounts: an order up to the limit is accepted, and the next is refused with the amounts', async () => {
    const { accountId, total, order } = await aTraderWithQuote();
    await setLimit(accountId, total * 2);
    expect([(await order()).status, (await order()).status]).toEqual([201, 201]);
    expectRefusal(await order(), 402, 'CREDIT_LIMIT_EXCEEDED', {
      outstandingCents: total * 2,
      creditCents: 0,
      limitCents: total * 2,
      availableCents: 0,
      orderCents: total,
    });
  });

  it('availableCents is never below 0, also when the limit was lowered', async () => {
    const { accountId, total, order } = await aTraderWithQuote();
    expect((await order()).status).toBe(201);
    await setLimit(accountId, 1);
    expectRefusal(await order(), 402, 'CREDIT_LIMIT_EXCEEDED', {
      outstandingCents: total,
      creditCents: 0,
      limitCents: 1,
      availableCents: 0,
      orderCents: total,
    });
  });

  it('a payment releases its amount, and a reversal uses it again', async () => {
    const { accountId, total, order } = await aTraderWithQuote();
    await setLimit(accountId, total);
    const first = (await order()).json.data;
    await sendAsStudio(service, first.orderId, { milestoneId: 'm1', type: 'payment_recorded', paymentId: 'p1', amountCents: total - 1 });
    expectRefusal(await order(), 402, 'CREDIT_LIMIT_EXCEEDED', {
      outstandingCents: 1,
      creditCents: 0,
      limitCents: total,
      availableCents: total - 1,
      orderCents: total,
    });
    await sendAsStudio(service, first.orderId, { milestoneId: 'm2', type: 'payment_recorded', paymentId: 'p2', amountCents: 1 });
    expect((await order()).status).toBe(201);
    await sendAsStudio(service, first.orderId, { milestoneId: 'm3', type: 'payment_reversed', paymentId: 'p1', reason: 'bounced' });
    expectRefusal(await order(), 402, 'CREDIT_LIMIT_EXCEEDED', {
      outstandingCents: total * 2 - 1,
      creditCents: 0,
      limitCents: total,
      availableCents: 0,
      orderCents: total,
    });
  });

  it('a cancelled order releases its credit', async () => {
    const { accountId, trade, total, order } = await aTraderWithQuote();
    await setLimit(accountId, total);
    const first = (await order()).json.data;
    expect((await order()).status).toBe(402);
    await trade.post(`/orders/${first.orderId}/cancel`);
    expect((await order()).status).toBe(201);
  });

  it('is counted per environment: test orders use no live credit', async () => {
    const { accountId, liveKey, total, order, nextQuote } = await aTraderWithQuote();
    await setLimit(accountId, total);
    expect((await order()).status).toBe(201);
    const live = service.trade(liveKey);
    expect((await placeOrder(live, await nextQuote({ environment: 'live' }))).status).toBe(201);
    expectRefusal(await placeOrder(live, await nextQuote({ environment: 'live' })), 402, 'CREDIT_LIMIT_EXCEEDED', {
      outstandingCents: total,
      creditCents: 0,
      limitCents: total,
      availableCents: 0,
      orderCents: total,
    });
  });

  it('an account that paid in advance can order up to its credit, also with a limit of 0, and keeps the credit (ruling 68)', async () => {
    const { accountId, total, order } = await aTraderWithQuote();
    const office = service.studio(await aToken(service, 'office'));
    const readBalances = async () => (await office.get(`/accounts/${accountId}`)).json.data.test;
    await setLimit(accountId, 0);
    const ahead = { paymentId: 'ahead', environment: 'test', amountCents: total * 2 + 1 };
    expect((await office.post(`/accounts/${accountId}/payments`, ahead)).status).toBe(200);
    expect(await readBalances()).toMatchObject({ creditCents: total * 2 + 1, availableCents: total * 2 + 1, usedBps: 0 });
    expect([(await order()).status, (await order()).status]).toEqual([201, 201]);
    expect(await readBalances()).toEqual({ outstandingCents: total * 2, creditCents: total * 2 + 1, availableCents: 1, usedBps: 0 });
    expectRefusal(await order(), 402, 'CREDIT_LIMIT_EXCEEDED', {
      outstandingCents: total * 2,
      creditCents: total * 2 + 1,
      limitCents: 0,
      availableCents: 1,
      orderCents: total,
    });
    // Paying an invoice with credit does not change available credit; a refund does.
    const applied = { paymentId: 'applied', environment: 'test', source: 'credit', amountCents: total };
    expect((await office.post(`/accounts/${accountId}/payments`, applied)).status).toBe(200);
    expect(await readBalances()).toMatchObject({ outstandingCents: total, creditCents: total + 1, availableCents: 1 });
    await setLimit(accountId, total);
    const refund = { refundId: 'back', environment: 'test', amountCents: total + 1 };
    expect((await office.post(`/accounts/${accountId}/refunds`, refund)).status).toBe(200);
    expect(await readBalances()).toEqual({ outstandingCents: total, creditCents: 0, availableCents: 0, usedBps: 10_000 });
    expect((await order()).status).toBe(402);
  });

  it('the quote of a refused order can be ordered when credit is available', async () => {
    const { accountId, trade, nextQuote } = await aTraderWithQuote();
    await setLimit(accountId, 0);
    const quoteId = await nextQuote();
    expect((await placeOrder(trade, quoteId)).status).toBe(402);
    expect((await trade.get(`/quotes/${quoteId}`)).json.data.consumedAt).toBeNull();
    await setLimit(accountId, null);
    expect((await placeOrder(trade, quoteId)).status).toBe(201);
  });

  it('sums beyond 32 bits', async () => {
    const { accountId, order } = await aTraderWithQuote();
    const huge = {
      subtotal_cents: 4_000_000_000_000,
      discount_cents: 0,
      shipping_cents: 0,
      rush_fee_cents: 0,
      total_cents: 4_000_000_000_000,
    };
    await setLimit(accountId, 8_000_000_000_000);
    expect([(await order(huge)).status, (await order(huge)).status]).toEqual([201, 201]);
    expectRefusal(await order(huge), 402, 'CREDIT_LIMIT_EXCEEDED', {
      outstandingCents: 8_000_000_000_000,
      creditCents: 0,
      limitCents: 8_000_000_000_000,
      availableCents: 0,
      orderCents: 4_000_000_000_000,
    });
  });
});
