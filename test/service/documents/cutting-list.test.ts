import { request } from 'undici';
import { uploadArtwork } from '../../support/baskets';
import { aKey } from '../../support/accounts';
import { useFixture, useSharedService } from '../../support/fixtures';
import { anItem } from '../../unit/domain/pricing/basket';
import { aToken, OrderFactory, sendMilestone } from '../http/studio/support';
import { drawingsPerPage, PdfReader } from './support';

describe('GET /cutting-list', () => {
  const service = useSharedService();
  const floor = useFixture(async () => ({ token: await aToken(service, 'floor') }));
  const artwork = useFixture(async () => ({
    url: await uploadArtwork(service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }))),
  }));

  async function download(target: string) {
    const url = `http://127.0.0.1:${service.api.studioPort}/studio/v1${target}`;
    const reply = await request(url, { headers: { authorization: `Bearer ${floor.token}` } });
    return { status: reply.statusCode, headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) };
  }
  const framed = (quantity: number, change: Record<string, string | undefined> = {}) => ({
    ...anItem('custom-framing', change),
    quantity,
    imageUrl: artwork.url,
  });
  const placeOrder = (items: unknown[]): Promise<{ orderId: string; orderNumber: string }> =>
    new OrderFactory(service, 'live', { items }).place();
  const readRows = (csv: Buffer): string[] => csv.toString().slice(1).trimEnd().split('\r\n');

  type Order = Awaited<ReturnType<typeof placeOrder>>;
  const placeFramed = () => placeOrder([framed(2)]);
  async function send({ orderId }: Order, type: string, fields: Record<string, unknown> = {}): Promise<void> {
    const reply = await sendMilestone(service.studio(), orderId, type, fields);
    if (reply.status !== 200) throw new Error(reply.text);
  }
  async function pack({ orderId }: Order, lines?: { line: number; quantity: number }[]): Promise<void> {
    const reply = await service.studio().post(`/orders/${orderId}/parcels`, { parcelId: 'p-1', trackingNumber: 'AP1', lines });
    if (reply.status !== 200) throw new Error(reply.text);
  }
  /** `Paper 2 P-10001/1`: part, pieces and mark of each row. */
  const listParts = async (query: string): Promise<string[]> =>
    readRows((await download(`/cutting-list.csv?${query}`)).bytes)
      .slice(1)
      .map((row) => /^"([^"]*)","[^"]*","[^"]*",(\d+),.*"([^"]*\/\d+)"/.exec(row)?.slice(1).join(' ') ?? row);
  async function readPdf(target: string): Promise<string> {
    const reader = new PdfReader();
    try {
      return (await reader.textOf((await download(target)).bytes)).join(' ');
    } finally {
      reader.close();
    }
  }

  it('the file lists the pieces of all orders by part and material, for the floor', async () => {
    const matted = await placeOrder([
      framed(3),
      framed(1, { matColorId: undefined, backingId: undefined, mouldingId: 'moulding-walnut-20' }),
    ]);
    const captioned = await placeOrder([framed(2, { textWindowWidthMm: '120', textWindowHeightMm: '30' })]);
    const { status, headers, bytes } = await download(`/cutting-list.csv?orders=${captioned.orderNumber},${matted.orderId}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, ...rows] = readRows(bytes);
    expect(head).toBe(
      '"Part","Material","Material id","Pieces","Width mm","Height mm","Length mm","Windows","Mark","Order","Line","On hold"',
    );
    const [a, b] = [captioned.orderNumber, matted.orderNumber];
    const cells = (
      part: string,
      material: string,
      id: string,
      pieces: number,
      sizes: string,
      windows: string,
      order: string,
      line: number,
    ) => `"${part}","${material}","${id}",${pieces},${sizes},"${windows}","${order}/${line}","${order}",${line},no`;
    const window = '420 × 594 at 60, 60';
    expect(rows).toEqual([
      cells('Paper', 'Cotton rag 310', 'media-cotton-rag-310', 2, '420,594,', '', a, 1),
      cells('Paper', 'Cotton rag 310', 'media-cotton-rag-310', 3, '420,594,', '', b, 1),
      cells('Paper', 'Cotton rag 310', 'media-cotton-rag-310', 1, '420,594,', '', b, 2),
      cells('Moulding', 'Oak, natural', 'moulding-oak-natural-20', 2, '540,714,2668', '', a, 1),
      cells('Moulding', 'Oak, natural', 'moulding-oak-natural-20', 3, '540,714,2668', '', b, 1),
      cells('Moulding', 'Walnut, slim', 'moulding-walnut-20', 1, '420,594,2188', '', b, 2),
      cells('Glass', 'UV acrylic 3 mm', 'glazing-uv-acrylic-3', 2, '540,714,', '', a, 1),
      cells('Glass', 'UV acrylic 3 mm', 'glazing-uv-acrylic-3', 3, '540,714,', '', b, 1),
      cells('Glass', 'UV acrylic 3 mm', 'glazing-uv-acrylic-3', 1, '420,594,', '', b, 2),
      cells('Mat', 'White', 'mat-white', 2, '540,714,', `${window}; 120 × 30 at 210, 669`, a, 1),
      cells('Mat', 'White', 'mat-white', 3, '540,714,', window, b, 1),
      cells('Backing', 'Foam board 5 mm', 'backing-foam-5', 2, '540,714,', '', a, 1),
      cells('Backing', 'Foam board 5 mm', 'backing-foam-5', 3, '540,714,', '', b, 1),
    ]);
  });

  it('the document has totals of length and area, and a barcode for each row', async () => {
    const order = await placeOrder([framed(3)]);
    const { status, headers, bytes } = await download(`/cutting-list.pdf?orders=${order.orderNumber}`);
    expect([status, headers['content-disposition']]).toEqual([200, 'inline; filename="cutting-list.pdf"']);
    const reader = new PdfReader();
    try {
      const pages = await reader.textOf(bytes);
      expect(pages).toHaveLength(1);
      for (const text of ['3 pieces · 8.004 m', '3 pieces · 1.157 m²', '420 × 594 at 60, 60', `${order.orderNumber}/1`])
        expect(pages[0]).toContain(text);
      expect(await reader.textInMarginOf(bytes)).toEqual([]);
      expect(drawingsPerPage(bytes)).toEqual([5]);
    } finally {
      reader.close();
    }
  });

  const FLOAT = { matColorId: undefined, matSizeMm: undefined, raisedFloat: 'true', mouldingId: 'moulding-float-black-12' };

  it('the color of a riser is part of its material', async () => {
    const placeFloat = (raisedFloatRiserColour: string) => placeOrder([framed(1, { ...FLOAT, raisedFloatRiserColour })]);
    const [white, black] = [await placeFloat('white'), await placeFloat('black')];
    const query = `orders=${white.orderNumber},${black.orderNumber}`;
    const rows = readRows((await download(`/cutting-list.csv?${query}`)).bytes).filter((row) => row.startsWith('"Riser"'));
    const cells = (color: string, { orderNumber }: { orderNumber: string }) =>
      `"Riser","6mm, ${color}","6mm-${color}",1,420,594,2028,"","${orderNumber}/1","${orderNumber}",1,no`;
    expect(rows).toEqual([cells('black', black), cells('white', white)]);
    const text = await readPdf(`/cutting-list.pdf?${query}`);
    for (const color of ['black', 'white']) expect(text).toContain(`Riser: 6mm, ${color} 1 piece · 2.028 m`);
  });

  it('cancelled, completed and shipped orders are named, and their pieces are left out', async () => {
    const [cancelled, completed, shipped, open] = [await placeFramed(), await placeFramed(), await placeFramed(), await placeFramed()];
    await send(cancelled, 'cancelled');
    for (const type of ['production_started', 'completed']) await send(completed, type);
    await pack(shipped);
    const query = `orders=${[cancelled, completed, shipped, open].map(({ orderNumber }) => orderNumber).join(',')}`;
    expect(await listParts(query)).toEqual(
      ['Paper', 'Moulding', 'Glass', 'Mat', 'Backing'].map((part) => `${part} 2 ${open.orderNumber}/1`),
    );
    const text = await readPdf(`/cutting-list.pdf?${query}`);
    expect(text).toContain(
      `Nothing to cut: ${cancelled.orderNumber} (cancelled), ${completed.orderNumber} (completed), ${shipped.orderNumber} (shipped)`,
    );
    expect(text).toContain(`Cutting list ${open.orderNumber}`);
    expect(await readPdf(`/cutting-list.pdf?orders=${cancelled.orderNumber}`)).toContain(
      `Nothing to cut: ${cancelled.orderNumber} (cancelled)`,
    );
  });

  it('the paper of printed lines, framed lines and packed pieces are left out', async () => {
    const order = await placeOrder([framed(2), framed(2), framed(2), framed(2), framed(2)]);
    const { orderNumber } = order;
    await send(order, 'production_started');
    await send(order, 'printed', { lines: [1, 2] });
    await send(order, 'framed', { lines: [2] });
    await pack(order, [
      { line: 3, quantity: 2 },
      { line: 4, quantity: 1 },
    ]);
    const rows = await listParts(`orders=${orderNumber}`);
    expect(rows.filter((row) => row.startsWith('Paper'))).toEqual([`Paper 2 ${orderNumber}/1`, `Paper 1 ${orderNumber}/5`]);
    expect(rows.filter((row) => row.startsWith('Glass'))).toEqual([
      `Glass 2 ${orderNumber}/1`,
      `Glass 2 ${orderNumber}/2`,
      `Glass 1 ${orderNumber}/5`,
    ]);
  });

  it('the rows of an order on hold are marked', async () => {
    const [held, open] = [await placeFramed(), await placeFramed()];
    await send(held, 'held');
    const query = `orders=${held.orderNumber},${open.orderNumber}`;
    const rows = readRows((await download(`/cutting-list.csv?${query}`)).bytes).slice(1);
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(row.endsWith(row.includes(held.orderNumber) ? ',yes' : ',no')).toBe(true);
    expect((await readPdf(`/cutting-list.pdf?${query}`)).match(/[PT]-\d+\/1 ON HOLD/g)).toEqual(
      Array.from({ length: 5 }, () => `${held.orderNumber}/1 ON HOLD`),
    );
  });

  it('unknown orders are refused by name', async () => {
    const refused = await download('/cutting-list.pdf?orders=P-1');
    expect([refused.status, JSON.parse(refused.bytes.toString()).error.details.issues]).toEqual([
      400,
      [{ path: 'query.orders', message: 'names unknown orders: P-1' }],
    ]);
  });
});
