import { loadOrderState } from '../../../src/db/repositories/orders';
import { stateMark } from '../../../src/domain/state-mark';
import { startService, type TestService } from '../../support/service';
import { aMilestone, aParcel, OrderDriver } from './order-driver';

describe('the order in Temporal', () => {
  const services: TestService[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });

  async function aDesk(env: Record<string, string> = {}): Promise<OrderDriver> {
    const service = await startService({ env });
    services.push(service);
    return new OrderDriver(service);
  }

  async function readSearchAttributes(desk: OrderDriver, ref: Parameters<OrderDriver['handle']>[0]): Promise<Record<string, unknown>> {
    const { typedSearchAttributes } = await desk.handle(ref).describe();
    return Object.fromEntries(
      typedSearchAttributes
        .getAll()
        .map(({ key, value }) => [key.name, value])
        .filter(([name]) => name !== 'BuildIds'),
    );
  }

  it('has number, account, environment and the current status as search attributes', async () => {
    const desk = await aDesk();
    const ref = await desk.placeOrder();
    const named = { OrderNumber: ref.orderNumber, TradeAccount: ref.accountId, OrderEnvironment: 'test' };
    expect(await readSearchAttributes(desk, ref)).toEqual({ ...named, OrderStatus: 'received' });
    await desk.apply(ref, aMilestone('production_started'));
    await desk.apply(ref, aMilestone('held'));
    expect(await readSearchAttributes(desk, ref)).toEqual({ ...named, OrderStatus: 'on_hold' });
    await desk.apply(ref, aParcel('p1'));
    expect(await readSearchAttributes(desk, ref)).toEqual({ ...named, OrderStatus: 'shipped' });
  });

  it('has the mark of its stored state in its memo, when it is placed, changed and resumed', async () => {
    const desk = await aDesk();
    const ref = await desk.placeOrder();
    const marks = async () => {
      const stored = await loadOrderState(desk.service.deps.database, ref.orderId);
      return [(await desk.service.deps.temporal.runs.describeOrder(ref.orderId))?.mark, stored && stateMark(stored)];
    };
    const [placed, storedMark] = await marks();
    expect(placed).toBe(storedMark);
    await desk.apply(ref, aParcel('p1'));
    await desk.waitUntilIdle(ref);
    const [changed, changedMark] = await marks();
    expect(changed).toBe(changedMark);
    expect(changed).not.toBe(placed);
    await desk.handle(ref).terminate('lost');
    await desk.service.deps.temporal.orders.resume(ref.orderId);
    await desk.waitUntilIdle(ref);
    expect((await marks())[0]).toBe(changedMark);
  });

  it('has a history without timers, signals and children while it is open and has no endpoint', async () => {
    const desk = await aDesk();
    const ref = await desk.placeOrder();
    await desk.waitUntilIdle(ref);
    await desk.apply(ref, aMilestone('production_started'));
    await desk.waitUntilIdle(ref);
    const { events } = await desk.handle(ref).fetchHistory();
    const kinds = (events ?? []).map((event) => Object.keys(event).find((key) => key.endsWith('EventAttributes')) ?? 'none');
    expect(kinds.filter((kind) => /timer|signal|child/i.test(kind))).toEqual([]);
    expect(kinds.filter((kind) => kind === 'workflowTaskCompletedEventAttributes')).toHaveLength(2); // for the placing and the change
  });
});
