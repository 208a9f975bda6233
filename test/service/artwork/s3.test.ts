import { aTrader, expectRefusal, type Trader } from '../http/support';
import { putBytes } from '../storage/support';
import { startS3Gateway } from '../storage/s3-gateway';
import { sweepArtwork } from '../../../src/artwork/sweep';
import { checkAwaitedArtwork } from '../../../src/artwork/order-artwork';
import { PREVIEW_SIZES } from '../../../src/domain/inspection';
import { aLine, aQuote, declareArtwork, placeOrder } from '../../support/baskets';
import { aPicture } from '../../support/pictures';
import { findFreePort } from '../../../scripts/start/ports';
import { startService, type TestService } from '../../support/service';
import { useService, useFixture } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import {
  readAttention,
  BYTES,
  DAY_MS,
  countHistoryEvents,
  findFixedArtwork,
  HOUR_MS,
  inspectUploadedBytes,
  MINUTE_MS,
  OffsetClock,
  placeOrderOf,
  OTHER_BYTES,
  createQuote,
  startProduction,
  waitForAttention,
  uploadIdOf,
} from './support';
import { NEVER_ABORTED } from '../../support/sweep';

describe('artwork in an S3-compatible store', () => {
  const clock = new OffsetClock();
  const gateway = useFixture(startS3Gateway, (started) => started.stop());
  const service = useService(() => ({ clock, env: { ...gateway.env, RATE_LIMIT_FACTOR: '50' } }));
  let trader: Trader;
  beforeEach(async () => {
    Object.assign(clock, { aheadMs: 0, stoppedAtMs: null });
    trader = await aTrader(service);
  });

  const sendBytes = async (uploadUrl: string, bytes = BYTES) => expect((await putBytes(uploadUrl, bytes, 'image/jpeg')).status).toBe(200);
  const etagOf = async (key: string) => (await service.deps.storage.stat(key, null))?.checksum ?? null;
  const readUploadRow = (key: string) =>
    service.deps.database.rows<{ received: boolean; checksum: string | null }>(
      'SELECT received_at IS NOT NULL AS received, checksum FROM uploads WHERE storage_key = $1',
      [key],
    );
  const untilReceived = (key: string) => waitFor('the check of the store', async () => (await readUploadRow(key))[0]?.received === true);

  it('has a preview of each size until it is deleted', async () => {
    const { uploadUrl, key } = await declareArtwork(trader.trade);
    await sendBytes(uploadUrl);
    const { storage } = service.deps;
    const readPreviews = () =>
      Promise.all(PREVIEW_SIZES.map(async (size) => (await storage.readPreview(key, size))?.toString('utf8') ?? null));
    expect(await readPreviews()).toEqual([null, null]);
    await storage.writePreview(key, 'large', Buffer.from('a preview'));
    await storage.writePreview(key, 'large', Buffer.from('another'));
    await storage.writePreview(key, 'small', Buffer.from('a small one'));
    expect(await readPreviews()).toEqual(['another', 'a small one']);
    expect((await storage.list('', 1000)).filter((stored) => stored.key.startsWith('previews/'))).toEqual([]);
    await storage.remove(key);
    expect([await readPreviews(), await storage.stat(key, null)]).toEqual([[null, null], null]);
  });

  it('has no preview if it is deleted during its inspection', async () => {
    const picture = await aPicture(60, 40).png().toBuffer();
    const declared = await trader.trade.post('/uploads', { filename: 'a.jpg', contentType: 'image/jpeg', sizeBytes: picture.length });
    const { uploadUrl, uploadId, key } = declared.json.data;
    expect((await putBytes(uploadUrl, picture, 'image/jpeg')).status).toBe(200);
    const { storage, database } = service.deps;
    const end = await inspectUploadedBytes(service, uploadId, async () => {
      await database.run('UPDATE uploads SET erased_at = now() WHERE id = $1', [uploadId]);
      await storage.remove(key);
    });
    expect([end, await storage.readPreview(key, 'large')]).toEqual(['gone', null]);
  });

  it('is inspected if the same bytes are sent again after it was lost, once the upload is read', async () => {
    const { uploadUrl, key, uploadId } = await declareArtwork(trader.trade);
    await sendBytes(uploadUrl);
    const isDue = async () => {
      expect((await trader.trade.get(`/uploads/${uploadId}`)).json.data.received).toBe(true);
      return service.deps.database.value<boolean>('SELECT inspect_at IS NOT NULL FROM uploads WHERE id = $1', [uploadId]);
    };
    expect(await isDue()).toBe(true);
    const inspect = () => inspectUploadedBytes(service, uploadId, async () => undefined);
    await service.deps.storage.remove(key);
    expect([await inspect(), await isDue()]).toEqual(['gone', false]);
    await sendBytes(uploadUrl);
    expect([await isDue(), await inspect(), await isDue()]).toEqual([true, 'unreadable', false]);
  });

  it('is checked after a quote, so placing fixes the ETag and the workflow sends no command', async () => {
    const { url, uploadUrl, key } = await declareArtwork(trader.trade);
    await sendBytes(uploadUrl);
    const quoteId = await createQuote(trader.trade, url);
    await untilReceived(key);
    const { orderId } = (await placeOrder(trader.trade, quoteId)).json.data;
    expect(await findFixedArtwork(service, orderId)).toMatchObject([
      { upload_id: uploadIdOf(key), size_bytes: 10, checksum: await etagOf(key), next_check_at: null },
    ]);
    await startProduction(service, orderId);
    expect((await countHistoryEvents(service, orderId)).timerStartedEventAttributes ?? 0).toBe(0);
    expect(await readAttention(service, orderId)).toEqual([]);
  });

  it("that arrives after the quote is fixed by the order's workflow", async () => {
    clock.aheadMs = -2 * MINUTE_MS; // so the first check, a minute after the order, is due by Temporal's clock
    const { url, uploadUrl, key } = await declareArtwork(trader.trade);
    const quoteId = await createQuote(trader.trade, url);
    await sendBytes(uploadUrl);
    const { orderId } = (await placeOrder(trader.trade, quoteId)).json.data;
    await waitFor('the artwork fixed', async () => (await findFixedArtwork(service, orderId))[0]?.fixed_at);
    expect(await findFixedArtwork(service, orderId)).toMatchObject([{ size_bytes: 10, checksum: await etagOf(key), next_check_at: null }]);
    expect(await readAttention(service, orderId)).toEqual([]);
  });

  it('that never arrives is checked at growing intervals until two and a half hours after its URL, and then raises attention', async () => {
    clock.stoppedAtMs = Date.now();
    const { url, key } = await declareArtwork(trader.trade);
    const orderId = await placeOrderOf(trader.trade, url);
    const waits: number[] = [];
    for (
      let due: Date | null = (await findFixedArtwork(service, orderId))[0]?.next_check_at ?? null;
      due !== null;
      due = await checkAwaitedArtwork(service.deps, orderId)
    ) {
      const leftMs = due.getTime() - clock.now().getTime();
      waits.push(Math.round(leftMs / MINUTE_MS));
      clock.aheadMs += leftMs + 1;
    }
    expect(waits).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 37]);
    expect(await readAttention(service, orderId)).toEqual(['ARTWORK_MISSING']);
    expect(await readUploadRow(key)).toMatchObject([{ received: false }]);
  });

  it('that was never sent is checked again after its upload is renewed', async () => {
    const { url, uploadId } = await declareArtwork(trader.trade);
    const [orderId, cancelled] = [await placeOrderOf(trader.trade, url), await placeOrderOf(trader.trade, url)];
    expect((await trader.trade.post(`/orders/${cancelled}/cancel`)).status).toBe(200);
    clock.aheadMs += DAY_MS;
    for (const id of [orderId, cancelled]) expect(await checkAwaitedArtwork(service.deps, id)).toBeNull();
    const renewed = await trader.trade.post(`/uploads/${uploadId}/renew`);
    expect((await findFixedArtwork(service, orderId))[0]?.next_check_at?.getTime()).toBeLessThanOrEqual(clock.now().getTime() + MINUTE_MS);
    expect(await findFixedArtwork(service, cancelled)).toMatchObject([{ next_check_at: null }]);
    await sendBytes(renewed.json.data.uploadUrl);
    expect(await checkAwaitedArtwork(service.deps, orderId)).toBeNull();
    expect((await trader.trade.get(`/orders/${orderId}`)).json.data.issues).toEqual([]);
    expect(await readAttention(service, orderId)).toEqual([]);
    expectRefusal(await trader.trade.post(`/uploads/${uploadId}/renew`), 412, 'ARTWORK_IN_USE');
  });

  it('that was replaced after the order fixed it raises attention when production starts', async () => {
    const { url, uploadUrl, key } = await declareArtwork(trader.trade);
    await sendBytes(uploadUrl);
    const quoteId = await createQuote(trader.trade, url);
    await untilReceived(key);
    const { orderId } = (await placeOrder(trader.trade, quoteId)).json.data;
    await sendBytes(uploadUrl, OTHER_BYTES); // S3 does not know the order
    await startProduction(service, orderId);
    await waitForAttention(service, orderId, ['ARTWORK_CHANGED']);
  });

  it('that is missing when production starts raises attention until a check finds it', async () => {
    const { url, uploadUrl } = await declareArtwork(trader.trade);
    const orderId = await placeOrderOf(trader.trade, url);
    await startProduction(service, orderId);
    await waitForAttention(service, orderId, ['ARTWORK_MISSING']);
    await sendBytes(uploadUrl);
    expect(await checkAwaitedArtwork(service.deps, orderId)).toBeNull();
    expect(await readAttention(service, orderId)).toEqual([]);
  });

  describe('read by its client', () => {
    const readUpload = async (uploadId: string) => (await trader.trade.get(`/uploads/${uploadId}`)).json.data;

    it('is found in the store with its ETag, and keeps its arrival time', async () => {
      const { uploadId, uploadUrl, key } = await declareArtwork(trader.trade);
      expect(await readUpload(uploadId)).toMatchObject({ received: false, receivedAt: null, checksum: null });
      await sendBytes(uploadUrl);
      const first = await readUpload(uploadId);
      expect(first).toMatchObject({ received: true, receivedAt: expect.any(String), checksum: await etagOf(key) });
      expect(await readUploadRow(key)).toEqual([{ received: true, checksum: first.checksum }]);
      clock.aheadMs += MINUTE_MS;
      expect(await readUpload(uploadId)).toEqual(first);
    });

    it('that was replaced before its URL expired shows its new ETag', async () => {
      const { uploadId, uploadUrl, key } = await declareArtwork(trader.trade);
      await sendBytes(uploadUrl);
      const { checksum } = await readUpload(uploadId);
      await sendBytes(uploadUrl, OTHER_BYTES);
      expect((await readUpload(uploadId)).checksum).toBe(await etagOf(key));
      expect(await etagOf(key)).not.toBe(checksum);
    });

    it('shows the ETag of a second upload that began before the URL expired and ended after it', async () => {
      const { uploadId, uploadUrl, key } = await declareArtwork(trader.trade);
      await sendBytes(uploadUrl);
      clock.aheadMs += HOUR_MS; // the service finds the first file after the URL has expired
      const { checksum } = await readUpload(uploadId);
      await sendBytes(uploadUrl, OTHER_BYTES); // the store, whose clock is not ahead, accepts it
      expect((await readUpload(uploadId)).checksum).toBe(await etagOf(key));
      expect(await etagOf(key)).not.toBe(checksum);
    });

    it('shows null or the known values while the store does not respond, and never an error; /readyz names the store', async () => {
      const away = await startService({ worker: false, env: { ...gateway.env, S3_ENDPOINT: `http://127.0.0.1:${await findFreePort()}` } });
      try {
        const other = await aTrader(away);
        const { uploadId, url } = await declareArtwork(other.trade);
        const reply = await other.trade.get(`/uploads/${uploadId}`);
        expect([reply.status, reply.json.data]).toMatchObject([200, { uploadId, received: null, receivedAt: null, checksum: null }]);
        const renewed = await other.trade.post(`/uploads/${uploadId}/renew`);
        expectRefusal(renewed, 503, 'OVERLOADED');
        expect(renewed.json.error?.message).toBe('the artwork store does not answer; repeat the request');
        expect(await away.deps.database.value(`SELECT cardinality(hits) FROM rate_windows WHERE endpoint LIKE 'POST %/renew'`)).toBe(0);
        await away.deps.database.run(`UPDATE uploads SET received_at = created_at, checksum = 'etag:x' WHERE id = $1`, [uploadId]);
        expect((await other.trade.get(`/uploads/${uploadId}`)).json.data).toMatchObject({ received: true, checksum: 'etag:x' });
        const placed = await placeOrder(other.trade, (await aQuote(other.trade, { items: [aLine(url)] })).quoteId);
        const file = await away.studio().get(`/orders/${placed.json.data.orderId}/lines/0/artwork`);
        expectRefusal(file, 503, 'OVERLOADED');
        const storageOf = async ({ api }: TestService) => {
          const response = await fetch(`http://127.0.0.1:${api.studioPort}/readyz`);
          return [response.status, ((await response.json()) as any).data.checks.storage];
        };
        expect(await storageOf(away)).toEqual([200, expect.stringContaining('the artwork store does not answer')]);
        expect(await storageOf(service)).toEqual([200, 'ok']);
      } finally {
        await away.stop();
      }
    });
  });

  it('that has arrived frees its target before the client reads it', async () => {
    const { uploadUrl, key } = await declareArtwork(trader.trade);
    await service.deps.database.run(
      `
      INSERT INTO uploads (id, account_id, environment, key_id, filename, content_type, size_bytes, storage_key, url, created_at, expires_at)
      SELECT id || '_' || n, account_id, environment, key_id, filename, content_type, size_bytes, replace(storage_key, '.jpg', '_' || n || '.jpg'), url || n, created_at, expires_at
        FROM uploads, generate_series(1, 199) n WHERE storage_key = $1`,
      [key],
    );
    const declare = () => trader.trade.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 10 });
    expect((await declare()).status).toBe(409);
    await sendBytes(uploadUrl);
    expect((await declare()).status).toBe(201);
    expect((await declare()).json.error).toMatchObject({ code: 'UPLOAD_LIMIT' });
  });

  it('counts towards the quota until the store reports that no bytes arrived', async () => {
    const small = await startService({ clock, worker: false, env: { ...gateway.env, STORAGE_QUOTA: '30B' } });
    try {
      const { trade } = await aTrader(small);
      const declare = (sizeBytes: number) => trade.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes });
      const { uploadUrl } = (await declare(10)).json.data;
      await declare(20);
      await sendBytes(uploadUrl);
      expect((await declare(1)).json.error).toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED', details: { quotaBytes: 30, usedBytes: 30 } });
      const expireEarlier = (interval: string) =>
        small.deps.database.run(`UPDATE uploads SET expires_at = expires_at - $1::interval`, [interval]);
      await expireEarlier('30 minutes'); // a body that began in time may still arrive
      expect((await declare(1)).status).toBe(409);
      await expireEarlier('3 hours');
      expect((await declare(20)).status).toBe(201);
      expect((await declare(1)).json.error).toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED', details: { usedBytes: 30 } });
    } finally {
      await small.stop();
    }
  });

  it('is deleted from bucket and database if unused, and stays if an order uses it', async () => {
    const [unused, never, orphan, ordered, late] = await Promise.all(Array.from({ length: 5 }, () => declareArtwork(trader.trade)));
    if (!unused || !never || !orphan || !ordered || !late) throw new Error('five uploads');
    for (const { uploadUrl } of [unused, orphan, ordered, late]) await sendBytes(uploadUrl);
    await placeOrderOf(trader.trade, ordered.url);
    await service.deps.database.run('DELETE FROM uploads WHERE storage_key = $1', [orphan.key]);
    const sweep = async () => {
      for (;;) {
        const { retired, removed, orphans } = await sweepArtwork(service.deps, NEVER_ABORTED);
        if (retired + removed + orphans === 0) return;
      }
    };
    const stored = (targets: { key: string }[]) =>
      Promise.all(targets.map(async ({ key }) => (await service.deps.storage.stat(key, null)) !== null));
    clock.aheadMs = 2 * DAY_MS;
    await sweep();
    clock.aheadMs += 2 * HOUR_MS;
    await sweep();
    expect(await readUploadRow(never.key)).toEqual([]); // checked first; the others have their bytes
    expect(await stored([unused, orphan, ordered, late])).toEqual([true, true, true, true]);
    clock.aheadMs = 31 * DAY_MS;
    await aQuote(trader.trade, { items: [aLine(late.url)] });
    await sweep();
    clock.aheadMs += 2 * HOUR_MS;
    await sweep();
    expect(await stored([unused, orphan, ordered, late])).toEqual([false, false, true, true]);
    expect(await readUploadRow(unused.key)).toEqual([]);
  });
});
