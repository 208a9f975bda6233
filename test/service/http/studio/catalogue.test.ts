import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { STORED_SECTIONS, rowId } from '../../../../src/domain/catalogue';
import { isMaterialSection } from '../../../../src/domain/materials';
import { useFixture, useService } from '../../../support/fixtures';
import { studioDayOf } from '../../../../src/db/repositories/studio-calendar';
import { aKey } from '../../../support/accounts';
import { aLine, aQuoteRequest, uploadArtwork } from '../../../support/baskets';
import { GLAZING, MEDIA } from '../../../support/catalogue-rows';
import { anItem } from '../../../unit/domain/pricing/basket';
import { aToken, findAuditEntries, OrderFactory, sendMilestone, validationPathsOf } from './support';

const PAPER = 'media-cotton-rag-310';

describe('/catalogue/{section}', () => {
  const service = useService(() => ({ clock: { now: () => now ?? new Date() } }));
  /** The service's time. Null means the real time. */
  let now: Date | null = null;
  afterEach(() => {
    now = null;
  });
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Stock room' })));
  const trade = useFixture(() => service.trade(service.account.testKey));

  const put = (section: string, id: string, row: object) => office.send('PUT', `/catalogue/${section}/${encodeURIComponent(id)}`, row);
  const withdraw = (section: string, id: string, withdrawn: unknown) => office.send('PATCH', `/catalogue/${section}/${id}`, { withdrawn });
  const onOffer = async (section: string) => (await trade.get('/catalogue')).json.data[section];

  describe('Validation', () => {
    it.each<[string, string, string, object, string[]]>([
      ['another id than the path', 'media', 'media-other', MEDIA, ['id']],
      ['a paper of another pool', 'everydayArtMedia', PAPER, { ...MEDIA, id: PAPER }, ['id']],
      ['a tier that does not exist', 'glazing', 'glazing-new', { ...GLAZING, qualityTierIds: ['tier-gold'] }, ['qualityTierIds.0']],
    ])('%s is refused', async (_title, section, id, row, paths) => {
      const reply = await put(section, id, row);
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, paths]);
    });
    it('withdrawn must be true or false', async () => {
      expect(validationPathsOf(await withdraw('media', PAPER, 'yes'))).toEqual(['withdrawn']);
      expect(validationPathsOf(await withdraw('media', PAPER, undefined))).toEqual(['withdrawn']);
    });
  });

  it('a material without a tier can be stored', async () => {
    const reply = await put('backing', 'backing-nowhere', {
      id: 'backing-nowhere',
      name: 'Nowhere',
      clientTitle: null,
      description: null,
      imageUrl: null,
      isAcidFree: true,
      qualityTierIds: [],
    });
    expect([reply.status, reply.json.data?.qualityTierIds]).toEqual([200, []]);
    await service.deps.database.run(`DELETE FROM catalogue_rows WHERE id = 'backing-nowhere'`);
  });

  describe('Stock', () => {
    const MOULDING = 'moulding-oak-natural-20';
    const setStock = (section: string, id: string, outOfStockUntil: unknown) =>
      office.send('PUT', `/catalogue/${section}/${id}/stock`, { outOfStockUntil });
    const rowOf = async (section: string, id: string) =>
      (await office.get(`/catalogue/${section}`)).json.data.find((row: { id: string }) => row.id === id);
    const framed = async (change: Record<string, string | undefined> = {}) => {
      const live = service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }));
      return { ...anItem('custom-framing', change), quantity: 2, imageUrl: await uploadArtwork(live) };
    };
    const place = (items: unknown[]) => new OrderFactory(service, 'live', { items }).place();
    const numbersOf = async (material: string): Promise<string[]> =>
      (await office.get(`/orders?material=${material}`)).json.data.map((order: { orderNumber: string }) => order.orderNumber);
    const needOf = async (section: string, id: string) =>
      (await office.get(`/materials/${section}/open-orders`)).json.data.find((need: { id: string }) => need.id === id);

    it('orders and the catalogue show a material that is out of stock until a day; clients and quotes do not', async () => {
      const order = await place([await framed(), await framed({ mouldingId: 'moulding-walnut-20' })]);
      const before = (await trade.get('/catalogue')).headers.etag;
      const reply = await setStock('mouldings', MOULDING, '2099-03-31');
      expect([reply.status, reply.json.data?.outOfStockUntil]).toEqual([200, '2099-03-31']);
      expect((await rowOf('mouldings', MOULDING)).outOfStockUntil).toBe('2099-03-31');
      const { job } = (await office.get(`/orders/${order.orderNumber}`)).json.data;
      expect(job.lines.map(({ outOfStock }: { outOfStock: unknown }) => outOfStock)).toEqual([
        [{ section: 'mouldings', id: MOULDING, name: 'Oak, natural', until: '2099-03-31' }],
        [],
      ]);
      const catalogue = await trade.get('/catalogue');
      expect([catalogue.headers.etag, catalogue.text.includes('outOfStock')]).toEqual([before, false]);
      await place([await framed()]);
      expect(await findAuditEntries(service, `mouldings/${MOULDING}`)).toEqual([
        expect.objectContaining({
          action: 'catalogue.stock',
          actor: 'Stock room',
          before: { outOfStockUntil: null },
          after: { outOfStockUntil: '2099-03-31' },
        }),
      ]);
      const { outOfStockUntil: _, ...row } = await rowOf('mouldings', MOULDING);
      expect((await put('mouldings', MOULDING, row)).json.data.outOfStockUntil).toBe('2099-03-31');
      expect((await setStock('mouldings', MOULDING, null)).json.data.outOfStockUntil).toBeNull();
    });

    it('the day after the last one, the material is in stock', async () => {
      const order = await place([await framed()]);
      const setDay = (day: string) =>
        service.deps.database.run(`UPDATE catalogue_rows SET out_of_stock_until = $2 WHERE id = $1`, [MOULDING, day]);
      const shown = async () => [
        (await rowOf('mouldings', MOULDING)).outOfStockUntil,
        (await office.get(`/orders/${order.orderId}`)).json.data.job.lines[0].outOfStock.length,
      ];
      now = new Date(); // today does not end before it is shown
      const { today } = studioDayOf((await service.deps.priceBooks.findEffective(service.deps.database, now))?.book ?? null, now);
      await setDay(today);
      expect(await shown()).toEqual([today, 1]);
      await setDay('2020-01-01');
      expect(await shown()).toEqual([null, 0]);
      await setStock('mouldings', MOULDING, null);
    });

    it.each([
      ['a past day', 'mouldings', MOULDING, '2020-01-01', [400, ['outOfStockUntil']]],
      ['no day', 'mouldings', MOULDING, 'soon', [400, ['outOfStockUntil']]],
      ['an unknown row', 'mouldings', 'moulding-unknown', '2099-01-01', [404, expect.stringContaining('NOT_FOUND')]],
      ['a product', 'products', 'custom-framing', '2099-01-01', [404, expect.stringContaining('products have no stock')]],
    ])('%s is refused', async (_title, section, id, day, expected) => {
      const reply = await setStock(section, id, day);
      expect([reply.status, validationPathsOf(reply)]).toEqual(expected);
    });

    it('a withdrawn material shows the open orders that need it, until they are shipped or, for paper, printed', async () => {
      const glass = 'glazing-uv-acrylic-3';
      await withdraw('glazing', glass, true);
      const [ordersBefore, piecesBefore] = [(await needOf('glazing', glass))?.orders ?? 0, (await needOf('glazing', glass))?.pieces ?? 0];
      await withdraw('glazing', glass, false);
      const order = await place([await framed(), await framed()]);
      await withdraw('glazing', glass, true);
      expect(await needOf('glazing', glass)).toEqual({ id: glass, orders: ordersBefore + 1, pieces: piecesBefore + 4 });
      expect(await numbersOf(`glazing/${glass}`)).toContain(order.orderNumber);
      expect(await numbersOf(`media/${PAPER}`)).toContain(order.orderNumber);
      expect(await numbersOf(`canvasMedia/canvas-cotton-410`)).not.toContain(order.orderNumber);
      await sendMilestone(office, order.orderId, 'printed');
      expect(await numbersOf(`media/${PAPER}`)).not.toContain(order.orderNumber);
      expect(await numbersOf(`glazing/${glass}`)).toContain(order.orderNumber);
      const admin = service.studio();
      await admin.post(`/orders/${order.orderId}/parcels`, { parcelId: 'p-1', trackingNumber: 'AP1' });
      expect(await numbersOf(`glazing/${glass}`)).not.toContain(order.orderNumber);
      expect(await needOf('glazing', glass)).toEqual(
        ordersBefore === 0 ? undefined : { id: glass, orders: ordersBefore, pieces: piecesBefore },
      );
      await withdraw('glazing', glass, false);
      expect((await office.get('/orders?material=products/custom-framing')).status).toBe(400);
    });

    it('a line needs its paper until it is printed, its frame until it is framed, and nothing once its pieces are packed', async () => {
      const [glass, paper] = ['glazing-uv-acrylic-3', PAPER] as const;
      const piecesOf = async (section: string, id: string): Promise<number> => (await needOf(section, id))?.pieces ?? 0;
      const before = { glass: await piecesOf('glazing', glass), paper: await piecesOf('media', paper) };
      const { orderId, orderNumber } = await place([await framed(), await framed(), await framed(), await framed()]);
      const needs = async () => {
        const { lines } = (await office.get(`/orders/${orderId}`)).json.data.job;
        const linesWithout = (section: string) =>
          lines.flatMap(({ outOfStock }: any, line: number) => (outOfStock.some((one: any) => one.section === section) ? [line] : []));
        const listed = [
          (await numbersOf(`media/${paper}`)).includes(orderNumber),
          (await numbersOf(`glazing/${glass}`)).includes(orderNumber),
        ];
        return {
          paper: [linesWithout('media'), (await piecesOf('media', paper)) - before.paper, listed[0]],
          glass: [linesWithout('glazing'), (await piecesOf('glazing', glass)) - before.glass, listed[1]],
        };
      };
      await setStock('media', paper, '2099-03-31');
      await setStock('glazing', glass, '2099-03-31');
      await sendMilestone(office, orderId, 'production_started');
      await sendMilestone(office, orderId, 'printed', { lines: [0, 2] });
      await sendMilestone(office, orderId, 'framed', { lines: [0] });
      expect(await needs()).toEqual({ paper: [[1, 3], 4, true], glass: [[1, 2, 3], 6, true] });
      const lines = [
        { line: 2, quantity: 2 },
        { line: 3, quantity: 1 },
      ];
      const packed = await service.studio().post(`/orders/${orderId}/parcels`, { parcelId: 'p-1', trackingNumber: 'AP1', lines });
      expect([packed.status, packed.json.data?.status]).toEqual([200, 'shipped']);
      expect(await needs()).toEqual({ paper: [[1, 3], 3, true], glass: [[1, 3], 3, true] });
      await sendMilestone(office, orderId, 'printed');
      expect(await needs()).toEqual({ paper: [[], 0, false], glass: [[1, 3], 3, true] });
      await sendMilestone(office, orderId, 'completed');
      expect(await needs()).toEqual({ paper: [[], 0, false], glass: [[], 0, false] });
      await setStock('media', paper, null);
      await setStock('glazing', glass, null);
    });
  });

  describe('Errors', () => {
    it('canvasMouldings is 404 and names mouldings', async () => {
      const replies = [await office.get('/catalogue/canvasMouldings'), await withdraw('canvasMouldings', 'moulding-float-oak-15', true)];
      expect(replies.map(({ status }) => status)).toEqual([404, 404]);
      expect(replies[0]?.json.error?.message).toContain('edit mouldings');
    });
    it.each([
      ['papers', 'x'],
      ['media', 'media-unknown'],
      ['media', '%00'],
      ['__proto__', 'x'],
    ])('%s/%s is 404', async (section, id) => {
      expect((await withdraw(section, id, true)).status).toBe(404);
    });
  });

  describe('Success', () => {
    it.each(STORED_SECTIONS)('%s: shows every row, and each can be sent back unchanged', async (section) => {
      const shown = await office.get(`/catalogue/${section}`);
      expect(shown.json).toMatchObject({ error: null, nextCursor: null });
      expect(shown.json.data).toEqual(
        SEED_CATALOGUE[section].map((row) => ({ ...row, withdrawn: false, ...(isMaterialSection(section) && { outOfStockUntil: null }) })),
      );
      for (const row of shown.json.data) expect((await put(section, rowId(section, row), row)).json.data).toEqual(row);
    });
    it('a withdrawn row disappears from GET /catalogue and is refused in POST /quotes at once, and restoring it offers it again', async () => {
      const request = await aQuoteRequest(trade);
      const etag = String((await trade.get('/catalogue')).headers.etag);
      expect((await withdraw('media', PAPER, true)).json.data).toMatchObject({ id: PAPER, withdrawn: true });
      expect((await trade.get('/catalogue', { 'if-none-match': etag })).status).toBe(200);
      expect(JSON.stringify(await onOffer('media'))).not.toContain(PAPER);
      const refused = await trade.post('/quotes', request);
      expect(refused.json.error).toMatchObject({ code: 'PRODUCT_UNAVAILABLE', message: expect.stringContaining('withdrawn') });
      expect((await office.get('/catalogue/media')).json.data).toContainEqual(expect.objectContaining({ id: PAPER, withdrawn: true }));
      await withdraw('media', PAPER, false);
      expect((await trade.post('/quotes', request)).status).toBe(201);
    });
    it('a new row is offered at once, at the end of its section', async () => {
      const reply = await put('media', MEDIA.id, { ...MEDIA, id: undefined });
      expect(reply.json.data).toEqual({ ...MEDIA, withdrawn: false, outOfStockUntil: null });
      expect((await onOffer('media')).at(-1)).toEqual(MEDIA);
      const request = await aQuoteRequest(trade);
      const line = aLine(request.items[0]?.imageUrl ?? '', {
        variantSelections: { artworkWidthMm: '300', artworkHeightMm: '400', mediaId: MEDIA.id },
      });
      expect((await trade.post('/quotes', { ...request, items: [line] })).status).toBe(201);
    });
    it('updating a withdrawn row keeps it withdrawn by default', async () => {
      await put('glazing', GLAZING.id, GLAZING);
      await withdraw('glazing', GLAZING.id, true);
      expect((await put('glazing', GLAZING.id, { ...GLAZING, name: 'Renamed' })).json.data).toEqual({
        ...GLAZING,
        name: 'Renamed',
        withdrawn: true,
        outOfStockUntil: null,
      });
      expect((await put('glazing', GLAZING.id, { ...GLAZING, withdrawn: false })).json.data.withdrawn).toBe(false);
    });
    it('the float-suitable flag of a moulding moves it in and out of canvasMouldings', async () => {
      const [first] = SEED_CATALOGUE.mouldings;
      await put('mouldings', first?.id ?? '', { ...first, canvasFloatSuitable: true });
      expect((await onOffer('canvasMouldings'))[0].id).toBe(first?.id);
      await put('mouldings', first?.id ?? '', { ...first });
      expect((await onOffer('canvasMouldings'))[0].id).not.toBe(first?.id);
    });
    it('quoting a withdrawn product is refused with the reason', async () => {
      const request = await aQuoteRequest(trade);
      await withdraw('products', 'fine-art-printing', true);
      expect((await trade.post('/quotes', request)).json.error?.code).toBe('PRODUCT_UNSUPPORTED');
      await withdraw('products', 'fine-art-printing', false);
    });
    it('one id sent to two media pools concurrently ends in one of them', async () => {
      const row = { ...MEDIA, id: 'media-twice' };
      const replies = await Promise.all([put('media', row.id, row), put('everydayArtMedia', row.id, row)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    });
    it('the audit log has the row before and after', async () => {
      await put('sleeves', 'A6', { widthMm: 105, heightMm: 148 });
      await put('sleeves', 'A6', { widthMm: 106, heightMm: 148 });
      await withdraw('sleeves', 'A6', true);
      await withdraw('sleeves', 'A6', false);
      expect(await findAuditEntries(service, 'sleeves/A6')).toMatchObject([
        { actor: 'Stock room', action: 'catalogue.put', before: null, after: { sizeCode: 'A6', widthMm: 105, withdrawn: false } },
        { action: 'catalogue.put', before: { widthMm: 105 }, after: { widthMm: 106 } },
        { action: 'catalogue.withdraw', before: { withdrawn: false }, after: { withdrawn: true } },
        { action: 'catalogue.restore', before: { withdrawn: true }, after: { withdrawn: false } },
      ]);
    });
  });
});
