import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { checkUpload } from '../../../src/artwork/arrivals';
import { compareArtwork, checkAwaitedArtwork } from '../../../src/artwork/order-artwork';
import { compareOverdue, sweepArtwork } from '../../../src/artwork/sweep';
import { markArtworkFilesDeleted, markUnusedArtworkErased } from '../../../src/db/repositories/erasure';
import { requestComparison } from '../../../src/db/repositories/order-artwork';
import { insertQuote } from '../../../src/db/repositories/quotes';
import type { QuoteRow } from '../../../src/db/rows';
import { artworkDir } from '../../../src/processes/dependencies';
import { findUpload } from '../../../src/db/repositories/uploads';
import type { ArtworkStorage } from '../../../src/storage';
import { contentKey } from '../../../src/storage/artwork-key';
import { aLine, aQuote, declareArtwork, placeOrder, sendArtwork, uploadArtwork } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { aTrader, anotherKey, expectRefusal, countRows, type Trader } from '../http/support';
import { useService } from '../../support/fixtures';
import {
  readAttention,
  BYTES,
  checksumOf,
  DAY_MS,
  countHistoryEvents,
  findFixedArtwork,
  HOUR_MS,
  MINUTE_MS,
  OffsetClock,
  placeOrderOf,
  orderWithoutBytes,
  OTHER_BYTES,
  createQuote,
  startProduction,
  waitForAttention,
  uploadIdOf,
} from './support';
import { NEVER_ABORTED, sweepOnce } from '../../support/sweep';

describe('artwork in the embedded store', () => {
  const clock = new OffsetClock();
  const service = useService(() => ({ clock, env: { RATE_LIMIT_FACTOR: '50' } }));
  let trader: Trader;
  beforeEach(async () => {
    clock.aheadMs = 0;
    trader = await aTrader(service);
  });

  const fileOf = (key: string, bytes: string) => path.join(artworkDir(service.deps.config), contentKey(key, checksumOf(bytes)));
  const storedBytes = async (key: string) => (await service.deps.storage.stat(key, null))?.checksum ?? null;

  it('a file that was found late never replaces a later arrival', async () => {
    const { uploadId, uploadUrl, key } = await declareArtwork(trader.trade);
    await sendArtwork(uploadUrl);
    // As if the record of the first arrival had failed.
    await service.deps.database.run('UPDATE uploads SET received_at = NULL, checksum = NULL WHERE id = $1', [uploadId]);
    const upload = await findUpload(service.deps.database, trader.accountId, { id: uploadId });
    if (upload === null) throw new Error('the upload is missing');
    const storage = Object.assign(Object.create(service.deps.storage) as ArtworkStorage, {
      async stat(...asked: Parameters<ArtworkStorage['stat']>) {
        const stat = await service.deps.storage.stat(...asked);
        expect(await sendArtwork(uploadUrl, OTHER_BYTES)).toEqual({ status: 200, code: null });
        return stat;
      },
    });
    const checked = await checkUpload({ ...service.deps, storage }, upload);
    expect([checked.received, checked.checksum]).toEqual([true, checksumOf(OTHER_BYTES)]);
    expect(await storedBytes(key)).toBe(checksumOf(OTHER_BYTES));
    expect(await findUpload(service.deps.database, trader.accountId, { id: uploadId })).toMatchObject({
      checksum: checksumOf(OTHER_BYTES),
    });
  });

  describe('An order fixes its artwork', () => {
    it('placing records size and checksum of stored bytes, and the workflow sends no command for them', async () => {
      const { url, uploadUrl, key } = await declareArtwork(trader.trade);
      expect(await sendArtwork(uploadUrl)).toEqual({ status: 200, code: null });
      const orderId = await placeOrderOf(trader.trade, url);
      expect(await findFixedArtwork(service, orderId)).toEqual([
        {
          order_id: orderId,
          upload_id: uploadIdOf(key),
          size_bytes: 10,
          checksum: checksumOf(BYTES),
          fixed_at: expect.any(Date),
          next_check_at: null,
        },
      ]);
      await startProduction(service, orderId);
      const events = await countHistoryEvents(service, orderId);
      expect(events.timerStartedEventAttributes ?? 0).toBe(0);
      expect(events.activityTaskScheduledEventAttributes ?? 0).toBe(0);
      expect(await readAttention(service, orderId)).toEqual([]);
    });

    it('each artwork is fixed once, for any number of lines', async () => {
      const [one, two] = [await uploadArtwork(trader.trade), await uploadArtwork(trader.trade)];
      const { quoteId } = await aQuote(trader.trade, { items: [aLine(one), aLine(two), aLine(one)] });
      const orderId = (await placeOrder(trader.trade, quoteId)).json.data.orderId;
      expect((await findFixedArtwork(service, orderId)).map(({ checksum }) => checksum)).toEqual([checksumOf(BYTES), checksumOf(BYTES)]);
    });

    it('other bytes replace the first until an order uses the key; then they get 412, and the same bytes get 200', async () => {
      const { url, uploadUrl, key } = await declareArtwork(trader.trade);
      await sendArtwork(uploadUrl, OTHER_BYTES);
      expect((await sendArtwork(uploadUrl, BYTES)).status).toBe(200);
      const orderId = await placeOrderOf(trader.trade, url);
      expect(await sendArtwork(uploadUrl, OTHER_BYTES)).toEqual({ status: 412, code: 'ARTWORK_IN_USE' });
      expect(await sendArtwork(uploadUrl, BYTES)).toEqual({ status: 200, code: null });
      expect(await storedBytes(key)).toBe(checksumOf(BYTES));
      expect((await findFixedArtwork(service, orderId))[0]?.checksum).toBe(checksumOf(BYTES));
      expect(await readdir(path.join(artworkDir(service.deps.config), 'incoming'))).toEqual([]);
    });

    it('other bytes that arrive while the order is placed are either fixed by it or refused', async () => {
      const other = await anotherKey(service, trader.accountId);
      for (let round = 0; round < 12; round += 1) {
        const { url, uploadUrl, key } = await declareArtwork(round % 2 === 0 ? trader.trade : other);
        await sendArtwork(uploadUrl);
        const quoteId = await createQuote(trader.trade, url);
        const [placed, sent] = await Promise.all([placeOrder(trader.trade, quoteId), sendArtwork(uploadUrl, OTHER_BYTES)]);
        const [fixed] = await findFixedArtwork(service, placed.json.data.orderId);
        expect(fixed?.checksum).toBe(checksumOf(sent.status === 200 ? OTHER_BYTES : BYTES));
        expect(await storedBytes(key)).toBe(fixed?.checksum);
      }
    });

    it('bytes that arrive after the order are fixed on arrival, and other bytes are refused', async () => {
      const { orderId, uploadUrl } = await orderWithoutBytes(trader.trade);
      expect(await findFixedArtwork(service, orderId)).toMatchObject([{ checksum: null, fixed_at: null, next_check_at: expect.any(Date) }]);
      expect((await sendArtwork(uploadUrl, OTHER_BYTES)).status).toBe(200);
      expect(await findFixedArtwork(service, orderId)).toMatchObject([
        { size_bytes: 10, checksum: checksumOf(OTHER_BYTES), fixed_at: expect.any(Date), next_check_at: null },
      ]);
      expect((await sendArtwork(uploadUrl, BYTES)).code).toBe('ARTWORK_IN_USE');
    });
  });

  describe('Missing or changed artwork raises attention', () => {
    it('production starts without the artwork, and the attention stays until the bytes arrive', async () => {
      const { orderId, uploadUrl } = await orderWithoutBytes(trader.trade);
      expect(await readAttention(service, orderId)).toEqual([]);
      await startProduction(service, orderId);
      await waitForAttention(service, orderId, ['ARTWORK_MISSING']);
      await sendArtwork(uploadUrl);
      expect(await readAttention(service, orderId)).toEqual([]);
    });

    it('the workflow reports missing artwork once, two and a half hours after the URL expired', async () => {
      clock.aheadMs = -3 * HOUR_MS;
      const { orderId, url } = await orderWithoutBytes(trader.trade);
      clock.aheadMs = 0; // back to Temporal's time: the check is due
      await waitForAttention(service, orderId, ['ARTWORK_MISSING']);
      expect(await findFixedArtwork(service, orderId)).toMatchObject([{ fixed_at: null, next_check_at: null }]);
      expect(await countHistoryEvents(service, orderId)).toMatchObject({
        timerStartedEventAttributes: 1,
        activityTaskScheduledEventAttributes: 1,
      });
      const late = await placeOrderOf(trader.trade, url);
      await waitForAttention(service, late, ['ARTWORK_MISSING']);
    });

    it('the workflow checks replacement artwork too', async () => {
      const orderId = await placeOrderOf(trader.trade, await uploadArtwork(trader.trade));
      clock.aheadMs = -3 * HOUR_MS;
      const { url } = await declareArtwork(trader.trade);
      clock.aheadMs = 0; // before the workflow looks: a look at an earlier time would wait for hours
      expect((await trader.trade.post(`/orders/${orderId}/lines/0/artwork`, { imageUrl: url })).status).toBe(200);
      await waitForAttention(service, orderId, ['ARTWORK_MISSING']);
    });

    it.each([
      ['missing', null],
      ['changed', { sizeBytes: 1, checksum: checksumOf('x') }],
    ])("artwork that the client replaces during the store's check raises no attention: %s", async (_how, answer) => {
      const old = await declareArtwork(trader.trade);
      if (answer !== null) await sendArtwork(old.uploadUrl);
      const orderId = await placeOrderOf(trader.trade, old.url);
      const imageUrl = await uploadArtwork(trader.trade);
      await requestComparison(service.deps.database, orderId);
      clock.aheadMs = 3 * HOUR_MS;
      const storage = Object.assign(Object.create(service.deps.storage), {
        stat: async () => {
          expect((await trader.trade.post(`/orders/${orderId}/lines/0/artwork`, { imageUrl })).status).toBe(200);
          return answer;
        },
      });
      if (answer === null) await checkAwaitedArtwork({ ...service.deps, storage }, orderId);
      else await compareArtwork({ ...service.deps, storage }, orderId);
      expect(await readAttention(service, orderId)).toEqual([]);
    });

    it('a cancelled order reports no missing artwork', async () => {
      clock.aheadMs = -30 * MINUTE_MS;
      const { orderId } = await orderWithoutBytes(trader.trade);
      expect((await trader.trade.post(`/orders/${orderId}/cancel`)).status).toBe(200);
      clock.aheadMs = 3 * HOUR_MS;
      expect(await checkAwaitedArtwork(service.deps, orderId)).toBeNull();
      expect(await readAttention(service, orderId)).toEqual([]);
    });

    test.each([
      ['replaced by another file', 'ARTWORK_CHANGED', async (file: string, other: string) => rename(file, other)],
      ['gone', 'ARTWORK_MISSING', async (file: string) => rm(file)],
    ])('artwork that is %s at the start of production raises attention', async (_how, code, spoil) => {
      const { url, uploadUrl, key } = await declareArtwork(trader.trade);
      await sendArtwork(uploadUrl);
      const orderId = await placeOrderOf(trader.trade, url);
      await spoil(fileOf(key, BYTES), fileOf(key, OTHER_BYTES));
      await startProduction(service, orderId);
      await waitForAttention(service, orderId, [code]);
    });
  });

  describe('Open upload targets', () => {
    /** Inserts this many targets without bytes at once. */
    const insertOpenUploads = (count: number) =>
      service.deps.database.rows(
        `
      INSERT INTO uploads (id, account_id, environment, key_id, filename, content_type, size_bytes, storage_key, url, created_at, expires_at)
      SELECT $1 || n, $2, 'test', (SELECT min(id) FROM api_keys WHERE account_id = $2), 'x.jpg', 'image/jpeg', 10, $1 || n, $1 || n, $3, $4 FROM generate_series(1, $5::int) n`,
        [`upl_${trader.accountId}_`, trader.accountId, clock.now(), new Date(clock.now().getTime() + 15 * MINUTE_MS), count],
      );
    const declare = () => trader.trade.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 10 });

    it('of 210 concurrent requests exactly 200 get a target, for any keys', async () => {
      await insertOpenUploads(190);
      const keys = [trader.trade, await anotherKey(service, trader.accountId)];
      const replies = await Promise.all(
        Array.from({ length: 20 }, async (_, n) =>
          keys[n % 2]?.post('/uploads', { filename: 'a.png', contentType: 'image/png', sizeBytes: 1 }),
        ),
      );
      expect(replies.map((reply) => reply?.status).sort()).toEqual([...Array(10).fill(201), ...Array(10).fill(409)]);
      expect(await countRows(service, trader.accountId)).toMatchObject({ uploads: 200 });
    });

    it('one more is UPLOAD_LIMIT with a remedy, and another account is not affected', async () => {
      await insertOpenUploads(200);
      const refused = await declare();
      expectRefusal(refused, 409, 'UPLOAD_LIMIT');
      expect(refused.json.error?.message).toMatch(
        /200 open upload targets; send their files, or wait until the first one expires at \d{4}-/,
      );
      expect((await declareArtwork((await aTrader(service)).trade)).key).toBeTruthy();
    });

    it('bytes that arrive and URLs that expire free targets', async () => {
      await insertOpenUploads(199);
      const { uploadUrl } = (await declare()).json.data;
      expect((await declare()).status).toBe(409);
      await sendArtwork(uploadUrl);
      expect((await declare()).status).toBe(201);
      expect((await declare()).status).toBe(409);
      clock.aheadMs = 16 * MINUTE_MS;
      expect((await declare()).status).toBe(201);
    });
  });

  describe('The quota of an account', () => {
    const QUOTA = 100;
    const small = useService(() => ({ clock, worker: false, env: { STORAGE_QUOTA: `${QUOTA}B` } }));

    const declare = (trade: HttpClient, sizeBytes: number) =>
      trade.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes });
    const usedBytes = async (trade: HttpClient): Promise<number> =>
      (await declare(trade, QUOTA + 1)).json.error?.details?.usedBytes as number;

    it('counts stored bytes and open targets: of 20 concurrent requests exactly those that fit succeed, for any keys', async () => {
      const { trade, accountId } = await aTrader(small);
      expect(await sendArtwork((await declare(trade, 10)).json.data.uploadUrl)).toEqual({ status: 200, code: null });
      const keys = [trade, await anotherKey(small, accountId, { environment: 'live' })];
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => declare(keys[n % 2] ?? trade, 10)));
      expect(replies.map(({ status }) => status).sort()).toEqual([...Array(9).fill(201), ...Array(11).fill(409)]);
      const refused = await declare(trade, 1);
      expectRefusal(refused, 409, 'STORAGE_QUOTA_EXCEEDED', { quotaBytes: 100, usedBytes: 100 });
      expect(refused.json.error?.message).toMatch(/^sizeBytes: 1 B more would exceed this account's quota of 100 B/);
      expect((await declare((await aTrader(small)).trade, QUOTA)).status).toBe(201);
    });

    it('counts repeated bytes once, and a target without bytes until two and a half hours after its URL', async () => {
      const { trade } = await aTrader(small);
      const { uploadUrl } = (await declare(trade, 10)).json.data;
      await sendArtwork(uploadUrl);
      await sendArtwork(uploadUrl, OTHER_BYTES);
      await declare(trade, 30);
      expect(await usedBytes(trade)).toBe(40);
      clock.aheadMs = 20 * MINUTE_MS;
      expect(await usedBytes(trade)).toBe(40);
      clock.aheadMs = 170 * MINUTE_MS;
      expect(await usedBytes(trade)).toBe(10);
    });

    it('is free again after the sweep or an erasure has deleted the bytes', async () => {
      const { trade, accountId } = await aTrader(small);
      const [unused, erased] = [(await declare(trade, 10)).json.data, (await declare(trade, 10)).json.data];
      for (const { uploadUrl } of [unused, erased]) await sendArtwork(uploadUrl);
      const sql = small.deps.database;
      await sql.run('UPDATE uploads SET erasure_started_at = $2, used_at = $2 WHERE id = $1', [erased.uploadId, clock.now()]);
      await sql.transaction((transaction) => markUnusedArtworkErased(transaction, accountId, clock.now()));
      expect(await usedBytes(trade)).toBe(20);
      await markArtworkFilesDeleted(sql, [erased.uploadId]);
      expect(await usedBytes(trade)).toBe(10);
      clock.aheadMs = 31 * DAY_MS;
      await sweepArtwork(small.deps, NEVER_ABORTED);
      expect(await usedBytes(trade)).toBe(10);
      clock.aheadMs += 2 * HOUR_MS;
      await sweepArtwork(small.deps, NEVER_ABORTED);
      expect(await usedBytes(trade)).toBe(0);
    });
  });

  describe('Sweeping', () => {
    /** Runs until nothing is found, because each run is bounded. */
    const sweep = async () => {
      for (;;) {
        const { retired, removed, orphans } = await sweepArtwork(service.deps, NEVER_ABORTED);
        if (retired + removed + orphans === 0) return;
      }
    };
    /** Marked first, and deleted an hour later. */
    const sweepTwice = async () => {
      await sweep();
      clock.aheadMs += 2 * HOUR_MS;
      await sweep();
    };
    const hasUpload = async (key: string) =>
      (await service.deps.database.rows('SELECT 1 FROM uploads WHERE storage_key = $1', [key])).length === 1;
    const stored = async (key: string) => (await service.deps.storage.stat(key, null)) !== null;

    it('a target without bytes is deleted a day after its URL, unless an order uses it', async () => {
      const unused = await declareArtwork(trader.trade);
      const named = await orderWithoutBytes(trader.trade);
      const quoted = await declareArtwork(trader.trade);
      clock.aheadMs = DAY_MS + HOUR_MS;
      const quoteId = await createQuote(trader.trade, quoted.url);
      await sweepTwice();
      expect(await Promise.all([unused, named, quoted].map(({ key }) => hasUpload(key)))).toEqual([false, true, true]);
      expect((await placeOrder(trader.trade, quoteId)).status).toBe(201);
    });

    it('artwork unused for thirty days is deleted with its bytes; quoted and ordered artwork stays', async () => {
      const [unused, quoted, ordered] = [
        await declareArtwork(trader.trade),
        await declareArtwork(trader.trade),
        await declareArtwork(trader.trade),
      ];
      for (const { uploadUrl } of [unused, quoted, ordered]) await sendArtwork(uploadUrl);
      await placeOrderOf(trader.trade, ordered.url);
      clock.aheadMs = 29 * DAY_MS;
      await createQuote(trader.trade, quoted.url);
      await sweepTwice();
      expect(await stored(unused.key)).toBe(true);
      clock.aheadMs = 31 * DAY_MS;
      await sweepTwice();
      expect(await Promise.all([unused, quoted, ordered].map(({ key }) => stored(key)))).toEqual([false, true, true]);
      expect(await Promise.all([unused, quoted, ordered].map(({ key }) => hasUpload(key)))).toEqual([false, true, true]);
      clock.aheadMs = 62 * DAY_MS;
      await sweepTwice();
      expect(await Promise.all([quoted, ordered].map(({ key }) => stored(key)))).toEqual([false, true]);
    });

    it('a file that cannot be removed does not hold up the others', async () => {
      const [kept, unused] = [await declareArtwork(trader.trade), await declareArtwork(trader.trade)];
      for (const { uploadUrl } of [kept, unused]) await sendArtwork(uploadUrl);
      const file = fileOf(kept.key, BYTES);
      await rm(file);
      await mkdir(file); // a folder is not removed
      try {
        clock.aheadMs = 31 * DAY_MS;
        await sweep();
        clock.aheadMs += 2 * HOUR_MS;
        await sweepArtwork(service.deps, NEVER_ABORTED);
        expect(await Promise.all([kept, unused].map(({ key }) => hasUpload(key)))).toEqual([true, false]);
        expect(service.logLines.filter((line) => line.includes('could not be removed'))).toEqual([expect.stringContaining(kept.key)]);
        const retiredAt = await service.deps.database.value<Date>('SELECT retired_at FROM uploads WHERE storage_key = $1', [kept.key]);
        expect(Math.abs(retiredAt.getTime() - clock.now().getTime())).toBeLessThan(HOUR_MS); // behind the others
        const later = await declareArtwork(trader.trade);
        clock.aheadMs += 2 * DAY_MS;
        await sweepArtwork(service.deps, NEVER_ABORTED); // only the first is left to remove, and it fails again
        clock.aheadMs += 2 * HOUR_MS;
        await sweepArtwork(service.deps, NEVER_ABORTED);
        expect(await Promise.all([kept, later].map(({ key }) => hasUpload(key)))).toEqual([true, false]);
      } finally {
        await rm(file, { recursive: true });
      }
    });

    it.each([9, 10])('a run that can remove none of %i files fails only if they are many, after its other steps', async (count) => {
      service.logLines.length = 0;
      const stuck = await Promise.all(Array.from({ length: count }, () => declareArtwork(trader.trade)));
      for (const { uploadUrl } of stuck) await sendArtwork(uploadUrl);
      const files = stuck.map(({ key }) => fileOf(key, BYTES));
      for (const file of files) await rm(file).then(() => mkdir(file));
      try {
        clock.aheadMs = 31 * DAY_MS;
        await sweep();
        const later = await declareArtwork(trader.trade);
        clock.aheadMs += 2 * DAY_MS;
        const run = sweepArtwork(service.deps, NEVER_ABORTED);
        if (count < 10) expect(await run).toMatchObject({ removed: 0, retired: 1 });
        else await expect(run).rejects.toThrow();
        expect(service.logLines.filter((line) => line.includes('could not be removed'))).toEqual([
          expect.stringContaining(`"files":${count}`),
        ]);
        expect(
          await service.deps.database.rows('SELECT 1 FROM uploads WHERE storage_key = $1 AND retired_at IS NOT NULL', [later.key]),
        ).toHaveLength(1);
      } finally {
        for (const file of files) await rm(file, { recursive: true });
      }
    });

    it('a quote keeps its artwork if it is stored while the artwork is being removed', async () => {
      const { key, url, uploadUrl } = await declareArtwork(trader.trade);
      await sendArtwork(uploadUrl);
      const quoteId = await createQuote(trader.trade, url);
      const quote = await service.deps.database.row<QuoteRow>('SELECT * FROM quotes WHERE id = $1', [quoteId]);
      if (quote === null) throw new Error('the quote is stored');
      clock.aheadMs = 32 * DAY_MS;
      await sweep();
      expectRefusal(
        await trader.trade.post('/quotes', {
          items: [aLine(url)],
          shippingAddress: quote.shipping_address,
          shippingMethodId: quote.shipping_method,
        }),
        400,
        'ARTWORK_NOT_ALLOWED',
        { line: 0, path: 'items.0.imageUrl' },
      );
      await insertQuote(service.deps.database, {
        ...quote,
        id: `${quoteId}0`,
        created_at: clock.now(),
        expires_at: new Date(clock.now().getTime() + DAY_MS),
      });
      clock.aheadMs += 2 * HOUR_MS;
      await sweep();
      expect([await hasUpload(key), await stored(key)]).toEqual([true, true]);
      expect((await placeOrder(trader.trade, `${quoteId}0`)).status).toBe(201);
    });

    it('bytes without an upload are deleted after thirty days, also after a crash', async () => {
      const [unknown, kept] = [await declareArtwork(trader.trade), await declareArtwork(trader.trade)];
      for (const { uploadUrl } of [unknown, kept]) await sendArtwork(uploadUrl);
      await service.deps.database.run('DELETE FROM uploads WHERE storage_key = $1', [unknown.key]);
      await copyFile(fileOf(unknown.key, BYTES), fileOf(unknown.key, OTHER_BYTES)); // as after a crash before a second arrival
      const files = async () =>
        (await readdir(path.dirname(path.join(artworkDir(service.deps.config), unknown.key)))).filter((name) =>
          name.startsWith(uploadIdOf(unknown.key)),
        ).length;
      clock.aheadMs = DAY_MS;
      await sweep();
      expect(await files()).toBe(2);
      clock.aheadMs = 30 * DAY_MS + HOUR_MS;
      await placeOrderOf(trader.trade, kept.url);
      await sweep();
      expect(await files()).toBe(0);
      expect(await stored(kept.key)).toBe(true);
    });

    it('a sweep completes an earlier one that ended between bytes and row', async () => {
      const { key, uploadUrl } = await declareArtwork(trader.trade);
      await sendArtwork(uploadUrl);
      clock.aheadMs = 31 * DAY_MS;
      await sweep();
      await service.deps.storage.remove(key); // the worker dies here
      expect(await hasUpload(key)).toBe(true);
      clock.aheadMs += 2 * HOUR_MS;
      await sweep();
      expect(await hasUpload(key)).toBe(false);
    });

    it("runs in Temporal's scheduled sweep", async () => {
      const { key } = await declareArtwork(trader.trade);
      clock.aheadMs = 2 * DAY_MS;
      await sweepOnce(service.deps);
      clock.aheadMs += 2 * HOUR_MS;
      await sweepOnce(service.deps);
      expect(await hasUpload(key)).toBe(false);
    });

    it('an incomplete comparison is repeated', async () => {
      const { orderId } = await orderWithoutBytes(trader.trade);
      await requestComparison(service.deps.database, orderId); // production starts, and the worker dies here
      await compareOverdue(service.deps, NEVER_ABORTED);
      expect(await readAttention(service, orderId)).toEqual(['ARTWORK_MISSING']);
    });
  });
});
