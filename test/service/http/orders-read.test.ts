import { findOrderById } from '../../../src/db/repositories/orders';
import { orderIdOfQuote } from '../../../src/domain/quote-state';
import { LIMITS } from '../../../src/domain/limits';
import { newId } from '../../../src/security/ids';
import { anOrder, aQuote, placeOrder } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { sendAsStudio } from '../../support/order-messages';
import { copyQuote, copyRow } from '../../support/row-copies';
import { useSharedService } from '../../support/fixtures';
import { aTrader, anotherKey, expectValidationPaths, expectRefusal, type Trader } from './support';

interface ListedOrder {
  orderId: string;
  createdAt: string;
}

describe('GET /orders and GET /orders/{id}', () => {
  const service = useSharedService();

  /** `count` copies of this order's row, each `apart` milliseconds older than the previous one. */
  async function insertCopies(orderId: string, count: number, intervalMs: number): Promise<void> {
    const { database } = service.deps;
    const order = await findOrderById(database, orderId);
    if (order === null) throw new Error('the order is stored');
    const quotes = await copyQuote(database, order.quote_id ?? '', count, { consumed_at: order.created_at });
    const copies = quotes.map((quoteId, index) => ({
      id: orderIdOfQuote(quoteId),
      quote_id: quoteId,
      order_number: `T-copy-${quoteId}`,
      created_at: new Date(order.created_at.getTime() - (index + 1) * intervalMs),
    }));
    await copyRow(database, 'orders', orderId, copies);
  }

  async function aTraderWithOrders(count: number, intervalMs = 1000): Promise<Trader> {
    const trader = await aTrader(service);
    const order = await anOrder(trader.trade);
    await insertCopies(order.orderId, count - 1, intervalMs);
    return trader;
  }

  /** Every page, following nextCursor to its end. */
  async function readPages(
    trade: HttpClient,
    limit: number,
    between: () => Promise<void> = async () => undefined,
  ): Promise<ListedOrder[][]> {
    const found: ListedOrder[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const reply = await trade.get(`/orders?limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      if (reply.status !== 200) throw new Error(reply.text);
      found.push(reply.json.data);
      cursor = reply.json.nextCursor as string | null;
      await between();
    }
    return found;
  }

  describe('Validation', () => {
    test.each<[string, string[]]>([
      ['limit=0', ['query.limit']],
      ['limit=10&limit=10', ['query.limit']],
      ['cursor=%zz', ['query.cursor']],
      ['cursor=a&cursor=a', ['query.cursor']],
      [`cursor=${'a'.repeat(10_000)}`, ['query.cursor']],
    ])('?%s is VALIDATION_ERROR at its parameter', async (query, paths) => {
      const { trade } = await aTrader(service);
      expectValidationPaths(await trade.get(`/orders?${query}`), paths);
    });

    it('a cursor with one character changed is refused', async () => {
      const { trade } = await aTraderWithOrders(2);
      const cursor = (await trade.get('/orders?limit=1')).json.nextCursor as string;
      for (const changed of [`${cursor[0] === 'A' ? 'B' : 'A'}${cursor.slice(1)}`, `${cursor}A`])
        expectValidationPaths(await trade.get(`/orders?cursor=${changed}`), ['query.cursor']);
    });

    it('a cursor of another account or environment is refused', async () => {
      const mine = await aTraderWithOrders(2);
      const theirs = await aTraderWithOrders(2);
      const cursor = (await theirs.trade.get('/orders?limit=1')).json.nextCursor as string;
      expect((await theirs.trade.get(`/orders?cursor=${cursor}`)).status).toBe(200);
      expectValidationPaths(await mine.trade.get(`/orders?cursor=${cursor}`), ['query.cursor']);
      expectValidationPaths(await service.trade(theirs.liveKey).get(`/orders?cursor=${cursor}`), ['query.cursor']);
    });
  });

  describe('Errors', () => {
    it('an unknown order is 404', async () => {
      expectRefusal(await service.trade(service.account.testKey).get(`/orders/${newId('ord')}`), 404, 'NOT_FOUND');
    });
  });

  describe('Success', () => {
    it('no orders: an empty list and nextCursor null', async () => {
      const { trade } = await aTrader(service);
      expect((await trade.get('/orders')).json).toEqual({ data: [], error: null, nextCursor: null });
    });

    it('lists 25 by default, newest first, and returns a cursor for the rest', async () => {
      const { trade } = await aTraderWithOrders(27);
      const first = (await trade.get('/orders')).json;
      expect(first.data).toHaveLength(25);
      const created = first.data.map(({ createdAt }: ListedOrder) => createdAt);
      expect(created).toEqual([...created].sort().reverse());
      const rest = (await trade.get(`/orders?cursor=${first.nextCursor}`)).json;
      expect(rest.data).toHaveLength(2);
      expect(rest.nextCursor).toBeNull();
    });

    test.each([
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 4],
      [5, 4],
      [100, 4],
    ])('limit=%d over %d orders: every order once, nextCursor null on the last page only', async (limit, count) => {
      const { trade } = await aTraderWithOrders(count);
      const found = await readPages(trade, limit);
      expect(found).toHaveLength(Math.ceil(count / limit));
      expect(found.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect(new Set(found.flat().map(({ orderId }) => orderId)).size).toBe(count);
    });

    it('pages through 100 a page', async () => {
      const { trade } = await aTraderWithOrders(201);
      expect((await readPages(trade, 100)).map((page) => page.length)).toEqual([100, 100, 1]);
    });

    it('a page of large orders ends at 1 MiB of text with a cursor for the rest; an order larger than that is a page', async () => {
      const { trade, accountId } = await aTraderWithOrders(30);
      const enlargeOrders = (orders: string, characters: number) =>
        service.deps.database.run(
          `UPDATE orders SET lines = jsonb_set(lines, '{0,productName}', to_jsonb(repeat('x', $2::int))) WHERE id IN (
             SELECT id FROM orders WHERE account_id = $1 ORDER BY created_at DESC, id DESC ${orders})`,
          [accountId, characters],
        );
      await enlargeOrders('LIMIT 10', 300_000);
      await enlargeOrders('LIMIT 1 OFFSET 10', 1_200_000);
      const found = await readPages(trade, 100);
      expect(found.map((page) => page.length)).toEqual([3, 3, 3, 1, 1, 19]);
      expect(found.slice(0, 3).every((page) => Buffer.byteLength(JSON.stringify(page)) < LIMITS.pageBytes)).toBe(true);
      expect(new Set(found.flat().map(({ orderId }) => orderId)).size).toBe(30);
      expect((await readPages(trade, 2)).map((page) => page.length)).toEqual([2, 2, 2, 2, 2, 1, ...Array.from({ length: 9 }, () => 2), 1]);
    });

    it('orders of the same millisecond are paged by id without duplicates or gaps', async () => {
      const { trade } = await aTraderWithOrders(7, 0);
      const found = (await readPages(trade, 2)).flat();
      expect(new Set(found.map(({ createdAt }) => createdAt)).size).toBe(1);
      const ids = found.map(({ orderId }) => orderId);
      expect(ids).toHaveLength(7);
      expect(ids).toEqual([...ids].sort().reverse());
    });

    it('stays stable while orders are placed: each old order once, and no new order in later pages', async () => {
      const { trade, accountId } = await aTraderWithOrders(5);
      const before = (await trade.get('/orders')).json.data.map(({ orderId }: ListedOrder) => orderId);
      const placer = await anotherKey(service, accountId);
      const found = await readPages(trade, 2, async () => void (await anOrder(placer)));
      expect(found.flat().map(({ orderId }) => orderId)).toEqual(before);
      expect((await trade.get('/orders')).json.data).toHaveLength(8);
    });

    it('a cursor works with another limit and with another key of the account', async () => {
      const { trade, accountId } = await aTraderWithOrders(4);
      const all = (await trade.get('/orders')).json.data;
      const cursor = (await trade.get('/orders?limit=1')).json.nextCursor as string;
      expect((await (await anotherKey(service, accountId)).get(`/orders?limit=3&cursor=${cursor}`)).json).toEqual({
        data: all.slice(1),
        error: null,
        nextCursor: null,
      });
    });

    it('lists only orders of its account and environment', async () => {
      const [mine, theirs] = [await aTrader(service), await aTrader(service)];
      const live = service.trade(mine.liveKey);
      const [testOrder, liveOrder] = [await anOrder(mine.trade), await anOrder(live)];
      await anOrder(theirs.trade);
      expect((await mine.trade.get('/orders')).json.data).toEqual([testOrder]);
      expect((await live.get('/orders')).json.data).toEqual([liveOrder]);
    });

    it('lists cancelled orders', async () => {
      const { trade } = await aTrader(service);
      const { orderId } = await anOrder(trade);
      const cancelled = (await trade.post(`/orders/${orderId}/cancel`)).json.data;
      expect((await trade.get('/orders')).json.data).toEqual([cancelled]);
    });

    it('shows live parcels in the order they were added, and omits voided ones', async () => {
      const { trade } = await aTrader(service);
      const order = (await placeOrder(trade, (await aQuote(trade)).quoteId)).json.data;
      const readOrder = async () => (await trade.get(`/orders/${order.orderId}`)).json.data;
      await sendAsStudio(service, order.orderId, {
        milestoneId: 'a',
        type: 'parcel_added',
        parcelId: 'p2',
        trackingNumber: 'SECOND-FIRST',
        shippedAt: '2026-02-03T04:05:06+10:00',
      });
      await sendAsStudio(service, order.orderId, {
        milestoneId: 'b',
        type: 'parcel_added',
        parcelId: 'p1',
        trackingNumber: 'LATER',
        carrier: 'AusPost',
        trackingUrl: 'https://track.example/l',
      });
      expect(await readOrder()).toMatchObject({
        status: 'shipped',
        shipments: [
          { carrier: null, trackingNumber: 'SECOND-FIRST', trackingUrl: null, shippedAt: '2026-02-02T18:05:06.000Z' },
          { carrier: 'AusPost', trackingNumber: 'LATER', trackingUrl: 'https://track.example/l', shippedAt: expect.stringMatching(/Z$/) },
        ],
      });
      await sendAsStudio(service, order.orderId, { milestoneId: 'c', type: 'parcel_voided', parcelId: 'p2' });
      expect(await readOrder()).toMatchObject({ status: 'shipped', shipments: [{ trackingNumber: 'LATER' }] });
      await sendAsStudio(service, order.orderId, { milestoneId: 'd', type: 'parcel_voided', parcelId: 'p1' });
      expect(await readOrder()).toEqual(order);
    });
  });
});
