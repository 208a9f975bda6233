import type { Environment } from '../../../../src/domain/limits';
import { ORDER_STATUSES, type OrderStatus } from '../../../../src/domain/order-status';
import { findOrderById } from '../../../../src/db/repositories/orders';
import { newId } from '../../../../src/security/ids';
import { copyRow } from '../../../support/row-copies';
import { useFixture, useService } from '../../../support/fixtures';
import { OrderFactory, aToken, validationPathsOf } from './support';

const DAY_MS = 24 * 3_600_000;
/** Noon on a Tuesday in Melbourne, where summer time ends on 5 April. */
const NOON = new Date('2026-04-14T02:00:00Z');

const shiftDay = (day: string, days: number): string => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const localDay = (time: Date): string => time.toLocaleDateString('en-CA', { timeZone: 'Australia/Melbourne' });

interface StoredOrder {
  environment: Environment;
  status: OrderStatus;
  baseStatus: OrderStatus;
  dueDate: string | null;
  createdAt: Date;
  totalCents: number;
  isRemake: boolean;
}

describe("today's figures", () => {
  const service = useService(() => ({ worker: false, clock: { now: () => now } }));
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor')));
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  let now = NOON;
  const stored: StoredOrder[] = [];

  beforeAll(async () => {
    await createOrders();
  });

  /** Orders in every status, due on both sides of today, and placed at the edges of days and months. */
  async function createOrders(): Promise<void> {
    const { database } = service.deps;
    const { orderId } = await new OrderFactory(service).place();
    const template = await findOrderById(database, orderId);
    if (template === null) throw new Error('no order');
    const times = [
      '2026-03-31T12:59:59.999Z', // the last moment of March, with summer time
      '2026-03-31T13:00:00.000Z',
      '2026-04-04T12:59:59.999Z',
      '2026-04-05T13:59:59.999Z', // the last moment of the day with 25 hours
      '2026-04-05T14:00:00.000Z',
      '2026-04-13T13:59:59.999Z',
      '2026-04-13T14:00:00.000Z',
      '2026-04-14T13:59:59.999Z',
      '2026-04-30T13:59:59.999Z',
    ].map((time) => new Date(time));
    const dueDates = [-40, -1, 0, 1, 2, 12, 13, 14, 30].map((days) => shiftDay('2026-04-14', days));
    for (const [at, dueDate] of [...dueDates, null].entries())
      for (const [n, status] of ORDER_STATUSES.entries())
        for (const environment of ['live', 'live', 'test'] as const) {
          const isRemake = stored.length % 11 === 0;
          const baseStatus = status === 'shipped' ? (at % 2 === 0 ? 'cancelled' : 'in_production') : status;
          const createdAt = times[(at + n) % times.length] ?? NOON;
          stored.push({ environment, status, baseStatus, dueDate, createdAt, totalCents: isRemake ? 0 : 100 + stored.length, isRemake });
        }
    const copies = stored.map((order) => ({ ...order, id: newId('ord'), quote: newId('quo') }));
    const { quote_id: quoteId } = template;
    await copyRow(
      database,
      'quotes',
      quoteId ?? '',
      copies.map(({ quote }) => ({ id: quote })),
    );
    await copyRow(
      database,
      'orders',
      orderId,
      copies.map(({ id, quote, isRemake, ...order }, n) => ({
        id,
        quote_id: isRemake ? null : quote,
        environment: order.environment,
        status: order.status,
        base_status: order.baseStatus,
        due_date: order.dueDate,
        created_at: order.createdAt,
        order_number: `${order.environment === 'live' ? 'P' : 'T'}-${9_000_000 + n}`,
        subtotal_cents: order.totalCents,
        discount_cents: 0,
        shipping_cents: 0,
        rush_fee_cents: 0,
        total_cents: order.totalCents,
      })),
    );
    await database.run(
      `INSERT INTO remakes (order_id, original_id, sequence, remake_id, digest, reason, lines, jobs, shipping_address)
       SELECT r.id, o.id, r.sequence, r.id, '', 'scratched', '[]', q.jobs, q.shipping_address
         FROM unnest($2::text[]) WITH ORDINALITY r (id, sequence), orders o JOIN quotes q ON q.id = o.quote_id WHERE o.id = $1`,
      [orderId, copies.filter(({ isRemake }) => isRemake).map(({ id }) => id)],
    );
    const { dueDate } = (await office.get(`/orders/${orderId}`)).json.data;
    const { status, base_status: baseStatus, created_at: createdAt, total_cents: totalCents } = template;
    stored.push({ environment: 'live', status, baseStatus, dueDate, createdAt, totalCents, isRemake: false });
  }

  /** The response that the stored orders give. */
  function expectedFigures(environment: Environment, today: string) {
    const own = stored.filter((order) => order.environment === environment);
    const open = own.filter(({ status }) => ['received', 'in_production', 'on_hold'].includes(status));
    const dueOn = (day: string): number => open.filter(({ dueDate }) => dueDate === day).length;
    const firstDay = `${today.slice(0, 7)}-01`;
    const length = (Date.parse(today) - Date.parse(firstDay)) / DAY_MS + 1;
    const days = Array.from({ length }, (_, n) => {
      const date = shiftDay(firstDay, n);
      const placed = own.filter(({ createdAt, isRemake }) => localDay(createdAt) === date && !isRemake);
      const sold = placed.filter(({ baseStatus }) => baseStatus !== 'cancelled');
      return { date, orders: placed.length, revenueCents: sold.reduce((sum, { totalCents }) => sum + totalCents, 0) };
    });
    return {
      environment,
      date: today,
      timeZone: 'Australia/Melbourne',
      dueToday: dueOn(today),
      late: open.filter(({ dueDate }) => dueDate !== null && dueDate < today).length,
      toStart: own.filter(({ status }) => status === 'received').length,
      onHold: own.filter(({ status }) => status === 'on_hold').length,
      dueByDay: Array.from({ length: 15 }, (_, n) => ({ date: shiftDay(today, n), orders: dueOn(shiftDay(today, n)) })),
      money: {
        outstandingCents: expect.any(Number) as number,
        revenueCents: days.reduce((sum, { revenueCents }) => sum + revenueCents, 0),
        days,
      },
    };
  }

  it.each([
    ['at noon', NOON, '2026-04-14'],
    ['at the first moment of a day', new Date('2026-04-13T14:00:00.000Z'), '2026-04-14'],
    ['at the last moment of a day', new Date('2026-04-13T13:59:59.999Z'), '2026-04-13'],
    ['at the first moment of a month', new Date('2026-03-31T13:00:00.000Z'), '2026-04-01'],
    ['at the last moment of a month', new Date('2026-04-30T13:59:59.999Z'), '2026-04-30'],
    ['at the last moment of March', new Date('2026-03-31T12:59:59.999Z'), '2026-03-31'],
    ['on the day with 25 hours', new Date('2026-04-05T13:30:00.000Z'), '2026-04-05'],
  ])('are those of the orders of each environment %s', async (_name, at, today) => {
    now = at;
    for (const [query, environment] of [
      ['', 'live'],
      ['?environment=live', 'live'],
      ['?environment=test', 'test'],
    ] as const)
      expect((await office.get(`/today${query}`)).json.data).toEqual(expectedFigures(environment, today));
  });

  it('the floor gets no money', async () => {
    now = NOON;
    const { data } = (await floor.get('/today')).json;
    expect(data).toEqual({ ...expectedFigures('live', '2026-04-14'), money: null });
    expect(JSON.stringify(data)).not.toMatch(/cents/i);
  });

  it('the lists that the tiles open have as many orders', async () => {
    now = NOON;
    const { data } = (await floor.get('/today')).json;
    const count = async (query: string) => (await floor.get(`/orders?limit=100&${query}`)).json.data.length;
    expect([data.dueToday, data.late, data.toStart, data.onHold]).toEqual([
      await count('dueFrom=2026-04-14&dueBefore=2026-04-15'),
      await count('late=true'),
      await count('status=received'),
      await count('status=on_hold'),
    ]);
    for (const { date, orders } of data.dueByDay) expect(await count(`dueFrom=${date}&dueBefore=${shiftDay(date, 1)}`)).toBe(orders);
  });

  it('the outstanding amount is that of all accounts in the environment', async () => {
    const before = (await office.get('/today')).json.data.money.outstandingCents;
    const { totalCents } = await new OrderFactory(service).place();
    await new OrderFactory(service, 'test').place();
    expect((await office.get('/today')).json.data.money.outstandingCents).toBe(before + totalCents);
    expect((await office.get('/today?environment=test')).json.data.money.outstandingCents).toBe(totalCents);
  });

  it('an unknown environment is refused', async () => {
    expect(validationPathsOf(await floor.get('/today?environment=both'))).toEqual(['query.environment']);
  });
});
