import { request } from 'undici';
import type { PdfContent } from '../../../src/documents/pdf-renderer';
import { hashKey } from '../../../src/security/api-keys';
import { aKey } from '../../support/accounts';
import { aLine, uploadArtwork } from '../../support/baskets';
import { useSharedService, useFixture } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { anItem } from '../../unit/domain/pricing/basket';
import { aToken, OrderFactory } from '../http/studio/support';
import { drawingsPerPage, PdfReader } from './support';

describe('GET /job-sheets.pdf', () => {
  const service = useSharedService();
  const reader = useFixture(
    async () => new PdfReader(),
    (opened) => opened.close(),
  );
  let token: string;
  let picture: string;
  beforeAll(async () => {
    token = await aToken(service, 'floor');
    picture = await uploadArtwork(service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' })));
  });

  async function requestPdf(target: string, bearer = token) {
    const url = `http://127.0.0.1:${service.api.studioPort}/studio/v1${target}`;
    const reply = await request(url, { headers: { authorization: `Bearer ${bearer}` } });
    return { status: reply.statusCode, headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) };
  }
  const placeOrder = (traits: Record<string, unknown> = {}, instructions?: string) =>
    new OrderFactory(service, 'live', { items: [aLine(picture)], ...traits }).place(
      instructions === undefined ? {} : { specialInstructions: instructions },
    );
  const sheets = (names: readonly string[], bearer = token) => requestPdf(`/job-sheets.pdf?orders=${names.join(',')}`, bearer);
  const refusalOf = async (names: readonly string[]) => {
    const { status, bytes } = await sheets(names);
    return [status, JSON.parse(bytes.toString()).error.details.issues];
  };

  it('one document has the sheets in the order given, each with its own page numbers', async () => {
    const long = await placeOrder({ items: Array.from({ length: 8 }, () => aLine(picture)) });
    const short = await placeOrder({}, 'Sign it on the back.');
    const { status, headers, bytes } = await sheets([short.orderNumber, long.orderId]);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      'inline; filename="job-sheets.pdf"',
    ]);
    const pages = await reader.textOf(bytes);
    expect(pages.map((page) => /[PT]-\d+ · printed .*Page \d+ of \d+/.exec(page)?.[0].replace(/ · .* Page/, ' Page'))).toEqual([
      `${short.orderNumber} Page 1 of 1`,
      `${long.orderNumber} Page 1 of 2`,
      `${long.orderNumber} Page 2 of 2`,
    ]);
    expect([pages[0], pages[1]]).toEqual([expect.stringContaining('Sign it on the back.'), expect.stringContaining('Line 1')]);
    expect(pages[1]).not.toContain('Sign it');
    expect(pages.join(' ')).not.toContain('TEST');
  });

  it('each page has the order number and its barcode at the top', async () => {
    const long = await placeOrder({ items: Array.from({ length: 20 }, () => aLine(picture)) });
    const { bytes } = await sheets([long.orderNumber]);
    const pages = await reader.textOf(bytes);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.map((page) => page.slice(0, `JOB SHEET ${long.orderNumber}`.length))).toEqual(
      pages.map(() => `JOB SHEET ${long.orderNumber}`),
    );
    expect(drawingsPerPage(bytes)).toEqual(pages.map(() => 1));
  });

  it('each line has the cut sizes of one piece', async () => {
    const framed = { ...anItem('custom-framing', { textWindowWidthMm: '120', textWindowHeightMm: '30' }), quantity: 2, imageUrl: picture };
    const order = await placeOrder({ items: [framed, { ...anItem('canvas-printing', {}), imageUrl: picture }] });
    const { bytes } = await sheets([order.orderNumber]);
    const [page = ''] = await reader.textOf(bytes);
    const cuts = [
      'Paper 420 × 594',
      'Moulding 540 × 714 2668 mm',
      'Glass 540 × 714',
      'Mat 540 × 714 420 × 594 at 60, 60; 120 × 30 at 210, 669',
      'Backing 540 × 714',
    ];
    expect(page).toContain(`CUT FOR EACH PIECE, IN MM ${cuts.join(' ')}`);
    expect(page).toContain('CUT FOR EACH PIECE, IN MM Canvas 500 × 700 Stretcher bars 500 × 700 2400 mm');
    expect(await reader.textInMarginOf(bytes)).toEqual([]);
  });

  it('a line says which of its materials is out of stock, and until when', async () => {
    const order = await placeOrder({ items: [{ ...anItem('custom-framing', {}), imageUrl: picture }] });
    const setStock = (outOfStockUntil: string | null) =>
      service.studio().send('PUT', '/catalogue/mouldings/moulding-oak-natural-20/stock', { outOfStockUntil });
    await setStock('2099-03-31');
    const textOf = async () => (await reader.textOf((await sheets([order.orderNumber])).bytes)).join(' ');
    expect(await textOf()).toContain('Out of stock until Tuesday 31 March 2099: Oak, natural');
    await setStock(null);
    expect(await textOf()).not.toContain('Out of stock');
  });

  it('unknown, repeated and too many orders are refused by name', async () => {
    const { orderId, orderNumber } = await placeOrder();
    const issue = (message: unknown) => [400, [{ path: 'query.orders', message }]];
    expect(await refusalOf(['ord_00', orderId, 'P-1', 'p 2'])).toEqual(issue('names unknown orders: ord_00, P-1, P-2'));
    expect(await refusalOf([orderId, orderNumber])).toEqual(issue(`repeats orders: ${orderNumber}`));
    for (const id of ['', '%00']) expect(await refusalOf([orderId, id])).toEqual(issue(expect.stringContaining('1 to 100 ids or numbers')));
    expect(await refusalOf(Array.from({ length: 101 }, (_, at) => `P-${at}`))).toEqual(issue(expect.stringContaining('1 to 100')));
    const missing = await requestPdf('/job-sheets.pdf');
    expect(JSON.parse(missing.bytes.toString()).error.details.issues).toEqual([{ path: 'query.orders', message: 'is required' }]);
  });

  it('test and live orders are not in one document', async () => {
    const live = await placeOrder();
    const test = await new OrderFactory(service, 'test').place();
    expect(await refusalOf([live.orderId, test.orderId])).toEqual([
      400,
      [
        {
          path: 'query.orders',
          message: `must be orders of one environment; send these test orders separately from the live ones: ${test.orderNumber}`,
        },
      ],
    ]);
    const { status, bytes } = await sheets([test.orderId]);
    expect([status, (await reader.textOf(bytes)).join(' ')]).toEqual([200, expect.stringContaining('TEST')]);
  });

  it('a token renders one batch at a time, and ten orders count as one request', async () => {
    const { orderNumber } = await placeOrder();
    const fresh = await aToken(service, 'floor'); // no earlier request of it expires meanwhile
    const [own] = await service.deps.database.rows<{ id: string }>('SELECT id FROM studio_tokens WHERE token_hash = $1', [hashKey(fresh)]);
    const tokenId = own?.id ?? '';
    const countHits = async (): Promise<number | undefined> =>
      (
        await service.deps.database.rows<{ hits: number }>(
          `SELECT cardinality(hits) AS hits FROM rate_windows WHERE subject = $1 AND endpoint = 'studio GET /job-sheets.pdf'`,
          [`token:${tokenId}`],
        )
      )[0]?.hits;
    let release = (): void => undefined;
    const held = service.deps.slowRequestQueue.run(tokenId, () => new Promise<void>((resolve) => (release = resolve)));
    const reply = sheets([orderNumber, ...Array.from({ length: 20 }, (_, at) => `P-${at}`)], fresh);
    await waitFor('the request to wait', async () => service.deps.slowRequestQueue.size(tokenId) === 2);
    expect(await countHits()).toBe(1);
    release();
    await held;
    expect([(await reply).status, await countHits()]).toEqual([400, 3]);
  });

  it('a full queue refuses before any order is loaded', async () => {
    const draft = (lines: number): PdfContent => ({
      template: 'packing-slip',
      data: {
        title: 'Packing slip P-10001',
        footer: 'Order P-10001',
        isTest: false,
        orderNumber: 'P-10001',
        reference: null,
        sender: null,
        date: '5 March 2026',
        shipTo: ['Ada Customer'],
        parcel: [],
        lines: Array.from({ length: lines }, () => ({ product: 'Fine art print', detail: 'Line', reference: '', quantity: '1' })),
        note: '',
      },
      barcodes: { 'order-number': 'P-10001' },
    });
    const rendering = [5000, ...Array.from({ length: 30 }, () => 1)].map((lines) =>
      service.deps.pdfRenderer.render(draft(lines), service.deps.clock.now()),
    );
    const { status, bytes } = await sheets(['P-1']);
    expect([status, JSON.parse(bytes.toString()).error.message]).toEqual([429, expect.stringContaining('documents are waiting')]);
    await Promise.all(rendering);
  });

  it('a document that would be too long names how many orders fit', async () => {
    const orderIds = [(await placeOrder()).orderId, (await placeOrder()).orderId];
    await service.deps.database.run(
      `UPDATE quotes q SET jobs = (SELECT jsonb_agg(job) FROM (SELECT q.jobs->0 AS job FROM generate_series(1, 600)) copies)
        WHERE q.id IN (SELECT quote_id FROM orders WHERE id = ANY ($1))`,
      [orderIds],
    );
    expect(await refusalOf(orderIds)).toEqual([
      400,
      [
        {
          path: 'query.orders',
          message: 'covers more than one document holds, 1000 lines or 400000 characters; orders that fit, from the first: 1',
        },
      ],
    ]);
  });
});
