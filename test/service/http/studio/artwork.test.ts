import { readdirSync, readlinkSync } from 'node:fs';
import { request } from 'undici';
import { aKey } from '../../../support/accounts';
import { aLine, declareArtwork } from '../../../support/baskets';
import { readZip } from '../../../support/zip';
import { useSharedService } from '../../../support/fixtures';
import { expectSoon } from '../../../support/wait-for';
import { aToken, OrderFactory, sendMilestone, validationPathsOf } from './support';

describe('artwork for the printer', () => {
  const service = useSharedService();

  const tradeOf = async () => service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }));
  async function upload(body: string, contentType = 'image/tiff'): Promise<string> {
    const { json } = await (await tradeOf()).post('/uploads', { filename: 'dunes.tif', contentType, sizeBytes: body.length });
    await request(json.data.uploadUrl, { method: 'PUT', body, headers: { 'content-type': contentType } });
    return json.data.url;
  }
  async function download(target: string, role: 'floor' | null = 'floor') {
    const headers = role === null ? {} : { authorization: `Bearer ${await aToken(service, role)}` };
    const reply = await request(`http://127.0.0.1:${service.api.studioPort}/studio/v1${target}`, { headers });
    return { status: reply.statusCode, headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) };
  }
  const errorOf = async (target: string) => {
    const { status, bytes } = await download(target);
    return [status, JSON.parse(bytes.toString()).error?.message];
  };

  it('a line is downloaded under the name for the printer', async () => {
    const items = [aLine(await upload('dunes'), { quantity: 2 })];
    const { orderNumber, orderId } = await new OrderFactory(service, 'live', { items }).place();
    for (const order of [orderNumber, orderId]) {
      const { status, headers, bytes } = await download(`/orders/${order}/lines/0/artwork`);
      expect([status, headers['content-type'], headers['content-disposition'], headers['content-length'], bytes.toString()]).toEqual([
        200,
        'application/octet-stream',
        `attachment; filename="${orderNumber}_1_300x400_cotton-rag-310_x2.tif"`,
        '5',
        'dunes',
      ]);
    }
  });

  it('a request that reads no file keeps none open', async () => {
    const { orderId } = await new OrderFactory(service, 'live', { items: [aLine(await upload('dunes'))] }).place();
    const headers = { authorization: `Bearer ${await aToken(service, 'floor')}` };
    const url = `http://127.0.0.1:${service.api.studioPort}/studio/v1/orders/${orderId}/lines/0/artwork`;
    const warnings: string[] = [];
    const keep = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', keep);
    for (let asked = 0; asked < 5; asked += 1) {
      const { statusCode, body } = await request(url, { method: 'HEAD', headers });
      expect([statusCode, await body.text()]).toEqual([200, '']);
    }
    const isOfStore = (file: string): boolean => file.startsWith(service.deps.config.dataDir);
    const findOpenFiles = (): string[] => readdirSync('/proc/self/fd').map(linkOf).filter(isOfStore);
    if (process.platform === 'linux') await expectSoon(async () => findOpenFiles()).toEqual([]);
    process.off('warning', keep);
    expect(warnings.filter((message) => message.includes('garbage collection'))).toEqual([]); // it would close them late
  });

  it('an order is downloaded as ZIP with the files that have arrived', async () => {
    const missing = await declareArtwork(await tradeOf());
    const items = [aLine(await upload('dunes')), aLine(missing.url), aLine(await upload('sea', 'image/png'), { quantity: 3 })];
    const { orderId, orderNumber } = await new OrderFactory(service, 'live', { items }).place();
    const { status, headers, bytes } = await download(`/orders/${orderNumber}/artwork.zip`);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'application/zip',
      `attachment; filename="artwork-${orderNumber}.zip"`,
    ]);
    expect(readZip(bytes)).toEqual({
      [`${orderNumber}_1_300x400_cotton-rag-310_x1.tif`]: 'dunes',
      [`${orderNumber}_3_300x400_cotton-rag-310_x3.png`]: 'sea',
      [`${orderNumber}_left-out.txt`]: 'line 1 (the 2nd): the file has not arrived\r\n',
    });
    expect(await errorOf(`/orders/${orderNumber}/lines/1/artwork`)).toEqual([
      404,
      'There is no artwork of line 1 (the 2nd): the file has not arrived.',
    ]);
    await sendMilestone(service.studio(), orderId, 'artwork_rejected', { line: 0, reason: 'cut off' });
    expect(readZip((await download(`/orders/${orderNumber}/artwork.zip`)).bytes)).toEqual({
      [`${orderNumber}_3_300x400_cotton-rag-310_x3.png`]: 'sea',
      [`${orderNumber}_left-out.txt`]:
        'line 0 (the 1st): its artwork is rejected and waits for other artwork\r\nline 1 (the 2nd): the file has not arrived\r\n',
    });
    expect((await errorOf(`/orders/${orderNumber}/lines/9/artwork`))[0]).toBe(404);
    const list = await service.studio().get(`/orders/artwork?q=${orderNumber}`);
    expect(list.json.data).toEqual([
      {
        orderId: expect.stringMatching(/^ord_/),
        orderNumber,
        environment: 'live',
        accountName: expect.any(String),
        status: 'received',
        baseStatus: 'received',
        printed: false,
        dueDate: expect.any(String),
        files: [
          expect.objectContaining({ line: 0, state: 'rejected', sizeBytes: 5, checksum: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }),
          expect.objectContaining({ line: 1, state: 'missing', checksum: null }),
          expect.objectContaining({ line: 2, state: 'ready', filename: 'dunes.tif' }),
        ],
      },
    ]);
  });

  it('orders are listed by number, in any status, with the status without parcels', async () => {
    const orders = [];
    for (let count = 0; count < 3; count += 1) orders.push(await new OrderFactory(service).place());
    const [cancelled, held, other] = orders;
    await sendMilestone(service.studio(), cancelled.orderId, 'cancelled');
    await service.studio().post(`/orders/${held.orderId}/parcels`, { parcelId: held.orderId, trackingNumber: held.orderId });
    await sendMilestone(service.studio(), held.orderId, 'held');
    const list = (query: string) => service.studio().get(`/orders/artwork?${query}`);
    const { json } = await list(`orderNumbers=${cancelled.orderNumber},${held.orderNumber}`);
    expect(json.data.map((order: any) => [order.orderNumber, order.status, order.baseStatus])).toEqual([
      [held.orderNumber, 'shipped', 'on_hold'],
      [cancelled.orderNumber, 'cancelled', 'cancelled'],
    ]);
    const longest = Array.from({ length: 48 }, (_, at) => `P-${'9'.repeat(13)}${at + 10}-R999`);
    const numbers = `orderNumbers=${[held.orderNumber, other.orderNumber, ...longest].join(',')}`;
    const first = await list(`${numbers}&limit=1`);
    const second = await list(`${numbers}&limit=1&cursor=${first.json.nextCursor}`);
    expect([first, second].map((page) => page.json.data[0]?.orderNumber)).toEqual([other.orderNumber, held.orderNumber]);
    for (const wrong of [`${numbers},P-1`, 'orderNumbers=10041', 'orderNumbers=P-1,'])
      expect(validationPathsOf(await list(wrong))).toEqual(['query.orderNumbers']);
  });

  it('another file in the store than the order recorded is refused', async () => {
    const { orderNumber, orderId } = await new OrderFactory(service, 'live', { items: [aLine(await upload('dunes'))] }).place();
    await service.deps.database.run('UPDATE order_artwork SET size_bytes = 6 WHERE order_id = $1', [orderId]);
    expect(await errorOf(`/orders/${orderNumber}/lines/0/artwork`)).toEqual([
      404,
      'There is no artwork of line 0 (the 1st): the artwork store has another file than the order recorded.',
    ]);
    expect(await errorOf(`/orders/${orderNumber}/artwork.zip`)).toEqual([404, `No artwork of ${orderNumber} can be downloaded.`]);
  });

  it('a request without a token is refused', async () => {
    const { orderNumber } = await new OrderFactory(service).place();
    expect((await download(`/orders/${orderNumber}/artwork.zip`, null)).status).toBe(401);
  });
});

/** The file of a descriptor; empty if it was closed in the meantime. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}
