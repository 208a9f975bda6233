import { request } from 'undici';
import { uploadArtwork } from '../../support/baskets';
import { aKey } from '../../support/accounts';
import { useMade, useSharedService } from '../../support/started';
import { anItem } from '../../unit/domain/pricing/basket';
import { aToken, OrderFactory } from '../http/studio/support';
import { drawingsPerPage, PdfReader } from './support';

describe('GET /cutting-list', () => {
  const service = useSharedService();
  const floor = useMade(async () => ({ token: await aToken(service, 'floor') }));
  const artwork = useMade(async () => ({
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

  it('the file lists the pieces of all orders by part and material, for the floor', async () => {
    const matted = await placeOrder([
      framed(3),
      framed(1, { matColorId: undefined, backingId: undefined, mouldingId: 'moulding-walnut-20' }),
    ]);
    const captioned = await placeOrder([framed(2, { textWindowWidthMm: '120', textWindowHeightMm: '30' })]);
    const { status, headers, bytes } = await download(`/cutting-list.csv?orders=${captioned.orderNumber},${matted.orderId}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, ...rows] = readRows(bytes);
    expect(head).toBe('"Part","Material","Material id","Pieces","Width mm","Height mm","Length mm","Windows","Mark","Order","Line"');
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
    ) => `"${part}","${material}","${id}",${pieces},${sizes},"${windows}","${order}/${line}","${order}",${line}`;
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

  it('unknown orders are refused by name', async () => {
    const refused = await download('/cutting-list.pdf?orders=P-1');
    expect([refused.status, JSON.parse(refused.bytes.toString()).error.details.issues]).toEqual([
      400,
      [{ path: 'query.orders', message: 'names unknown orders: P-1' }],
    ]);
  });
});
