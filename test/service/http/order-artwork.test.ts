import { newId } from '../../../src/security/ids';
import { aLine, anOrder, declareArtwork, sendArtwork } from '../../support/baskets';
import { useSharedService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { sendMilestone } from './studio/support';
import { aTrader, anotherKey, expectValidationPaths, expectRefusal, scopesWithout, sql, startedOrder, type Trader } from './support';

describe('POST /orders/{id}/lines/{line}/artwork (ruling 69)', () => {
  const service = useSharedService();
  let trader: Trader;
  beforeEach(async () => {
    trader = await aTrader(service);
  });

  async function uploadBytes(bytes = '0123456789') {
    const target = await declareArtwork(trader.trade);
    await sendArtwork(target.uploadUrl, bytes);
    return target;
  }
  const placeOrderOf = async (...urls: string[]): Promise<string> =>
    (await anOrder(trader.trade, { items: urls.map((url) => aLine(url)) })).orderId;
  const replaceArtwork = (orderId: string, line: number | string, imageUrl: unknown, trade = trader.trade) =>
    trade.post(`/orders/${orderId}/lines/${line}/artwork`, { imageUrl });
  const sendFloorMilestone = (orderId: string, type: string, fields: object = {}) =>
    sendMilestone(service.studio(), orderId, type, { ...fields });
  const readAsStudio = async (orderId: string) => (await service.studio().get(`/orders/${orderId}`)).json.data;
  const readArtwork = (orderId: string) =>
    sql(service, 'SELECT upload_id, fixed_at IS NOT NULL AS is_fixed FROM order_artwork WHERE order_id = $1 ORDER BY upload_id', [orderId]);
  const pathsOf = (urls: string[]) => urls.map((url) => new URL(url).pathname.replace(/\.[0-9a-f]{64}(?=\.)/, ''));

  it('without a key is 401, without orders:write 403', async () => {
    expectRefusal(await replaceArtwork('ord_00', 0, 'x', service.trade()), 401, 'UNAUTHORIZED');
    const other = await anotherKey(service, trader.accountId, { scopes: scopesWithout('orders:write') });
    expectRefusal(await replaceArtwork('ord_00', 0, 'x', other), 403, 'FORBIDDEN');
  });

  it("an unknown order or line and another account's order are 404, and an invalid URL is 400", async () => {
    const { url } = await uploadBytes();
    const orderId = await placeOrderOf(url);
    expectRefusal(await replaceArtwork(newId('ord'), 0, url), 404, 'NOT_FOUND');
    expectRefusal(await replaceArtwork(orderId, 0, url, (await aTrader(service)).trade), 404, 'NOT_FOUND');
    for (const line of [1, -1, '00', 'first']) expectRefusal(await replaceArtwork(orderId, line, url), 404, 'NOT_FOUND');
    for (const imageUrl of [undefined, 7, 'dunes.jpg']) expectValidationPaths(await replaceArtwork(orderId, 0, imageUrl), ['imageUrl']);
  });

  it('artwork of another account or of none is refused and changes nothing', async () => {
    const { url } = await uploadBytes();
    const orderId = await placeOrderOf(url);
    const foreign = await declareArtwork((await aTrader(service)).trade);
    for (const imageUrl of [foreign.url, 'https://example.com/dunes.png'])
      expectRefusal(await replaceArtwork(orderId, 0, imageUrl), 400, 'ARTWORK_NOT_ALLOWED', { line: 0, path: 'imageUrl' });
    expect((await readAsStudio(orderId)).timeline).toEqual([]);
  });

  it('ends the rejection, gives the floor the new artwork and fixes it, and releases the previous file', async () => {
    const [old, other, fresh] = [await uploadBytes(), await uploadBytes(), await uploadBytes('abcdefghij')];
    const orderId = await placeOrderOf(old.url, other.url);
    await sendFloorMilestone(orderId, 'artwork_rejected', { line: 0, reason: 'it is cut off' });
    await sendFloorMilestone(orderId, 'artwork_rejected', { line: 1, reason: 'it is blurred' });
    const before = (await trader.trade.get(`/orders/${orderId}`)).json.data;
    const reply = await replaceArtwork(orderId, 0, fresh.url);
    expect(reply.status).toBe(200);
    expect(reply.json.data).toEqual({ ...before, issues: [expect.objectContaining({ code: 'ARTWORK_REJECTED', line: 1 })] });

    const { attention, job, timeline } = await readAsStudio(orderId);
    expect(attention).toMatchObject([{ code: 'ARTWORK_REJECTED', message: expect.stringContaining('blurred') }]);
    expect(pathsOf(job.lines.map(({ artworkUrl }: any) => artworkUrl))).toEqual(pathsOf([fresh.url, other.url]));
    expect(timeline.at(-1)).toMatchObject({ type: 'artwork_replaced', outcome: 'applied', actor: 'account', carried: { line: 0 } });
    expect(await readArtwork(orderId)).toEqual(
      [other, fresh]
        .map(({ uploadId }) => ({ upload_id: uploadId, is_fixed: true }))
        .toSorted((a, b) => (a.upload_id < b.upload_id ? -1 : 1)),
    );
    expect(await sendArtwork(fresh.uploadUrl, '9876543210')).toEqual({ status: 412, code: 'ARTWORK_IN_USE' });
    const used = await sql(service, 'SELECT id FROM uploads WHERE account_id = $1 AND used_at IS NULL', [trader.accountId]);
    expect(used).toEqual([{ id: old.uploadId }]);
    const types = (await trader.trade.get('/events')).json.data.map(({ type }: any) => type);
    expect(types).toEqual(['order.received']);
  });

  it('keeps artwork that another line or order uses', async () => {
    const [shared, fresh] = [await uploadBytes(), await uploadBytes()];
    const orderId = await placeOrderOf(shared.url, shared.url);
    const elsewhere = await placeOrderOf(shared.url);
    expect((await replaceArtwork(orderId, 1, fresh.url)).status).toBe(200);
    expect((await readArtwork(orderId)).map((row: any) => row.upload_id).sort()).toEqual([shared.uploadId, fresh.uploadId].sort());
    expect((await replaceArtwork(orderId, 0, fresh.url)).status).toBe(200);
    expect(await readArtwork(orderId)).toEqual([{ upload_id: fresh.uploadId, is_fixed: true }]);
    expect(await readArtwork(elsewhere)).toEqual([{ upload_id: shared.uploadId, is_fixed: true }]);
    expect(await sql(service, 'SELECT 1 FROM uploads WHERE id = $1 AND used_at IS NOT NULL', [shared.uploadId])).toHaveLength(1);
  });

  it('a repeat is 200 and counts once, also concurrently, and switching back counts again', async () => {
    const [first, second] = [await uploadBytes(), await uploadBytes()];
    const orderId = await placeOrderOf(first.url);
    const twice = await Promise.all([replaceArtwork(orderId, 0, second.url), replaceArtwork(orderId, 0, second.url)]);
    expect([...twice, await replaceArtwork(orderId, 0, second.url)].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await readAsStudio(orderId)).timeline).toHaveLength(1);
    await replaceArtwork(orderId, 0, first.url);
    await replaceArtwork(orderId, 0, second.url);
    expect((await readAsStudio(orderId)).timeline).toHaveLength(3);
    expect(await readArtwork(orderId)).toEqual([{ upload_id: second.uploadId, is_fixed: true }]);
  });

  it('the rejected artwork itself is refused', async () => {
    const { url } = await uploadBytes();
    const orderId = await placeOrderOf(url);
    await sendFloorMilestone(orderId, 'artwork_rejected', { line: 0, reason: 'it is cut off' });
    const refused = await replaceArtwork(orderId, 0, url);
    expectRefusal(refused, 409, 'ORDER_NOT_CHANGEABLE');
    expect(refused.json.error?.message).toContain('ARTWORK_REJECTED');
  });

  it.each([
    ['printed', /is printed; artwork can be replaced only before printing/],
    ['cancelled', /is cancelled/],
    ['parcel', /is shipped/],
  ])('an order that is %s is 409 ORDER_NOT_CHANGEABLE', async (how, message) => {
    const [old, fresh] = [await uploadBytes(), await uploadBytes()];
    const orderId = await placeOrderOf(old.url);
    if (how === 'parcel') await service.studio().post(`/orders/${orderId}/parcels`, { parcelId: 'box', trackingNumber: 'T' });
    else await sendFloorMilestone(orderId, how);
    const refused = await replaceArtwork(orderId, 0, fresh.url);
    expectRefusal(refused, 409, 'ORDER_NOT_CHANGEABLE');
    expect(refused.json.error?.message).toMatch(message);
    expect(await readArtwork(orderId)).toEqual([{ upload_id: old.uploadId, is_fixed: true }]);
  });

  it('artwork without bytes is reported as missing until they arrive', async () => {
    const [old, late] = [await uploadBytes(), await declareArtwork(trader.trade)];
    const orderId = await placeOrderOf(old.url);
    const reply = await replaceArtwork(orderId, 0, late.url);
    expect(reply.json.data.issues).toMatchObject([{ code: 'ARTWORK_MISSING', line: 0 }]);
    await sendArtwork(late.uploadUrl);
    expect((await trader.trade.get(`/orders/${orderId}`)).json.data.issues).toEqual([]);
    expect(await readArtwork(orderId)).toEqual([{ upload_id: late.uploadId, is_fixed: true }]);
  });

  it('artwork replaced after the start of production is compared with the stored bytes', async () => {
    const [old, fresh] = [await uploadBytes(), await uploadBytes()];
    const orderId = await placeOrderOf(old.url);
    await sendFloorMilestone(orderId, 'production_started');
    await sendFloorMilestone(orderId, 'held');
    await waitFor(
      'the comparison',
      async () => (await sql(service, 'SELECT 1 FROM order_artwork WHERE order_id = $1 AND compare_due', [orderId])).length === 0,
    );
    await replaceArtwork(orderId, 0, fresh.url);
    expect(await sql(service, 'SELECT upload_id FROM order_artwork WHERE order_id = $1 AND compare_due', [orderId])).toEqual([
      { upload_id: fresh.uploadId },
    ]);
  });

  it("a remake uses the order's current artwork", async () => {
    const [old, fresh] = [await uploadBytes(), await uploadBytes()];
    const orderId = await placeOrderOf(old.url);
    await replaceArtwork(orderId, 0, fresh.url);
    const remake = await service
      .studio()
      .post(`/orders/${orderId}/remakes`, { remakeId: 'r1', lines: [{ line: 0, quantity: 1 }], reason: 'damaged' });
    expect(remake.status).toBe(201);
    expect(await readArtwork(remake.json.data.orderId)).toEqual([{ upload_id: fresh.uploadId, is_fixed: true }]);
  });

  it('only the account can replace artwork, and signals cannot', async () => {
    const [old, fresh] = [await uploadBytes(), await uploadBytes()];
    const orderId = await placeOrderOf(old.url);
    const run = await startedOrder(service, orderId);
    const message = { type: 'artwork_replaced', replacementId: 'mine', line: 0, uploadId: fresh.uploadId };
    await run.signal('milestone', message);
    await run.signal('milestone', { ...message, tokenId: 'key_00', actor: 'account' });
    const refusals = async () => (await readAsStudio(orderId)).timeline.map(({ outcome }: any) => outcome);
    await waitFor('both refusals', async () => (await refusals()).length === 2);
    expect(await refusals()).toEqual(['refused', 'refused']);
    expect(await readArtwork(orderId)).toEqual([{ upload_id: old.uploadId, is_fixed: true }]);
  });
});
