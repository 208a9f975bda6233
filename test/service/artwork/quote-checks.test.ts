import sharp from 'sharp';
import { request } from 'undici';
import { aLine, anAddress, declareArtwork } from '../../support/baskets';
import { aPicture, aTiffWithPages } from '../../support/pictures';
import { useFixture, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { anIdempotencyKeyHeader, placeOrder } from '../../support/baskets';
import { aTrader } from '../http/support';

describe('artwork checks on quotes, prices and orders (ruling 96)', () => {
  const service = useService(() => ({ inspector: true, env: { RATE_LIMIT_FACTOR: '50' } }));
  const trader = useFixture(() => aTrader(service));
  const trade = () => trader.trade;

  async function declare(bytes: Buffer, contentType = 'image/jpeg') {
    return (await trade().post('/uploads', { filename: 'dunes.jpg', contentType, sizeBytes: bytes.length })).json.data;
  }
  async function send(uploadUrl: string, bytes: Buffer, contentType = 'image/jpeg'): Promise<void> {
    const { statusCode, body } = await request(uploadUrl, { method: 'PUT', body: bytes, headers: { 'content-type': contentType } });
    await body.dump();
    expect(statusCode).toBe(200);
  }
  const untilInspected = (uploadId: string) =>
    waitFor(`the inspection of ${uploadId}`, async () => (await trade().get(`/uploads/${uploadId}`)).json.data.inspection);
  async function upload(bytes: Buffer, contentType?: string): Promise<string> {
    const target = await declare(bytes, contentType);
    await send(target.uploadUrl, bytes, contentType);
    await untilInspected(target.uploadId);
    return target.url;
  }
  const lineOf = (url: string, width: number, height: number) =>
    aLine(url, { variantSelections: { artworkWidthMm: String(width), artworkHeightMm: String(height), mediaId: 'media-cotton-rag-310' } });
  const quote = async (...items: object[]) =>
    (await trade().post('/quotes', { items, shippingMethodId: 'standard-parcel', shippingAddress: anAddress() })).json.data;
  const checksOf = (of: { lines: { artworkChecks: unknown }[] }) => of.lines.map(({ artworkChecks }) => artworkChecks);

  it('a quote has the checks of each line, and a new read has those of now', async () => {
    const bytes = await aPicture(1800, 1200).withIccProfile('srgb').jpeg({ quality: 60 }).toBuffer();
    const late = await declare(bytes);
    const fitting = await upload(await aPicture(1800, 2400).withIccProfile('srgb').jpeg({ quality: 60 }).toBuffer());
    const made = await quote(lineOf(fitting, 300, 400), lineOf(late.url, 300, 300), lineOf(fitting, 1000, 1000));
    const pending = { state: 'pending', widthPx: null, heightPx: null, effectiveDpi: null, shapeDifferencePercent: null, warnings: [] };
    const known = { state: 'ok', widthPx: 1800, heightPx: 2400 };
    const [first, third] = [
      { ...known, effectiveDpi: 152, shapeDifferencePercent: 0, warnings: [] },
      { ...known, effectiveDpi: 45, shapeDifferencePercent: 33.3, warnings: ['ARTWORK_LOW_RESOLUTION', 'ARTWORK_SHAPE_DIFFERS'] },
    ];
    expect(checksOf(made)).toEqual([first, pending, third]);
    await send(late.uploadUrl, bytes);
    await untilInspected(late.uploadId);
    const second = {
      state: 'ok',
      widthPx: 1800,
      heightPx: 1200,
      effectiveDpi: 101,
      shapeDifferencePercent: 50,
      warnings: ['ARTWORK_LOW_RESOLUTION', 'ARTWORK_SHAPE_DIFFERS'],
    };
    const read = (await trade().get(`/quotes/${made.quoteId}`)).json.data;
    expect(checksOf(read)).toEqual([first, second, third]);
    expect({ ...read, lines: null }).toEqual({ ...made, lines: null });
    const key = anIdempotencyKeyHeader();
    const placed = await placeOrder(trade(), made.quoteId, key);
    expect(placed.status).toBe(201);
    const { orderId } = placed.json.data;
    expect(checksOf((await trade().get(`/orders/${orderId}/details`)).json.data)).toEqual([first, second, third]);
    const { lines } = (await service.studio().get(`/orders/${orderId}`)).json.data.job;
    expect(lines.map(({ inspection }: any) => inspection)).toMatchObject([first, second, third]);
  });

  it('warns of a missing profile and of several pages, and never refuses', async () => {
    const plain = await upload(await aPicture(1800, 1800).jpeg({ quality: 60 }).toBuffer());
    const pages = await upload(aTiffWithPages([1800, 1800], [600, 600]), 'image/tiff');
    const damaged = await upload(Buffer.from('no picture at all'));
    const made = await quote(...[plain, pages, damaged].map((url) => lineOf(url, 300, 300)));
    expect(checksOf(made)).toMatchObject([
      { state: 'ok', effectiveDpi: 152, warnings: ['ARTWORK_NO_PROFILE'] },
      { state: 'ok', warnings: expect.arrayContaining(['ARTWORK_SEVERAL_PAGES']) },
      { state: 'unreadable', warnings: [] },
    ]);
    expect((await placeOrder(trade(), made.quoteId)).status).toBe(201);
  });

  it('POST /prices has them where imageUrl is sent, and the price is the same', async () => {
    const url = await upload(await aPicture(1800, 1200).withIccProfile('srgb').jpeg({ quality: 60 }).toBuffer());
    const { imageUrl, ...without } = lineOf(url, 200, 300) as { imageUrl: string };
    const other = await declareArtwork((await aTrader(service)).trade);
    const items = [{ ...without, imageUrl }, without, { ...without, imageUrl: other.url }, { ...without, imageUrl: null }];
    const { data } = (await trade().post('/prices', { baskets: items.map((item) => ({ items: [item] })) })).json;
    const lines = data.baskets.map(({ price }: any) => price.lines[0]);
    expect(lines.map(({ artworkChecks }: any) => artworkChecks)).toEqual([
      { state: 'ok', widthPx: 1800, heightPx: 1200, effectiveDpi: 152, shapeDifferencePercent: 0, warnings: [] },
      null,
      null,
      null,
    ]);
    expect(new Set(lines.map(({ unitPriceCents }: any) => unitPriceCents)).size).toBe(1);
  });

  it('the orientation in EXIF counts', async () => {
    const bytes = await aPicture(1200, 1800).withIccProfile('srgb').withMetadata({ orientation: 6 }).jpeg({ quality: 60 }).toBuffer();
    expect((await sharp(bytes).metadata()).width).toBe(1200);
    const made = await quote(lineOf(await upload(bytes), 300, 200));
    expect(checksOf(made)).toMatchObject([{ widthPx: 1800, heightPx: 1200, shapeDifferencePercent: 0 }]);
  });
});
