import { request } from 'undici';
import { aLine, anAddress, anIdempotencyKeyHeader, placeOrder } from '../../support/baskets';
import { aPicture } from '../../support/pictures';
import { useFixture, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { anotherKey, aTrader } from '../http/support';
import { aToken, findAuditEntries, sendMilestone, validationPathsOf } from '../http/studio/support';

describe('how a picture of another shape is printed (ruling 97)', () => {
  const service = useService(() => ({ inspector: true, env: { RATE_LIMIT_FACTOR: '50' } }));
  const trader = useFixture(() => aTrader(service));
  const live = useFixture(() => anotherKey(service, trader.accountId, { environment: 'live' }));

  async function upload(width: number, height: number): Promise<string> {
    const bytes = await aPicture(width, height).withIccProfile('srgb').jpeg({ quality: 50 }).toBuffer();
    const { data } = (await live.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: bytes.length })).json;
    const { statusCode, body } = await request(data.uploadUrl, { method: 'PUT', body: bytes, headers: { 'content-type': 'image/jpeg' } });
    await body.dump();
    expect(statusCode).toBe(200);
    await waitFor('the inspection', async () => (await live.get(`/uploads/${data.uploadId}`)).json.data.inspection);
    return data.url;
  }
  const lineOf = (url: string, more: Record<string, string> = {}) =>
    aLine(url, { variantSelections: { artworkWidthMm: '200', artworkHeightMm: '250', mediaId: 'media-cotton-rag-310', ...more } });
  const createQuote = async (...items: object[]) =>
    (await live.post('/quotes', { items, shippingMethodId: 'standard-parcel', shippingAddress: anAddress() })).json.data;
  async function place(...items: object[]): Promise<string> {
    const { orderId } = (await placeOrder(live, (await createQuote(...items)).quoteId, anIdempotencyKeyHeader())).json.data;
    await waitFor('the assessment', async () => {
      const open = await service.deps.database.rows(
        'SELECT 1 FROM order_artwork a JOIN uploads u ON u.id = a.upload_id WHERE a.order_id = $1 AND (a.recorded_inspection_at IS NULL OR u.inspect_at IS NOT NULL)',
        [orderId],
      );
      return open.length === 0;
    });
    return orderId;
  }
  const read = async (orderId: string) => (await service.studio().get(`/orders/${orderId}`)).json.data;
  const shapeAttention = async (orderId: string): Promise<string[]> =>
    (await read(orderId)).attention.filter(({ code }: any) => code === 'ARTWORK_SHAPE_DIFFERS').map(({ message }: any) => message);
  const choose = (orderId: string, line: number, body: object, studio = service.studio()) =>
    studio.post(`/orders/${orderId}/lines/${line}/fit`, body);

  it('without a choice a differing shape raises attention on its line; the office chooses before printing', async () => {
    const [other, same] = [await upload(1800, 1200), await upload(1600, 2000)];
    const orderId = await place(lineOf(same), lineOf(other));
    expect(await shapeAttention(orderId)).toEqual([
      expect.stringMatching(/^line 1 \(the 2nd\): the shape of the picture differs by 20\.0 %/),
    ]);
    expect((await live.get(`/orders/${orderId}`)).json.data.issues).toEqual([]);
    const before = (await read(orderId)).job.lines.map(({ placement }: any) => placement);
    expect(before).toEqual([
      { fit: null, widthMm: 200, heightMm: 250, isTurned: false },
      { fit: null, widthMm: 200, heightMm: 250, isTurned: true },
    ]);
    const chosen = await choose(orderId, 1, { fitId: 'f-1', fit: 'fit' });
    expect(chosen.status).toBe(200);
    expect(chosen.json.data.job.lines[1].placement.fit).toBe('fit');
    expect(chosen.json.data.job.lines[1].words).toContainEqual({ label: 'Picture fit', value: 'whole picture, with white margins' });
    expect(chosen.json.data.job.lines[0].placement.fit).toBeNull();
    expect(await shapeAttention(orderId)).toEqual([]);
    expect(chosen.json.data.timeline.at(-1)).toMatchObject({
      type: 'artwork_fitted',
      outcome: 'applied',
      carried: { line: 1, fit: 'fit' },
    });
    expect((await choose(orderId, 1, { fitId: 'f-1', fit: 'fit' })).json.data.timeline).toHaveLength(chosen.json.data.timeline.length);
    const reused = await choose(orderId, 1, { fitId: 'f-1', fit: 'fill' });
    expect([reused.status, reused.json.error?.code]).toEqual([409, 'MILESTONE_ID_REUSED']);
    expect((await choose(orderId, 1, { fitId: 'f-2', fit: 'fill' })).json.data.job.lines[1].placement.fit).toBe('fill');
    const actions = (await findAuditEntries(service, orderId)).map(({ action }) => action);
    expect(actions).toEqual(['artwork.fit', 'artwork.fit']);
    expect((await service.studio().post(`/orders/${orderId}/lines/1/inspect`)).status).toBe(200);
    await waitFor('the new inspection', async () => (await read(orderId)).job.lines[1].inspection.decoderVersion !== 0);
    expect(await shapeAttention(orderId)).toEqual([]);
    await sendMilestone(service.studio(), orderId, 'printed');
    const late = await choose(orderId, 1, { fitId: 'f-3', fit: 'fit' });
    expect([late.status, late.json.error?.code]).toEqual([409, 'MILESTONE_REFUSED']);
  });

  it('the client chooses with artworkFit, which is not priced; other values are ignored', async () => {
    const url = await upload(1800, 1200);
    const fits = ['fill', 'fit', 'stretch', ''].map((artworkFit): Record<string, string> => ({ artworkFit }));
    const quotes = await Promise.all([{}, ...fits].map((more) => createQuote(lineOf(url, more))));
    expect(new Set(quotes.map(({ totalCents }) => totalCents)).size).toBe(1);
    for (const [fit, kept] of [['fill', 'fill'], ['stretch', null]] as const) {
      const orderId = await place(lineOf(url, { artworkFit: fit }));
      expect((await read(orderId)).job.lines[0].placement.fit).toBe(kept);
      expect((await shapeAttention(orderId)).length).toBe(kept === null ? 1 : 0);
      const { variantSelections } = (await live.get(`/orders/${orderId}/details`)).json.data.lines[0];
      expect(variantSelections.artworkFit ?? null).toBe(kept);
    }
  }); // prettier-ignore

  it('a remake has its own choice, and new artwork of the right shape ends the attention', async () => {
    const orderId = await place(lineOf(await upload(1800, 1200)));
    expect(await shapeAttention(orderId)).toHaveLength(1);
    await choose(orderId, 0, { fitId: 'for-the-first', fit: 'fill' });
    const other = await upload(2600, 1200);
    expect((await live.post(`/orders/${orderId}/lines/0/artwork`, { imageUrl: other })).status).toBe(200);
    await waitFor('attention for the other picture', async () => (await shapeAttention(orderId)).length === 1);
    expect((await read(orderId)).job.lines[0].placement.fit).toBeNull();
    const imageUrl = await upload(1600, 2000);
    expect((await live.post(`/orders/${orderId}/lines/0/artwork`, { imageUrl })).status).toBe(200);
    await waitFor('no attention', async () => (await shapeAttention(orderId)).length === 0);
    const shipped = await place(lineOf(await upload(1800, 1200), { artworkFit: 'fill' }));
    await sendMilestone(service.studio(), shipped, 'production_started');
    await service.studio().post(`/orders/${shipped}/parcels`, { parcelId: 'p', trackingNumber: 'T-1' });
    const remade = await service
      .studio()
      .post(`/orders/${shipped}/remakes`, { remakeId: 'r', reason: 'scratched', lines: [{ line: 0, quantity: 1 }] });
    expect(remade.status).toBe(201);
    const remakeId = remade.json.data.orderId;
    expect((await choose(remakeId, 0, { fitId: 'f', fit: 'fit' })).json.data.job.lines[0].placement.fit).toBe('fit');
    expect((await read(shipped)).job.lines[0].placement.fit).toBe('fill');
  });

  it('a choice for a picture that was replaced meanwhile is refused, and the choice of the client returns with its next picture', async () => {
    const orderId = await place(lineOf(await upload(1800, 1200), { artworkFit: 'fill' }), lineOf(await upload(1800, 1200)));
    const { uploadId } = (await read(orderId)).job.lines[0];
    const chosen = await choose(orderId, 0, { fitId: 'f-1', fit: 'fit', uploadId });
    expect(chosen.json.data.job.lines[0].placement.fit).toBe('fit');
    const imageUrl = await upload(2600, 1200);
    expect((await live.post(`/orders/${orderId}/lines/0/artwork`, { imageUrl })).status).toBe(200);
    const late = await choose(orderId, 0, { fitId: 'f-2', fit: 'fit', uploadId });
    expect([late.status, late.json.error?.code]).toEqual([409, 'MILESTONE_REFUSED']);
    const { variantSelections } = (await live.get(`/orders/${orderId}/details`)).json.data.lines[0];
    expect(variantSelections.artworkFit).toBe('fill');
    expect((await choose(orderId, 0, { fitId: 'f-1', fit: 'fit', uploadId })).status).toBe(200); // a repeat
  });

  it('a printed line does not hide the actions of the others', async () => {
    const orderId = await place(lineOf(await upload(1800, 1200)), lineOf(await upload(1800, 1200)));
    await sendMilestone(service.studio(), orderId, 'production_started');
    const isOffered = async (): Promise<boolean[]> => {
      const { actions } = (await read(orderId)) as { actions: { type: string; allowed: boolean }[] };
      return ['artwork_fitted', 'artwork_rejected'].map((type) => actions.some((action) => action.type === type && action.allowed));
    };
    await sendMilestone(service.studio(), orderId, 'printed', { milestoneId: 'p-1', lines: [0] });
    expect(await isOffered()).toEqual([true, true]);
    await sendMilestone(service.studio(), orderId, 'printed', { milestoneId: 'p-2' });
    expect(await isOffered()).toEqual([false, false]);
  });

  it('wrong requests are refused', async () => {
    const orderId = await place(lineOf(await upload(1800, 1200)));
    expect(validationPathsOf(await choose(orderId, 0, { fitId: 'f', fit: 'stretch' }))).toEqual(['fit']);
    expect(validationPathsOf(await choose(orderId, 0, { fit: 'fit' }))).toEqual(['fitId']);
    expect((await choose(orderId, 1, { fitId: 'f', fit: 'fit' })).status).toBe(404);
    expect((await choose(orderId, 0, { fitId: 'f', fit: 'fit' }, service.studio(await aToken(service, 'floor')))).status).toBe(403);
  });
});
