import { anOrder } from '../../support/baskets';
import { useSharedService } from '../../support/fixtures';

describe('the main job over HTTP, PostgreSQL and Temporal', () => {
  const service = useSharedService();

  it('goes from an upload to a quote to an order, and later reads are the same', async () => {
    const trade = service.trade(service.account.testKey);
    const order = await anOrder(trade);
    expect(order).toMatchObject({ status: 'received', environment: 'test', isTest: true });
    expect((await trade.get(`/orders/${order.orderId}`)).json.data).toEqual(order);
    const cancelled = await trade.post(`/orders/${order.orderId}/cancel`);
    expect(cancelled.json).toMatchObject({ data: { status: 'cancelled' }, error: null });
  });
});
