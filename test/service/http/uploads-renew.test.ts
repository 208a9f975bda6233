import { targetsLockSql } from '../../../src/db/repositories/uploads';
import { newId } from '../../../src/security/ids';
import { aLine, anOrder, aQuote, declareArtwork, placeOrder, sendArtwork } from '../../support/baskets';
import { holdLock } from '../../support/held-lock';
import { useService } from '../../support/fixtures';
import { aTrader, expectRefusal, sql, waitForLockWaiters, type Trader } from './support';

describe('POST /uploads/{id}/renew (ruling 69)', () => {
  const service = useService(() => ({ worker: false, clock: { now: () => new Date(nowMs) }, env: { STORAGE_QUOTA: '3000B' } }));
  let trader: Trader;
  let nowMs = Date.now();
  beforeEach(async () => {
    trader = await aTrader(service);
  });

  const renew = (uploadId: string, trade = trader.trade) => trade.post(`/uploads/${uploadId}/renew`);
  const advanceMinutes = (minutes: number) => (nowMs += minutes * 60_000);

  it("an unknown upload, another account's upload and one that is being removed are 404", async () => {
    const { uploadId } = await declareArtwork(trader.trade);
    expectRefusal(await renew(newId('upl')), 404, 'NOT_FOUND');
    expectRefusal(await renew('upl_XY'), 404, 'NOT_FOUND');
    expectRefusal(await renew(uploadId, (await aTrader(service)).trade), 404, 'NOT_FOUND');
    await sql(service, 'UPDATE uploads SET retired_at = now() WHERE id = $1', [uploadId]);
    expectRefusal(await renew(uploadId), 404, 'NOT_FOUND');
  });

  it('an upload that is removed during its renewal is 404', async () => {
    const { uploadId } = await declareArtwork(trader.trade);
    const lock = await holdLock(service.deps.database, targetsLockSql(trader.accountId));
    const renewed = renew(uploadId);
    try {
      await waitForLockWaiters(service);
      await sql(service, 'UPDATE uploads SET retired_at = now() WHERE id = $1', [uploadId]);
    } finally {
      await lock.release();
    }
    expectRefusal(await renewed, 404, 'NOT_FOUND');
  });

  it('gives an ordered upload a new URL after the first has expired, and its bytes end the issue of the order', async () => {
    const first = await declareArtwork(trader.trade);
    const { orderId } = await anOrder(trader.trade, { items: [aLine(first.url)] });
    advanceMinutes(20);
    expect(await sendArtwork(first.uploadUrl)).toEqual({ status: 403, code: 'UPLOAD_EXPIRED' });
    const { status, json } = await renew(first.uploadId, service.trade(trader.liveKey));
    expect(status).toBe(200);
    expect(json.data).toEqual({ ...first, uploadUrl: expect.not.stringContaining(first.uploadUrl) });
    const shown = (await trader.trade.get(`/uploads/${first.uploadId}`)).json.data;
    expect(shown).toMatchObject({ received: false, expiresAt: new Date(Math.floor(nowMs / 1000) * 1000 + 15 * 60_000).toISOString() });
    const readIssueCodes = async () => (await trader.trade.get(`/orders/${orderId}`)).json.data.issues.map(({ code }: any) => code);
    expect(await readIssueCodes()).toEqual(['ARTWORK_MISSING']);
    expect(await sendArtwork(json.data.uploadUrl)).toEqual({ status: 200, code: null });
    expect(await readIssueCodes()).toEqual([]);
  });

  it('is 412 after the bytes have arrived, also if the service has not noticed yet', async () => {
    const { uploadId, uploadUrl, url } = await declareArtwork(trader.trade);
    await sendArtwork(uploadUrl);
    await sql(service, 'UPDATE uploads SET received_at = NULL, checksum = NULL WHERE id = $1', [uploadId]);
    expectRefusal(await renew(uploadId), 412, 'ARTWORK_IN_USE');
    const { quoteId } = await aQuote(trader.trade, { items: [aLine(url)] });
    expect((await placeOrder(trader.trade, quoteId)).status).toBe(201);
    expectRefusal(await renew(uploadId), 412, 'ARTWORK_IN_USE');
  });

  it('counts as one open target, and towards the storage quota again', async () => {
    const { uploadId } = await declareArtwork(trader.trade);
    const insertUploads = (count: number) =>
      sql(
        service,
        `INSERT INTO uploads (id, account_id, environment, key_id, filename, content_type, size_bytes, storage_key, url, created_at, expires_at)
         SELECT id || n, account_id, environment, key_id, filename, content_type, size_bytes, storage_key || n, url || n, created_at, $3
           FROM uploads, generate_series(1, $2::int) n WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM uploads o WHERE o.id = uploads.id || n)`,
        [uploadId, count, new Date(nowMs + 60 * 60_000)],
      );
    await insertUploads(199);
    expect((await renew(uploadId)).status).toBe(200);
    advanceMinutes(20);
    await sql(service, 'UPDATE uploads SET expires_at = $2 WHERE account_id = $1', [trader.accountId, new Date(nowMs - 1)]);
    const declared = await trader.trade.post('/uploads', { filename: 'a.jpg', contentType: 'image/jpeg', sizeBytes: 1000 });
    expect(declared.status).toBe(201);
    await sql(service, 'UPDATE uploads SET expires_at = $2 WHERE account_id = $1 AND id <> $3', [
      trader.accountId,
      new Date(nowMs + 60_000),
      uploadId,
    ]);
    expectRefusal(await renew(uploadId), 409, 'UPLOAD_LIMIT');
    await sql(service, 'DELETE FROM uploads WHERE account_id = $1 AND id <> $2', [trader.accountId, uploadId]);
    await sql(service, `UPDATE uploads SET size_bytes = 2995, expires_at = $2 WHERE id = $1`, [uploadId, new Date(nowMs - 86_400_000)]);
    await declareArtwork(trader.trade);
    expectRefusal(await renew(uploadId), 409, 'STORAGE_QUOTA_EXCEEDED', { quotaBytes: 3000, usedBytes: 10 });
  });
});
