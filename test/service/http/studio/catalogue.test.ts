import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { STORED_SECTIONS, rowId } from '../../../../src/domain/catalogue';
import { useMade, useService } from '../../../support/started';
import { aLine, aQuoteRequest } from '../../../support/baskets';
import { findAuditEntries, aToken, validationPathsOf } from './support';

const PAPER = 'media-cotton-rag-310';
const MEDIA = {
  id: 'media-new',
  name: 'New rag',
  clientTitle: null,
  description: null,
  imageUrl: null,
  storefrontTier: 'advanced',
  surfaceType: 'matte',
  gramsPerSqm: 300,
  maxPrintWidthMm: null,
  supportsTornEdge: false,
};
const GLAZING = {
  id: 'glazing-new',
  name: 'New glass',
  clientTitle: null,
  description: null,
  imageUrl: null,
  isUvProtective: true,
  isAntiReflective: false,
  isAcrylic: false,
  qualityTierIds: null,
};

describe('/catalogue/{section}', () => {
  const service = useService(() => ({ worker: false }));
  const office = useMade(async () => service.studio(await aToken(service, 'office', { name: 'Stock room' })));
  const trade = useMade(() => service.trade(service.account.testKey));

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
      expect(shown.json.data).toEqual(SEED_CATALOGUE[section].map((row) => ({ ...row, withdrawn: false })));
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
      expect(reply.json.data).toEqual({ ...MEDIA, withdrawn: false });
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
