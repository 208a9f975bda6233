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

  it('has a history without timers, signals and children while it is open and has no endpoint', async () => {
    const desk = await aDesk();
    const ref = await desk.placeOrder();
    await desk.apply(ref, aMilestone('production_started'));
    await desk.waitUntilIdle(ref);
    const { events } = await desk.handle(ref).fetchHistory();
    const kinds = (events ?? []).map((event) => Object.keys(event).find((key) => key.endsWith('EventAttributes')) ?? 'none');
    expect(kinds.filter((kind) => /timer|signal|child/i.test(kind))).toEqual([]);
    expect(kinds.filter((kind) => kind === 'workflowTaskCompletedEventAttributes')).toHaveLength(2); // for the placing and the change
  });
});
