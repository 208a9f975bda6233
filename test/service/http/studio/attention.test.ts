import { orderWorkflowId } from '../../../../workflows/messages';
import { anAccount, aKey } from '../../../support/accounts';
import { anOrder } from '../../../support/baskets';
import type { Reply } from '../../../support/client';
import { useFixture, useService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';
import { startedOrder } from '../support';
import { aToken, findAuditEntries, validationPathsOf, OrderFactory, sendMilestone } from './support';

interface OpenAttention {
  code: string;
  orderId: string;
  since: string;
  message: string;
}

describe('attention', () => {
  const service = useService();
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor')));
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Rosa' })));
  const orders = useFixture(() => new OrderFactory(service));

  const listAttention = async (query = ''): Promise<OpenAttention[]> => (await floor.get(`/attention${query}`)).json.data;
  const codesOf = async (orderId: string): Promise<string[]> =>
    (await floor.get(`/orders/${orderId}`)).json.data.attention.map(({ code }: OpenAttention) => code);
  const resolve = (orderId: string, code: string, note = 'seen to', by = office) =>
    by.post(`/orders/${orderId}/attention/${code}/resolve`, { note });
  const workflow = (orderId: string) => service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));

  async function shippedAfterCancel(maker = orders, parcels = ['box-1']): Promise<string> {
    const { orderId } = await maker.place();
    await sendMilestone(floor, orderId, 'cancelled');
    for (const parcelId of parcels) await floor.post(`/orders/${orderId}/parcels`, { parcelId, trackingNumber: 'T' });
    return orderId;
  }

  it('is listed over all live orders, oldest first, in pages, with its order', async () => {
    const ids = [await shippedAfterCancel(), await shippedAfterCancel(), await shippedAfterCancel(orders, ['a', 'b'])];
    const all = await listAttention();
    expect(all.map(({ orderId }) => orderId)).toEqual([...ids, ids[2]]);
    expect(all[0]).toMatchObject({ code: 'SHIPPED_AFTER_CANCEL', status: 'shipped', environment: 'live', accountName: 'Gallery North' });
    const pages: OpenAttention[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json }: Reply = await floor.get(`/attention?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      pages.push(...json.data);
      cursor = json.nextCursor ?? null;
    }
    expect(pages).toEqual(all);
  });

  it('is filtered by code, account, environment and time', async () => {
    const orderId = await shippedAfterCancel();
    const another = await anAccount(service.deps.database);
    const theirs = await anOrder(service.trade(await aKey(service.deps.database, another.accountId, { environment: 'live' })));
    await sendMilestone(floor, theirs.orderId, 'cancelled');
    await floor.post(`/orders/${theirs.orderId}/parcels`, { parcelId: 'box', trackingNumber: 'T' });
    const tried = await shippedAfterCancel(new OrderFactory(service, 'test'));
    const all = await listAttention();
    const mine = all.findIndex((open) => open.orderId === orderId);
    expect(await listAttention(`?accountId=${another.accountId}`)).toEqual(all.filter((open) => open.orderId === theirs.orderId));
    expect((await listAttention('?environment=test')).map((open) => open.orderId)).toEqual([tried]);
    expect(await listAttention('?code=SIGNAL_REFUSED')).toEqual([]);
    expect(await listAttention('?code=SHIPPED_AFTER_CANCEL')).toEqual(all);
    expect(await listAttention('?about=work')).toEqual(all);
    expect(await listAttention('?about=money')).toEqual([]);
    expect(await listAttention(`?from=${all[mine]?.since}`)).toEqual(all.slice(mine));
    expect(await listAttention(`?to=${all[mine]?.since}`)).toEqual(all.slice(0, mine));
    expect(validationPathsOf(await floor.get('/attention?code=LATE'))).toEqual(['query.code']);
    expect(validationPathsOf(await floor.get('/attention?from=yesterday'))).toEqual(['query.from']);
    expect(validationPathsOf(await floor.get('/attention?order=1'))).toEqual(['query.order']);
  });

  it('is counted by code, with the oldest entry', async () => {
    const before = (await floor.get('/attention/counts')).json.data as {
      code: string;
      open: number;
      orders: number;
      oldestSince: string;
    }[];
    await shippedAfterCancel(orders, ['a', 'b']);
    const [counted] = (await floor.get('/attention/counts')).json.data;
    const [oldest] = await listAttention('?code=SHIPPED_AFTER_CANCEL');
    const had = before.find(({ code }) => code === 'SHIPPED_AFTER_CANCEL') ?? { open: 0, orders: 0 };
    expect(counted).toEqual({
      code: 'SHIPPED_AFTER_CANCEL',
      open: had.open + 2,
      orders: had.orders + 1,
      oldestSince: oldest?.since,
    });
    expect((await floor.get('/attention/counts?about=messages')).json.data).toEqual([]);
    expect((await floor.get('/attention/counts?about=work')).json.data).toEqual([counted]);
    expect(validationPathsOf(await floor.get('/attention/counts?code=LATE'))).toEqual(['query.code']);
  });

  it('is resolved by the office with a note for all of a code on the order; actor and note are stored, and a later one is new', async () => {
    const orderId = await shippedAfterCancel(orders, ['a', 'b']);
    expect((await resolve(orderId, 'SHIPPED_AFTER_CANCEL', 'the courier brings both back')).json.data).toMatchObject({
      orderId,
      attention: [],
    });
    expect((await listAttention()).filter((open) => open.orderId === orderId)).toEqual([]);
    const kept = `SELECT subject, cleared_by, note FROM order_attention WHERE order_id = $1 ORDER BY id`;
    const [a, b] = ['a', 'b'].map((subject) => ({ subject, cleared_by: 'Rosa', note: 'the courier brings both back' }));
    expect(await service.deps.database.rows(kept, [orderId])).toEqual([a, b]);
    expect((await findAuditEntries(service, orderId)).at(-1)).toMatchObject({
      action: 'attention.resolve',
      actor: 'Rosa',
      before: { code: 'SHIPPED_AFTER_CANCEL', open: [{ subject: 'a' }, { subject: 'b' }] },
      after: { code: 'SHIPPED_AFTER_CANCEL', open: [], note: 'the courier brings both back' },
    });
    expect((await resolve(orderId, 'SHIPPED_AFTER_CANCEL')).status).toBe(404);
    await floor.post(`/orders/${orderId}/parcels`, { parcelId: 'c', trackingNumber: 'T' });
    expect(await codesOf(orderId)).toEqual(['SHIPPED_AFTER_CANCEL']);
  });

  it('a parcel shipped before the cancel needs attention until it is voided', async () => {
    const { orderId } = await orders.place();
    await floor.post(`/orders/${orderId}/parcels`, { parcelId: 'gone', trackingNumber: 'T' });
    expect(await codesOf(orderId)).toEqual([]);
    await sendMilestone(floor, orderId, 'cancelled');
    expect(await codesOf(orderId)).toEqual(['SHIPPED_AFTER_CANCEL']);
    await floor.send('DELETE', `/orders/${orderId}/parcels/gone`);
    expect(await codesOf(orderId)).toEqual([]);
  });

  it('resolving is refused if it is not open, for an unknown code, without a note, and to the floor', async () => {
    const orderId = await shippedAfterCancel();
    expect((await resolve(orderId, 'DELIVERY_FAILED')).json.error).toMatchObject({ code: 'NOT_FOUND', message: /DELIVERY_FAILED/ });
    expect((await resolve(orderId, 'LATE')).json.error).toMatchObject({ code: 'NOT_FOUND', message: /SHIPPED_AFTER_CANCEL/ });
    expect((await resolve('ord_0', 'SHIPPED_AFTER_CANCEL')).status).toBe(404);
    expect(validationPathsOf(await resolve(orderId, 'SHIPPED_AFTER_CANCEL', ''))).toEqual(['note']);
    expect((await resolve(orderId, 'SHIPPED_AFTER_CANCEL', 'x', floor)).status).toBe(403);
    expect(await codesOf(orderId)).toEqual(['SHIPPED_AFTER_CANCEL']);
  });

  it('ends automatically when the parcel is voided, the payment reversed, the message applied or the order cancelled', async () => {
    const { orderId } = await orders.place();
    const untilAttention = (code: string) => waitFor(code, async () => (await codesOf(orderId)).includes(code));
    await startedOrder(service, orderId);
    await workflow(orderId).signal('milestone', { milestoneId: 'early', type: 'completed' });
    await workflow(orderId).signal('mile-stone', { milestoneId: 'm', type: 'printed' });
    await workflow(orderId).cancel();
    await untilAttention('CANCELLATION_REQUESTED');
    expect(await codesOf(orderId)).toEqual(['SIGNAL_REFUSED', 'SIGNAL_REFUSED', 'CANCELLATION_REQUESTED']);
    await sendMilestone(floor, orderId, 'production_started');
    await sendMilestone(floor, orderId, 'completed', { milestoneId: 'early' });
    expect(await codesOf(orderId)).toEqual(['SIGNAL_REFUSED', 'CANCELLATION_REQUESTED']);
    await office.post(`/orders/${orderId}/payments`, { paymentId: 'p', amountCents: 100 });
    await sendMilestone(floor, orderId, 'cancelled');
    await floor.post(`/orders/${orderId}/parcels`, { parcelId: 'box', trackingNumber: 'T' });
    expect(await codesOf(orderId)).toEqual(['SIGNAL_REFUSED', 'PAID_BUT_VOID', 'SHIPPED_AFTER_CANCEL']);
    await office.post(`/orders/${orderId}/payments/p/reverse`, { reason: 'bounced' });
    await floor.send('DELETE', `/orders/${orderId}/parcels/box`);
    expect(await codesOf(orderId)).toEqual(['SIGNAL_REFUSED']);
    await resolve(orderId, 'SIGNAL_REFUSED', 'press 7 was told how it is spelt');
    expect(await codesOf(orderId)).toEqual([]);
  });
});
