import { formatLine } from '../../../src/domain/line-quantities';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { request } from 'undici';
import { requestInspection } from '../../../src/db/repositories/inspections';
import { readStoredMetrics } from '../../../src/db/repositories/metrics';
import { DECODER_VERSION } from '../../../src/domain/inspection';
import { erase } from '../../../src/orders/erase';
import { aLine, anOrder, declareArtwork } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { aHeic, aPicture, aPngThatClaims, aTiffWithPages } from '../../support/pictures';
import { useFixture, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { anotherKey, aTrader, expectRefusal } from '../http/support';
import { findAuditEntries } from '../http/studio/support';
import { inspectUploadedBytes } from './support';

const NO_PICTURE = Buffer.from('no picture at all');

describe('the inspection of artwork (ruling 60)', () => {
  const service = useService(() => ({ inspector: true, env: { RATE_LIMIT_FACTOR: '50' } }));
  const trader = useFixture(() => aTrader(service));
  let live: HttpClient;
  beforeAll(async () => {
    live = await anotherKey(service, trader.accountId, { environment: 'live' });
  });

  const declareUpload = async (bytes: Buffer) =>
    (await live.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: bytes.length })).json.data;
  async function send(uploadUrl: string, bytes: Buffer): Promise<void> {
    const { statusCode, body } = await request(uploadUrl, { method: 'PUT', body: bytes, headers: { 'content-type': 'image/jpeg' } });
    await body.dump();
    expect(statusCode).toBe(200);
  }
  async function uploadBytes(bytes: Buffer): Promise<{ url: string; uploadId: string; key: string; uploadUrl: string }> {
    const target = await declareUpload(bytes);
    await send(target.uploadUrl, bytes);
    return target;
  }
  const readInspection = async (uploadId: string) => (await live.get(`/uploads/${uploadId}`)).json.data.inspection;
  const untilInspected = (uploadId: string) => waitFor(`a look at ${uploadId}`, () => readInspection(uploadId));
  const untilAssessed = (orderId: string) =>
    waitFor(`judgement of ${orderId}`, async () => {
      const left = await service.deps.database.rows(
        'SELECT 1 FROM order_artwork a JOIN uploads u ON u.id = a.upload_id WHERE a.order_id = $1 AND (a.recorded_inspection_at IS NULL OR u.inspect_at IS NOT NULL)',
        [orderId],
      );
      return left.length === 0;
    });
  const placeOrder = async (...items: object[]): Promise<string> => (await anOrder(live, { items })).orderId;
  const readAsStudio = async (orderId: string) => (await service.studio().get(`/orders/${orderId}`)).json.data;
  const requestPreview = (orderId: string, query = '') =>
    request(`${service.studio().baseUrl}/orders/${orderId}/lines/0/preview${query}`, {
      headers: { authorization: `Bearer ${service.adminToken}` },
    });
  const readPreview = async (orderId: string, query = '') => {
    const { statusCode, body } = await requestPreview(orderId, query);
    expect(statusCode).toBe(200);
    return Buffer.from(await body.arrayBuffer());
  };
  const openFindings = async (orderId: string, code: string): Promise<string[]> =>
    (await readAsStudio(orderId)).attention.filter((open: any) => open.code === code).map(({ message }: any) => message);
  const lineOfSize = (url: string, artworkWidthMm: string, artworkHeightMm: string) =>
    aLine(url, { variantSelections: { artworkWidthMm, artworkHeightMm, mediaId: 'media-cotton-rag-310' } });
  const listPreviews = async () => (await readdir(path.join(service.deps.config.dataDir, 'artwork', 'previews', trader.accountId))).sort();

  it('shows the floor picture type, resolution of each line and a preview, without attention', async () => {
    const { url, uploadId, key } = await uploadBytes(
      await aPicture(2400, 1800).jpeg({ quality: 60 }).withMetadata({ orientation: 6 }).toBuffer(),
    );
    const seen = await untilInspected(uploadId);
    expect(seen).toEqual({
      state: 'ok',
      reason: null,
      mediaType: 'image/jpeg',
      widthPx: 1800,
      heightPx: 2400,
      orientation: 6,
      colourSpace: 'srgb',
      hasProfile: true,
      hasAlpha: false,
      pages: 1,
      extraChannels: 0,
      decoderVersion: DECODER_VERSION,
      inspectedAt: expect.stringMatching(/Z$/),
    });
    const orderId = await placeOrder(lineOfSize(url, '300', '400'), lineOfSize(url, '200', '150'));
    await untilAssessed(orderId);
    const { job, attention } = await readAsStudio(orderId);
    expect(job.lines.map((line: any) => line.inspection)).toEqual([
      { ...seen, effectiveDpi: 152, shapeDifferencePercent: 0, warnings: [], notes: [] },
      { ...seen, effectiveDpi: 304, shapeDifferencePercent: 0, warnings: [], notes: [] },
    ]);
    expect(attention).toEqual([]);

    const preview = await requestPreview(orderId);
    expect(preview.statusCode).toBe(200);
    expect(preview.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'service-request-id': expect.any(String),
    });
    const picture = await sharp(Buffer.from(await preview.body.arrayBuffer())).metadata();
    expect([picture.format, picture.width, picture.height]).toEqual(['webp', 1200, 1600]);
    const small = await sharp(await readPreview(orderId, '?size=small')).metadata();
    expect([small.format, small.width, small.height]).toEqual(['webp', 240, 320]);
    const { storage } = service.deps;
    await storage.writePreview(key, 'large', Buffer.from('large'));
    for (const query of ['', '?size=large']) expect((await readPreview(orderId, query)).toString()).toBe('large');
    const unknown = await service.studio().get(`/orders/${orderId}/lines/0/preview?size=tiny`);
    expect([unknown.status, unknown.json.error?.message]).toEqual([400, expect.stringMatching(/^query\.size: /)]);
    for (const [line, reason] of [
      ['2', /the order has 2 lines; there is no line 2 \(the 3rd\)/],
      ['01', /the first line of an order is line 0 \(the 1st\)/],
      ['one', /the first line of an order is line 0 \(the 1st\)/],
    ] as const) {
      const reply = await service.studio().get(`/orders/${orderId}/lines/${line}/preview`);
      expectRefusal(reply, 404, 'NOT_FOUND');
      expect(reply.json.error?.message).toMatch(reason);
    }
  });

  it('too few pixels and other formats raise attention, HEIC does not, and the inspector goes on after each', async () => {
    const uploads = await Promise.all([
      aPicture(600, 800).png().toBuffer().then(uploadBytes),
      uploadBytes(NO_PICTURE),
      aPngThatClaims(40_000, 40_000).then(uploadBytes),
      uploadBytes(aHeic(4032, 3024)),
      uploadBytes(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
      aPicture(1800, 2400)
        .jpeg()
        .toBuffer()
        .then((bytes) => uploadBytes(bytes.subarray(0, bytes.length / 2))),
    ]);
    const [, text, bomb, , svg, half] = uploads.map(({ uploadId }) => uploadId);
    const orderId = await placeOrder(...uploads.map(({ url }) => aLine(url)));
    await untilAssessed(orderId);

    const { attention, job } = await readAsStudio(orderId);
    const raised = attention.map(({ code, message }: { code: string; message: string }) => `${code} ${message}`).sort();
    expect(raised).toHaveLength(5);
    expect(raised[0]).toBe(
      'ARTWORK_LOW_RESOLUTION line 0 (the 1st): the picture has 600 × 800 pixels; at 300 × 400 mm that is 50 dpi, below the minimum of 150; send a picture of at least 1772 × 2363 pixels, or order a print of at most 101 × 135 mm',
    );
    for (const [line, id] of [
      [1, text],
      [2, bomb],
      [4, svg],
      [5, half],
    ] as const)
      expect(raised.join('\n')).toContain(`ARTWORK_UNREADABLE ${formatLine(line)}: the artwork ${id} cannot be printed`);
    expect(job.lines.map((line: any) => [line.inspection.state, line.inspection.effectiveDpi])).toEqual([
      ['ok', 50],
      ['unreadable', null],
      ['unreadable', expect.any(Number)],
      ['no_preview', 256],
      ['unreadable', null],
      ['unreadable', expect.any(Number)],
    ]);
    const refused = await service.studio().get(`/orders/${orderId}/lines/3/preview`);
    expectRefusal(refused, 404, 'NOT_FOUND');
    expect(refused.json.error?.message).toBe(
      'There is no preview of line 3 (the 4th): HEIC: no preview here, because decoding it fails here; the studio opens the file.',
    );

    const { issues } = (await live.get(`/orders/${orderId}`)).json.data;
    expect(issues.map(({ code, line }: any) => [code, line])).toEqual([
      ['ARTWORK_LOW_RESOLUTION', 0],
      ...[1, 2, 4, 5].map((line) => ['ARTWORK_UNREADABLE', line]),
    ]);
    expect(issues[0].message).toMatch(/^line 0 .*or order a print of at most 101 × 135 mm$/);

    const better = await uploadBytes(await aPicture(1800, 2400).jpeg({ quality: 60 }).toBuffer());
    const worse = await uploadBytes(await aPicture(300, 400).png().toBuffer());
    const readFindings = async () =>
      (await live.get(`/orders/${orderId}`)).json.data.issues
        .filter(({ line }: any) => line < 2)
        .map(({ code, line }: any) => [code, line]);
    expect((await live.post(`/orders/${orderId}/lines/0/artwork`, { imageUrl: better.url })).status).toBe(200);
    expect((await live.post(`/orders/${orderId}/lines/1/artwork`, { imageUrl: worse.url })).status).toBe(200);
    await untilAssessed(orderId);
    expect(await readFindings()).toEqual([['ARTWORK_LOW_RESOLUTION', 1]]);

    // Cleared attention is not raised again when the upload is ordered again, but the new order gets it.
    await service.deps.database.run(`UPDATE order_attention SET cleared_at = now(), cleared_by = 'somebody' WHERE order_id = $1`, [
      orderId,
    ]);
    const again = await placeOrder(aLine(uploads[1]?.url ?? ''));
    await untilAssessed(again);
    expect((await readAsStudio(again)).attention.map(({ code }: any) => code)).toEqual(['ARTWORK_UNREADABLE']);
    expect((await readAsStudio(orderId)).attention).toEqual([]);
    const good = await uploadBytes(await aPicture(40, 30).webp().toBuffer());
    expect(await untilInspected(good.uploadId)).toMatchObject({ state: 'ok' });
  });

  it('several pages raise attention for the studio only, until the artwork is replaced', async () => {
    const pages = aTiffWithPages([300, 400], [1800, 2400], [300, 400]);
    const { url, uploadId } = await uploadBytes(pages);
    const orderId = await placeOrder(aLine(url), aLine(url));
    await untilAssessed(orderId);
    const [pagesFound] = await openFindings(orderId, 'ARTWORK_SEVERAL_PAGES');
    expect(pagesFound).toBe(
      `line 0 (the 1st), line 1 (the 2nd): the artwork ${uploadId} has 3 pages; the largest one is taken as the picture`,
    );
    expect(await readInspection(uploadId)).toMatchObject({ pages: 3 });
    expect((await readAsStudio(orderId)).job.lines[1].inspection.notes).toContain('3 pages, the largest one is the picture');
    expect((await live.get(`/orders/${orderId}`)).json.data.issues.map(({ code }: any) => code)).not.toContain('ARTWORK_SEVERAL_PAGES');

    // The attention is also for a picture without a preview, and not for a file that cannot be printed.
    await service.deps.database.run(
      `UPDATE artwork_inspections SET state = 'no_preview', reason = 'TIFF with ZSTD compression', inspected_at = now() WHERE upload_id = $1`,
      [uploadId],
    );
    const noPreview = await placeOrder(aLine(url));
    await untilAssessed(noPreview);
    expect(await openFindings(noPreview, 'ARTWORK_SEVERAL_PAGES')).toHaveLength(1);
    await service.deps.database.run(`UPDATE artwork_inspections SET state = 'unreadable', inspected_at = now() WHERE upload_id = $1`, [
      uploadId,
    ]);
    const unreadable = await placeOrder(aLine(url));
    await untilAssessed(unreadable);
    expect((await readAsStudio(unreadable)).attention.map(({ code }: any) => code)).toEqual(['ARTWORK_UNREADABLE']);

    const single = await uploadBytes(await aPicture(1800, 2400).jpeg({ quality: 60 }).toBuffer());
    expect((await live.post(`/orders/${noPreview}/lines/0/artwork`, { imageUrl: single.url })).status).toBe(200);
    expect(await openFindings(noPreview, 'ARTWORK_SEVERAL_PAGES')).toEqual([]);
  });

  it('the content counts: another type than declared is no issue, and the studio sees both types', async () => {
    const png = await aPicture(1800, 2400).png().toBuffer();
    const declared = { filename: 'dunes.tif', contentType: 'image/jpeg', sizeBytes: png.length };
    const { url, uploadId, uploadUrl } = (await live.post('/uploads', declared)).json.data;
    await send(uploadUrl, png);
    const orderId = await placeOrder(aLine(url));
    await untilAssessed(orderId);
    const upload = (await live.get(`/uploads/${uploadId}`)).json.data;
    expect(upload).toMatchObject({
      filename: 'dunes.tif',
      contentType: 'image/jpeg',
      inspection: { state: 'ok', reason: null, mediaType: 'image/png' },
    });
    expect((await live.get(`/orders/${orderId}`)).json.data.issues).toEqual([]);
    const { attention, job } = await readAsStudio(orderId);
    expect(attention).toEqual([]);
    expect(job.lines[0]).toMatchObject({
      artworkContentType: 'image/jpeg',
      inspection: { mediaType: 'image/png', notes: ['Sent as image/jpeg, contains image/png'] },
    });
    expect((await readPreview(orderId)).length).toBeGreaterThan(0);
  });

  it('inspects bytes that arrive after the order, and replaced bytes again', async () => {
    const bytes = await aPicture(1800, 2400).jpeg().toBuffer();
    const late = await declareUpload(bytes);
    const orderId = await placeOrder(aLine(late.url));
    expect((await readAsStudio(orderId)).job.lines[0].inspection).toBeNull();
    const early = await service.studio().get(`/orders/${orderId}/lines/0/preview`);
    expect(early.json.error?.message).toMatch(/has not been inspected yet/);
    await send(late.uploadUrl, bytes);
    await untilAssessed(orderId);
    expect((await readAsStudio(orderId)).job.lines[0].inspection).toMatchObject({ state: 'ok', effectiveDpi: 152 });

    const first = Buffer.alloc(bytes.length, 7);
    const replaced = await uploadBytes(first);
    await untilInspected(replaced.uploadId);
    expect(await readInspection(replaced.uploadId)).toMatchObject({ state: 'unreadable' });
    await send(replaced.uploadUrl, bytes);
    const seen = await waitFor('the inspection of the replacement', async () => {
      const found = await readInspection(replaced.uploadId);
      return found?.state === 'ok' ? found : null;
    });
    expect(seen).toMatchObject({ widthPx: 1800, heightPx: 2400 });
  });

  it('a later inspection clears the attention of an earlier one', async () => {
    const { url, uploadId } = await uploadBytes(NO_PICTURE);
    const orderId = await placeOrder(aLine(url));
    await untilAssessed(orderId);
    expect((await readAsStudio(orderId)).attention).toHaveLength(1);
    // As if the key had other bytes, which an S3-compatible store does not report.
    await service.deps.database.run(
      `UPDATE artwork_inspections SET state = 'ok', reason = NULL, width_px = 3000, height_px = 4000, inspected_at = now() WHERE upload_id = $1`,
      [uploadId],
    );
    await service.deps.database.run('UPDATE uploads SET inspect_at = clock_timestamp() WHERE id = $1', [uploadId]);
    await waitFor('the end of the attention', async () => (await readAsStudio(orderId)).attention.length === 0);
  });

  /** As an earlier decoder left it, without a preview. */
  const storeOldResult = async (uploadId: string, key: string, version: number) => {
    await service.deps.storage.removePreview(key);
    await service.deps.database.run(
      `UPDATE artwork_inspections SET state = 'no_preview', reason = 'an old reason', decoder_version = $2, inspected_at = now() WHERE upload_id = $1`,
      [uploadId, version],
    );
  };
  const inspectAgain = (orderId: string, line: number) => service.studio().send('POST', `/orders/${orderId}/lines/${line}/inspect`);

  it('a result of another decoder is made again when an order uses the picture', async () => {
    const { url, uploadId, key } = await uploadBytes(await aPicture(1800, 2400).jpeg({ quality: 60 }).toBuffer());
    await untilInspected(uploadId);
    await storeOldResult(uploadId, key, DECODER_VERSION - 1);
    const orderId = await placeOrder(aLine(url));
    await untilAssessed(orderId);
    expect(await readInspection(uploadId)).toMatchObject({ state: 'ok', reason: null, decoderVersion: DECODER_VERSION });
    expect((await readPreview(orderId)).length).toBeGreaterThan(0);
  });

  it('the office has artwork inspected again; repeating that changes nothing, and the audit log has it once', async () => {
    const { url, uploadId, key } = await uploadBytes(await aPicture(1800, 2400).jpeg({ quality: 60 }).toBuffer());
    const late = await declareUpload(NO_PICTURE);
    const orderId = await placeOrder(aLine(url), aLine(late.url));
    const untilDone = () =>
      waitFor('the end of the inspection', async () => {
        const due = await service.deps.database.value('SELECT inspect_at FROM uploads WHERE id = $1', [uploadId]);
        return due === null && (await readInspection(uploadId))?.state === 'ok';
      });
    await untilDone();
    await storeOldResult(uploadId, key, DECODER_VERSION);
    const asked = await service.deps.database.transaction(async (sql) => {
      // The inspector skips the locked upload, so both requests are made before it starts.
      await sql.run(`UPDATE uploads SET inspect_at = NULL WHERE id = $1`, [uploadId]);
      return [await requestInspection(sql, uploadId), await requestInspection(sql, uploadId)];
    });
    expect(asked).toEqual([true, false]);
    await untilDone();

    await storeOldResult(uploadId, key, DECODER_VERSION);
    const reply = await inspectAgain(orderId, 0);
    expect([reply.status, reply.json.data.job.lines[0].inspection]).toEqual([
      200,
      expect.objectContaining({ state: 'no_preview', reason: 'an old reason', decoderVersion: 0 }),
    ]);
    await untilDone();
    expect((await readAsStudio(orderId)).job.lines[0].inspection).toMatchObject({ decoderVersion: DECODER_VERSION });
    expect((await readPreview(orderId)).length).toBeGreaterThan(0);
    expect((await findAuditEntries(service, orderId)).filter(({ action }) => action === 'artwork.inspect')).toMatchObject([
      { before: { state: 'no_preview', reason: 'an old reason' }, after: { line: 0, uploadId } },
    ]);

    for (const [line, reason] of [
      [1, 'The artwork of line 1 (the 2nd) is not in the store. It is inspected on arrival.'],
      [2, 'the order has 2 lines; there is no line 2 (the 3rd)'],
    ] as const) {
      const refused = await inspectAgain(orderId, line);
      expectRefusal(refused, 404, 'NOT_FOUND');
      expect(refused.json.error?.message).toBe(reason);
    }
  });

  it('an inspection raises a problem again that a person has resolved only if it has changed', async () => {
    const { url, uploadId } = await uploadBytes(await aPicture(600, 800).png().toBuffer());
    const orderId = await placeOrder(aLine(url));
    await untilAssessed(orderId);
    const resolved = await service
      .studio()
      .post(`/orders/${orderId}/attention/ARTWORK_LOW_RESOLUTION/resolve`, { note: 'intended, says the client' });
    expect(resolved.json.data.attention).toEqual([]);
    const assessAgain = async (set: string) => {
      await service.deps.database.run(`UPDATE artwork_inspections SET ${set}, inspected_at = now() WHERE upload_id = $1`, [uploadId]);
      await service.deps.database.run('UPDATE order_artwork SET recorded_inspection_at = NULL WHERE upload_id = $1', [uploadId]);
      await service.deps.database.run('UPDATE uploads SET inspect_at = clock_timestamp() WHERE id = $1', [uploadId]);
      await untilAssessed(orderId);
      return openFindings(orderId, 'ARTWORK_LOW_RESOLUTION');
    };
    expect(await assessAgain('width_px = 600')).toEqual([]);
    expect(await assessAgain('width_px = 500')).toEqual([expect.stringContaining('500 × 800 pixels')]);
    expect(await assessAgain('width_px = 400')).toEqual([expect.stringContaining('400 × 800 pixels')]);
  });

  it('previews are deleted with their artwork, by an erasure and by the sweep', async () => {
    const bytes = await aPicture(1800, 2400).jpeg().toBuffer();
    const [kept, unused] = [await uploadBytes(bytes), await uploadBytes(await aPicture(50, 40).png().toBuffer())];
    await Promise.all([untilInspected(kept.uploadId), untilInspected(unused.uploadId)]);
    const orderId = await placeOrder(aLine(kept.url));
    await untilAssessed(orderId);
    const previewsOf = async ({ uploadId }: { uploadId: string }) => (await listPreviews()).filter((name) => name.startsWith(uploadId));
    for (const { key, uploadId } of [kept, unused]) {
      await service.deps.storage.writePreview(key, 'small', Buffer.from('small'));
      expect(await previewsOf({ uploadId })).toEqual([`${uploadId}.320.webp`, `${uploadId}.webp`]);
    }

    await service.deps.storage.remove(unused.key); // as the sweep does
    expect(await previewsOf(unused)).toEqual([]);
    await live.post(`/orders/${orderId}/cancel`);
    const now = new Date();
    await erase(service.deps, { accountId: trader.accountId, before: new Date(now.getTime() + 60_000), now });
    expect(await previewsOf(kept)).toEqual([]);
    const gone = await service.studio().get(`/orders/${orderId}/lines/0/preview`);
    expect(gone.json.error?.message).toBe('There is no preview of line 0 (the 1st): it has no artwork.');
    const refused = await inspectAgain(orderId, 0);
    expectRefusal(refused, 404, 'NOT_FOUND');
    expect(refused.json.error?.message).toBe('line 0 (the 1st) has no artwork.');
  });

  it.each<[string, (key: string, uploadId: string) => Promise<unknown>]>([
    ['erased', (_key, uploadId) => eraseUpload(uploadId)],
    ['retired', (_key, uploadId) => service.deps.database.run('UPDATE uploads SET retired_at = now() WHERE id = $1', [uploadId])],
    [
      'swept',
      async (key, uploadId) => {
        await service.deps.storage.remove(key);
        await service.deps.database.run('DELETE FROM uploads WHERE id = $1', [uploadId]);
      },
    ],
  ])('artwork that is %s during its inspection leaves no preview', async (_how, giveUp) => {
    const { uploadId, key } = await uploadBytes(await aPicture(60, 40).png().toBuffer());
    await untilInspected(uploadId);
    await service.deps.database.run('DELETE FROM artwork_inspections WHERE upload_id = $1', [uploadId]); // to inspect it again
    expect(await inspectUploadedBytes(service, uploadId, () => giveUp(key, uploadId))).toBe('gone');
    expect(await listPreviews()).not.toContain(`${uploadId}.webp`);
  });

  /** As if only an erased order had used it. */
  async function eraseUpload(uploadId: string): Promise<void> {
    const now = new Date();
    await service.deps.database.run('UPDATE uploads SET erasure_started_at = $2 WHERE id = $1', [uploadId, now]);
    await erase(service.deps, { accountId: trader.accountId, before: new Date(0), now });
  }

  it('/readyz reports whether an inspector is running, and names overdue inspections', async () => {
    const readPart = async (part: 'inspector' | 'inspections'): Promise<string> => {
      const reply = await request(`http://127.0.0.1:${service.api.studioPort}/readyz`);
      return ((await reply.body.json()) as any).data.checks[part];
    };
    expect([await readPart('inspector'), await readPart('inspections')]).toEqual(['ok', 'ok']);
    const { uploadId } = await uploadBytes(await aPicture(60, 40).png().toBuffer());
    await untilInspected(uploadId);
    // As if another process had claimed it.
    await service.deps.database.run(
      `UPDATE uploads SET inspect_at = '2026-03-02T01:00:00Z', inspection_claimed_until = now() + interval '1 hour' WHERE id = $1`,
      [uploadId],
    );
    const report = await waitFor('the report', async () => ((await readPart('inspections')) === 'ok' ? null : readPart('inspections')));
    expect(report).toBe('1 inspection is overdue, the oldest since 2026-03-02T01:00:00.000Z; read the log of the inspector');
    const { oldestSeconds } = (await readStoredMetrics(service.deps.database)).inspections;
    expect(oldestSeconds).toBeGreaterThan(600);
    await service.deps.database.run('UPDATE uploads SET retired_at = now() WHERE id = $1', [uploadId]);
    await waitFor('the end of the report', async () => (await readPart('inspections')) === 'ok');
  });

  it('an upload without bytes is not inspected', async () => {
    const { uploadId } = await declareArtwork(live);
    expect(await readInspection(uploadId)).toBeNull();
  });
});
