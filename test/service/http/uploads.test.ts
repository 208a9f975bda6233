import { request } from 'undici';
import { newId } from '../../../src/security/ids';
import { sha256 } from '../../../src/security/fingerprint';
import { declareArtwork, sendArtwork } from '../../support/baskets';
import { useService } from '../../support/fixtures';
import { aTrader, astralText, expectValidationPaths, expectRefusal, countRows, sql, type Trader } from './support';

describe('POST /uploads', () => {
  const service = useService(() => ({ worker: false }));
  let trader: Trader;
  const good: Record<string, unknown> = { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 10 };
  beforeEach(async () => {
    trader = await aTrader(service);
  });

  const send = (changes: Record<string, unknown>) => trader.trade.post('/uploads', { ...good, ...changes });

  describe('Validation', () => {
    test.each<[string, Record<string, unknown>]>([
      ['the longest filename and the largest file', { filename: astralText(1024), sizeBytes: 524_288_000 }],
      ['a filename with a path and a line break', { filename: '../../a/b\\c\r\n"d".jpg', contentType: 'image/tiff' }],
      ['the shortest filename and the smallest file', { filename: '.', contentType: 'image/heic', sizeBytes: 1 }],
    ])('stores %s unchanged', async (_title, changes) => {
      const reply = await send(changes);
      expect(reply.status).toBe(201);
      const [stored] = await sql(
        service,
        'SELECT filename, content_type AS "contentType", size_bytes AS "sizeBytes" FROM uploads WHERE account_id = $1',
        [trader.accountId],
      );
      expect(stored).toEqual({ ...good, ...changes });
      expect(reply.json.data.contentType).toBe((stored as Record<string, unknown>).contentType);
    });

    it('names every offending field at once', async () => {
      expectValidationPaths(await trader.trade.post('/uploads', {}), ['filename', 'contentType', 'sizeBytes']);
    });
  });

  describe('Success', () => {
    it('returns 201 with exactly the fields of an Upload target; the file name is not part of the object name', async () => {
      const reply = await send({ filename: 'very-telling-name.jpg' });
      expect(reply.status).toBe(201);
      expect(reply.json.data).toEqual({
        uploadUrl: expect.stringMatching(/^https?:\/\//),
        contentType: 'image/jpeg',
        url: expect.stringMatching(/^https?:\/\//),
        key: expect.any(String),
        uploadId: expect.stringMatching(/^upl_[0-9a-f]+$/),
      });
      expect(reply.text).not.toContain('very-telling-name');
      expect(reply.json.data.url).toContain(reply.json.data.key);
      expect(await countRows(service, trader.accountId)).toMatchObject({ uploads: 1 });
    });

    it('each upload gets a unique URL of at most 2000 characters', async () => {
      const urls = await Promise.all(Array.from({ length: 5 }, async () => (await send({ filename: 'x'.repeat(1024) })).json.data.url));
      expect(new Set(urls).size).toBe(5);
      for (const url of urls) expect(url.length).toBeLessThanOrEqual(2000);
    });

    it('the uploadUrl accepts exactly the declared bytes', async () => {
      const { uploadUrl, contentType } = (await send({})).json.data;
      const put = async (bytes: number) => {
        const reply = await request(uploadUrl, { method: 'PUT', body: Buffer.alloc(bytes), headers: { 'content-type': contentType } });
        await reply.body.dump();
        return reply.statusCode;
      };
      expect(await put(11)).toBeGreaterThanOrEqual(400);
      expect(await put(9)).toBeGreaterThanOrEqual(400);
      expect(await put(10)).toBe(200);
    });
  });
});

describe('GET /uploads/{id}', () => {
  const service = useService(() => ({ worker: false }));
  let trader: Trader;
  beforeAll(async () => {
    trader = await aTrader(service);
  });

  describe('Errors', () => {
    test.each(['upl_', 'upl_XY', 'ord_00', 'upl_00%00', 'x', `upl_${'0'.repeat(61)}`])('the malformed id %s is 404', async (id) => {
      expectRefusal(await trader.trade.get(`/uploads/${id}`), 404, 'NOT_FOUND');
    });

    it("an unknown upload, another account's upload and one that is being removed are 404", async () => {
      expectRefusal(await trader.trade.get(`/uploads/${newId('upl')}`), 404, 'NOT_FOUND');
      const { uploadId } = await declareArtwork(trader.trade);
      expectRefusal(await (await aTrader(service)).trade.get(`/uploads/${uploadId}`), 404, 'NOT_FOUND');
      for (const since of ['retired_at', 'erased_at']) {
        await sql(service, `UPDATE uploads SET ${since} = now() WHERE id = $1`, [uploadId]);
        expectRefusal(await trader.trade.get(`/uploads/${uploadId}`), 404, 'NOT_FOUND');
        await sql(service, `UPDATE uploads SET ${since} = NULL WHERE id = $1`, [uploadId]);
      }
      expect((await trader.trade.get(`/uploads/${uploadId}`)).status).toBe(200);
    });
  });

  describe('Success', () => {
    it('returns the declared values, and after the last byte the arrival and the properties of the bytes', async () => {
      const { uploadId, uploadUrl, url } = await declareArtwork(trader.trade);
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const before = await trader.trade.get(`/uploads/${uploadId}`);
      const declared = {
        uploadId,
        filename: 'dunes.jpg',
        contentType: 'image/jpeg',
        sizeBytes: 10,
        url,
        inspectionOverdue: false,
        createdAt: time,
        expiresAt: time,
      };
      expect(before.json).toEqual({
        data: { ...declared, received: false, receivedAt: null, checksum: null, inspection: null },
        error: null,
      });
      await sendArtwork(uploadUrl, 'abcdefghij');
      const after = await trader.trade.get(`/uploads/${uploadId}`);
      const received = { received: true, receivedAt: time, checksum: `sha256:${sha256('abcdefghij')}` };
      expect(after.json.data).toEqual({ ...before.json.data, ...received });
      await sendArtwork(uploadUrl, '0123456789');
      expect((await trader.trade.get(`/uploads/${uploadId}`)).json.data.checksum).toBe(`sha256:${sha256('0123456789')}`);
    });

    it('is the same for a key of the other environment, because they share artwork', async () => {
      const { uploadId } = await declareArtwork(trader.trade);
      const reply = await service.trade(trader.liveKey).get(`/uploads/${uploadId}`);
      expect(reply.json.data).toEqual((await trader.trade.get(`/uploads/${uploadId}`)).json.data);
    });

    it('bytes stored before a crash of the process are found in the store', async () => {
      const { uploadId, uploadUrl } = await declareArtwork(trader.trade);
      await sendArtwork(uploadUrl);
      await sql(service, 'UPDATE uploads SET received_at = NULL, checksum = NULL WHERE id = $1', [uploadId]);
      const found = (await trader.trade.get(`/uploads/${uploadId}`)).json.data;
      expect(found).toMatchObject({ received: true, checksum: `sha256:${sha256('0123456789')}` });
      expect(await sql(service, 'SELECT received_at, checksum FROM uploads WHERE id = $1', [uploadId])).toEqual([
        { received_at: new Date(found.receivedAt), checksum: found.checksum },
      ]);
    });
  });
});
