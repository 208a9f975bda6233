import { findOrderById } from '../../../src/db/repositories/orders';
import type { OrderMessage } from '../../../src/domain/order-messages';
import { orderIdOfQuote } from '../../../src/domain/quote-state';
import { anOrder } from '../../support/baskets';
import type { HttpClient, Reply } from '../../support/client';
import { sendAsStudio } from '../../support/order-messages';
import { copyQuote, copyRow } from '../../support/row-copies';
import { useSharedService } from '../../support/fixtures';
import { astralText, aTrader, expectValidationPaths, type Trader } from './support';

type OrderSpec = { createdAt?: string; status?: string; references?: (string | null)[] };

describe('GET /orders with filters', () => {
  const service = useSharedService();

  /** An account with exactly these orders, and their ids in the same order. */
  async function aTraderWith(...specs: OrderSpec[]): Promise<Trader & { ids: string[] }> {
    const trader = await aTrader(service);
    const { database } = service.deps;
    const { orderId } = await anOrder(trader.trade);
    const order = await findOrderById(database, orderId);
    if (order === null) throw new Error('the order is stored');
    const quotes = await copyQuote(database, order.quote_id ?? '', specs.length);
    const copies = specs.map(({ createdAt, status, references }, index) => ({
      id: orderIdOfQuote(quotes[index] ?? ''),
      quote_id: quotes[index],
      order_number: `T-copy-${quotes[index]}`,
      created_at: createdAt ?? order.created_at,
      status: status ?? 'received',
      lines: (references ?? [null]).map((externalReference) => ({ ...order.lines[0], externalReference })),
    }));
    await copyRow(database, 'orders', orderId, copies);
    await database.run(`UPDATE orders SET environment = 'live' WHERE id = $1`, [orderId]); // not in the tested environment
    return { ...trader, ids: copies.map(({ id }) => id) };
  }

  const orderIdsOf = (reply: Reply): string[] => {
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.json.data.map(({ orderId }: { orderId: string }) => orderId);
  };
  const findOrderIds = async (trade: HttpClient, filters: Record<string, string>): Promise<string[]> =>
    orderIdsOf(await trade.get(`/orders?${new URLSearchParams(filters).toString()}`)).toSorted();

  describe('Validation', () => {
    test.each<[string, string[]]>([
      ['status=Received', ['query.status']],
      ['createdAfter=2026-02-30T00:00:00Z', ['query.createdAfter']],
      ['externalReference=a&externalReference=a', ['query.externalReference']],
      [
        'status=x&createdAfter=x&createdBefore=x&externalReference=%00',
        ['query.status', 'query.createdAfter', 'query.createdBefore', 'query.externalReference'],
      ],
    ])('?%s is VALIDATION_ERROR at each parameter', async (query, paths) => {
      const { trade } = await aTrader(service);
      expectValidationPaths(await trade.get(`/orders?${query}`), paths);
    });
  });

  it('status finds orders by their current status', async () => {
    const { trade, ids } = await aTraderWith({ status: 'received' }, { status: 'on_hold' }, { status: 'cancelled' }, { status: 'on_hold' });
    expect(await findOrderIds(trade, { status: 'on_hold' })).toEqual([ids[1], ids[3]].toSorted());
    expect(await findOrderIds(trade, { status: 'completed' })).toEqual([]);
  });

  it('status shipped finds an order until the label of its last parcel is voided', async () => {
    const trader = await aTrader(service);
    const order = await anOrder(trader.trade);
    const applyMessage = (message: OrderMessage) => sendAsStudio(service, order.orderId, message);
    await applyMessage({ milestoneId: 'a', type: 'parcel_added', parcelId: 'p1', trackingNumber: 'T1' });
    expect(await findOrderIds(trader.trade, { status: 'shipped' })).toEqual([order.orderId]);
    expect(await findOrderIds(trader.trade, { status: 'received' })).toEqual([]);
    await applyMessage({ milestoneId: 'b', type: 'parcel_voided', parcelId: 'p1' });
    expect(await findOrderIds(trader.trade, { status: 'shipped' })).toEqual([]);
    expect(await findOrderIds(trader.trade, { status: 'received' })).toEqual([order.orderId]);
  });

  describe('times', () => {
    const AT = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.002Z'];
    const aTraderWithThree = () => aTraderWith(...AT.map((createdAt) => ({ createdAt })));

    it('createdAfter includes its time, and createdBefore excludes it', async () => {
      const { trade, ids } = await aTraderWithThree();
      expect(await findOrderIds(trade, { createdAfter: AT[1] ?? '' })).toEqual(ids.slice(1).toSorted());
      expect(await findOrderIds(trade, { createdBefore: AT[1] ?? '' })).toEqual(ids.slice(0, 1));
      expect(await findOrderIds(trade, { createdAfter: AT[1] ?? '', createdBefore: AT[2] ?? '' })).toEqual([ids[1]]);
    });

    it('offsets and fractions of a millisecond are respected', async () => {
      const { trade, ids } = await aTraderWithThree();
      expect(await findOrderIds(trade, { createdAfter: '2026-01-01T10:00:00.002+10:00' })).toEqual([ids[2]]);
      expect(await findOrderIds(trade, { createdAfter: '2026-01-01T00:00:00.001001Z' })).toEqual([ids[2]]);
      expect(await findOrderIds(trade, { createdBefore: '2026-01-01T00:00:00.000000001Z' })).toEqual([ids[0]]);
    });

    it('a createdAfter that is not before createdBefore is an empty list', async () => {
      const { trade } = await aTraderWithThree();
      expect((await trade.get(`/orders?createdAfter=${AT[2]}&createdBefore=${AT[0]}`)).json).toEqual({
        data: [],
        error: null,
        nextCursor: null,
      });
      expect(await findOrderIds(trade, { createdAfter: AT[1] ?? '', createdBefore: AT[1] ?? '' })).toEqual([]);
    });
  });

  describe('externalReference', () => {
    it('finds each order with a line of exactly this reference, once', async () => {
      const { trade, ids } = await aTraderWith(
        { references: ['A-1'] },
        { references: ['B', 'A-1', 'A-1'] },
        { references: ['a-1'] },
        { references: ['A-1 '] },
        { references: ['A-10', null] },
        { references: [null] },
      );
      expect(await findOrderIds(trade, { externalReference: 'A-1' })).toEqual([ids[0], ids[1]].toSorted());
      expect(await findOrderIds(trade, { externalReference: 'A-1 ' })).toEqual([ids[3]]);
      expect(await findOrderIds(trade, { externalReference: 'A' })).toEqual([]);
      expect(await findOrderIds(trade, { externalReference: 'null' })).toEqual([]);
    });

    it('matches each reference literally', async () => {
      const references = ['', '%', '"', '\\', '["A"]', '{}', "' OR true --", 'ä', astralText(128), ' '];
      const { trade, ids } = await aTraderWith(...references.map((reference) => ({ references: [reference] })), {
        references: ['another'],
      });
      for (const [index, reference] of references.entries())
        expect(await findOrderIds(trade, { externalReference: reference })).toEqual([ids[index]]);
    });

    it('finds no order of another account or environment', async () => {
      const mine = await aTraderWith({ references: ['same'] });
      const theirs = await aTraderWith({ references: ['same'] });
      expect(await findOrderIds(mine.trade, { externalReference: 'same' })).toEqual(mine.ids);
      expect(await findOrderIds(service.trade(theirs.liveKey), { externalReference: 'same' })).toEqual([]);
    });
  });

  it('filters are combined', async () => {
    const at = '2026-03-01T00:00:00.000Z';
    const { trade, ids } = await aTraderWith(
      { status: 'shipped', references: ['x'], createdAt: at },
      { status: 'received', references: ['x'], createdAt: at },
      { status: 'shipped', references: ['y'], createdAt: at },
      { status: 'shipped', references: ['x'], createdAt: '2026-02-01T00:00:00.000Z' },
    );
    expect(
      await findOrderIds(trade, { status: 'shipped', externalReference: 'x', createdAfter: at, createdBefore: '2026-03-02T00:00:00Z' }),
    ).toEqual([ids[0]]);
  });

  describe('paging', () => {
    const FILTERS = { status: 'on_hold', externalReference: `${astralText(127)}"`, createdAfter: '2026-01-01T00:00:00Z' };
    const query = (more: Record<string, string> = {}) => `/orders?${new URLSearchParams(more).toString()}`;
    /** Five matching and five other orders, newest first. */
    const aTraderWithTen = () =>
      aTraderWith(
        ...Array.from({ length: 10 }, (_, index) => ({
          createdAt: `2026-01-${20 - index}T00:00:00.000Z`,
          status: index % 2 === 0 ? 'on_hold' : 'received',
          references: [FILTERS.externalReference],
        })),
      );

    test.each([
      ['with the same filters', FILTERS],
      ['a cursor without filters, which keeps them', {}],
      ['with the same filters in another form', { ...FILTERS, createdAfter: '2026-01-01T10:00:00.000+10:00' }],
    ])('a cursor sent %s continues to the end with each order once', async (_how, repeated) => {
      const { trade, ids } = await aTraderWithTen();
      const first = await trade.get(query({ ...FILTERS, limit: '2' }));
      const second = await trade.get(query({ ...repeated, limit: '2', cursor: first.json.nextCursor ?? '' }));
      const third = await trade.get(query({ ...repeated, limit: '2', cursor: second.json.nextCursor ?? '' }));
      expect([first, second, third].map(orderIdsOf)).toEqual([[ids[0], ids[2]], [ids[4], ids[6]], [ids[8]]]);
      expect(third.json.nextCursor).toBeNull();
    });

    it('a cursor refuses other filters, also more or fewer', async () => {
      const { trade } = await aTraderWithTen();
      const filtered = (await trade.get(query({ ...FILTERS, limit: '2' }))).json.nextCursor ?? '';
      const { status: _status, ...fewer } = FILTERS;
      for (const other of [{ ...FILTERS, status: 'received' }, fewer, { ...FILTERS, createdBefore: '2027-01-01T00:00:00Z' }])
        expectValidationPaths(await trade.get(query({ ...other, cursor: filtered })), ['query.cursor']);
      const unfiltered = (await trade.get(query({ limit: '2' }))).json.nextCursor ?? '';
      expectValidationPaths(await trade.get(query({ status: 'on_hold', cursor: unfiltered })), ['query.cursor']);
      expect((await trade.get(query({ cursor: unfiltered }))).status).toBe(200);
    });

    it('manipulated filters in a cursor are refused', async () => {
      const { trade } = await aTraderWithTen();
      const cursor = (await trade.get(query({ status: 'on_hold', limit: '2' }))).json.nextCursor ?? '';
      const changed = Buffer.from(cursor, 'base64url').toString().replace('on_hold', 'shipped');
      expect(changed).toContain('shipped');
      expectValidationPaths(await trade.get(query({ cursor: Buffer.from(changed).toString('base64url') })), ['query.cursor']);
    });
  });
});
