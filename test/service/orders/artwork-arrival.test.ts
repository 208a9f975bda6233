import { recordUploadArrival } from '../../../src/db/repositories/order-artwork';
import { lockUpload } from '../../../src/db/repositories/uploads';
import { aLine, anOrder, aQuote, declareArtwork, placeOrder } from '../../support/baskets';
import { useFixture, useSharedService } from '../../support/fixtures';
import { aTrader, sql, waitForLockWaiters } from '../http/support';

describe('artwork that arrives while its order is placed', () => {
  const service = useSharedService();
  const trader = useFixture(() => aTrader(service));

  const issuesOf = (order: any) => order.issues.map(({ code, line }: any) => [code, line]);

  it('is no issue of the response, its replay or the event', async () => {
    const [late, missing] = [await declareArtwork(trader.trade), await declareArtwork(trader.trade)];
    const { quoteId } = await aQuote(trader.trade, { items: [aLine(late.url), aLine(missing.url), aLine(late.url)] });
    const header = { 'idempotency-key': 'arrives-meanwhile' };
    let placed: ReturnType<typeof placeOrder> | undefined;
    await service.deps.database.transaction(async (store) => {
      await lockUpload(store, { id: late.uploadId });
      await recordUploadArrival(store, late.uploadId, { sizeBytes: 10, checksum: 'a'.repeat(64) }, new Date());
      placed = placeOrder(trader.trade, quoteId, header);
      await waitForLockWaiters(service);
    });
    const reply = await placed;
    expect([reply?.status, issuesOf(reply?.json.data)]).toEqual([201, [['ARTWORK_MISSING', 1]]]);
    const replay = await placeOrder(trader.trade, quoteId, header);
    const { orderId } = replay.json.data;
    expect(replay.json).toEqual(reply?.json);
    expect(issuesOf((await trader.trade.get(`/orders/${orderId}`)).json.data)).toEqual([['ARTWORK_MISSING', 1]]);
    const [event] = await sql<{ body: string }>(service, `SELECT body FROM order_events WHERE order_id = $1 AND type = 'order.received'`, [
      orderId,
    ]);
    expect(issuesOf(JSON.parse(event?.body ?? '').data)).toEqual([['ARTWORK_MISSING', 1]]);
  });

  it('is no issue of the stored response to a change', async () => {
    const late = await declareArtwork(trader.trade);
    const { orderId } = await anOrder(trader.trade, { items: [aLine(late.url)] });
    const change = () =>
      trader.trade.send('PATCH', `/orders/${orderId}`, { specialInstructions: 'ring twice' }, { 'idempotency-key': 'changes-meanwhile' });
    let changed: ReturnType<typeof change> | undefined;
    await service.deps.database.transaction(async (store) => {
      await lockUpload(store, { id: late.uploadId });
      await recordUploadArrival(store, late.uploadId, { sizeBytes: 10, checksum: 'a'.repeat(64) }, new Date());
      changed = change();
      await waitForLockWaiters(service);
    });
    const reply = await changed;
    expect([reply?.status, issuesOf(reply?.json.data)]).toEqual([200, []]);
    expect((await change()).json).toEqual(reply?.json);
  });
});
