import { startService, type TestService } from '../../support/service';
import { aMilestone, aParcel, OrderDesk } from './order-desk';

describe('what ops find of an order in Temporal', () => {
  const services: TestService[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });

  async function aDesk(env: Record<string, string> = {}): Promise<OrderDesk> {
    const service = await startService({ env });
    services.push(service);
    return new OrderDesk(service);
  }

  async function attributes(desk: OrderDesk, ref: Parameters<OrderDesk['handle']>[0]): Promise<Record<string, unknown>> {
    const { typedSearchAttributes } = await desk.handle(ref).describe();
    return Object.fromEntries(
      typedSearchAttributes
        .getAll()
        .map(({ key, value }) => [key.name, value])
        .filter(([name]) => name !== 'BuildIds'),
    );
  }

  it('number, account, environment and the status as it is', async () => {
    const desk = await aDesk();
    const ref = await desk.order();
    const named = { OrderNumber: ref.orderNumber, TradeAccount: ref.accountId, OrderEnvironment: 'test' };
    expect(await attributes(desk, ref)).toEqual({ ...named, OrderStatus: 'received' });
    await desk.apply(ref, aMilestone('production_started'));
    await desk.apply(ref, aMilestone('held'));
    expect(await attributes(desk, ref)).toEqual({ ...named, OrderStatus: 'on_hold' });
    await desk.apply(ref, aParcel('p1'));
    expect(await attributes(desk, ref)).toEqual({ ...named, OrderStatus: 'shipped' });
  });

  it('a history without timers, signals and children while an order is open and has no endpoint', async () => {
    const desk = await aDesk();
    const ref = await desk.order();
    await desk.apply(ref, aMilestone('production_started'));
    await desk.atRest(ref);
    const { events } = await desk.handle(ref).fetchHistory();
    const kinds = (events ?? []).map((event) => Object.keys(event).find((key) => key.endsWith('EventAttributes')) ?? 'none');
    expect(kinds.filter((kind) => /timer|signal|child/i.test(kind))).toEqual([]);
    expect(kinds.filter((kind) => kind === 'workflowTaskCompletedEventAttributes')).toHaveLength(2); // the placing and the change
  });
});
