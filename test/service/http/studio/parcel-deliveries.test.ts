import { orderWorkflowId } from '../../../../workflows/messages';
import { aKey } from '../../../support/accounts';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { expectRefusal, expectValidationPaths } from '../support';
import { aToken, findAuditEntries, findEventTypes, OrderFactory } from './support';

const SHIPPED = '2026-03-01T09:00:00.000Z';
const DELIVERED = '2026-03-04T02:15:00.000Z';

describe('delivered parcels', () => {
  const service = useSharedService();
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor', { name: 'Dispatch' })));
  const orders = useFixture(() => new OrderFactory(service));
  const trade = useFixture(async () =>
    service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' })),
  );

  const ship = async (parcelId = 'box-1'): Promise<string> => {
    const { orderId } = await orders.place();
    await floor.post(`/orders/${orderId}/parcels`, { parcelId, trackingNumber: 'AP-1', shippedAt: SHIPPED });
    return orderId;
  };
  const deliver = (orderId: string, deliveredAt: unknown, parcelId = 'box-1') =>
    floor.send('PATCH', `/orders/${orderId}/parcels/${encodeURIComponent(parcelId)}`, { deliveredAt });

  it('show their time to the studio and the client, without a status or an event', async () => {
    const orderId = await ship();
    const before = (await trade.get(`/orders/${orderId}`)).json.data;
    expect(before.shipments).toMatchObject([{ shippedAt: SHIPPED, deliveredAt: null }]);
    const events = await findEventTypes(service, orderId);
    const reply = await deliver(orderId, '2026-03-04T13:15:00+11:00');
    expect(reply.json.data).toMatchObject({
      status: 'shipped',
      parcels: [{ parcelId: 'box-1', deliveredAt: DELIVERED }],
      shipments: [{ deliveredAt: DELIVERED }],
    });
    expect((await trade.get(`/orders/${orderId}`)).json.data).toEqual({
      ...before,
      shipments: [{ ...before.shipments[0], deliveredAt: DELIVERED }],
    });
    expect(await findEventTypes(service, orderId)).toEqual(events);
  });

  it('are corrected and taken back, each once in the audit log', async () => {
    const orderId = await ship('box 2/2');
    const later = '2026-03-05T00:00:00.000Z';
    for (const at of [DELIVERED, DELIVERED, later, null]) expect((await deliver(orderId, at, 'box 2/2')).status).toBe(200);
    expect((await floor.get(`/orders/${orderId}`)).json.data.parcels).toMatchObject([{ deliveredAt: null }]);
    const entries = (await findAuditEntries(service, orderId)).filter(({ action }) => action === 'parcel.deliver');
    expect(entries.map(({ actor, before, after }) => [actor, before.deliveredAt, after.deliveredAt, after.parcelId])).toEqual([
      ['Dispatch', null, DELIVERED, 'box 2/2'],
      ['Dispatch', DELIVERED, later, 'box 2/2'],
      ['Dispatch', later, null, 'box 2/2'],
    ]);
  });

  it('are recorded once by simultaneous requests', async () => {
    const orderId = await ship();
    const replies = await Promise.all(Array.from({ length: 6 }, () => deliver(orderId, DELIVERED)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await findAuditEntries(service, orderId)).filter(({ action }) => action === 'parcel.deliver')).toHaveLength(1);
  });

  it('leave the workflow and its messages as they are', async () => {
    const orderId = await ship();
    await deliver(orderId, DELIVERED);
    const second = await floor.post(`/orders/${orderId}/parcels`, { parcelId: 'box-2', trackingNumber: 'AP-2' });
    expect(second.json.data.parcels).toMatchObject([{ deliveredAt: DELIVERED }, { parcelId: 'box-2', deliveredAt: null }]);
    const again = await floor.post(`/orders/${orderId}/parcels`, { parcelId: 'box-1', trackingNumber: 'AP-1', shippedAt: SHIPPED });
    expect([again.status, again.json.data.parcels[0].deliveredAt]).toEqual([200, DELIVERED]);
    const { status } = await service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId)).describe();
    expect(status.name).toBe('RUNNING');
  });

  it('cannot be delivered before they were shipped or in the future; a clock may be some minutes ahead', async () => {
    const orderId = await ship();
    const at = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
    for (const time of ['2026-03-01T08:59:59.999Z', at(10), 'yesterday', undefined])
      expectValidationPaths(await deliver(orderId, time), ['deliveredAt']);
    for (const time of [SHIPPED, at(3)]) expect((await deliver(orderId, time)).status).toBe(200);
  });

  it('are refused with a voided label, and unknown ones are not found', async () => {
    const orderId = await ship();
    await floor.send('DELETE', `/orders/${orderId}/parcels/box-1`);
    expectRefusal(await deliver(orderId, DELIVERED), 409, 'MILESTONE_REFUSED');
    for (const id of ['box-9', '\0', 'x'.repeat(101)]) expectRefusal(await deliver(orderId, DELIVERED, id), 404, 'NOT_FOUND');
    expectRefusal(await deliver('ord_00', DELIVERED), 404, 'NOT_FOUND');
  });
});
