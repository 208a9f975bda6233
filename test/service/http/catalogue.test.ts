import { useSharedService } from '../../support/fixtures';
import { aTrader, expectCommonHeaders, expectRefusal, sql } from './support';

const MEDIA = [
  'id',
  'name',
  'clientTitle',
  'description',
  'imageUrl',
  'storefrontTier',
  'surfaceType',
  'gramsPerSqm',
  'maxPrintWidthMm',
  'supportsTornEdge',
];
const MOULDING = [
  'id',
  'name',
  'clientTitle',
  'widthMm',
  'depthMm',
  'maxLengthMm',
  'colour',
  'colourHex',
  'imageUrl',
  'canvasFloatSuitable',
  'qualityTierIds',
];
/** The specification's table of sections. */
const SECTIONS: [string, string[]][] = [
  ['products', ['slug', 'name', 'description', 'category', 'requiresArtwork']],
  ['media', MEDIA],
  ['canvasMedia', MEDIA],
  ['everydayArtMedia', MEDIA],
  ['sizes', ['id', 'label', 'sizeCategory', 'widthMm', 'heightMm']],
  ['mouldings', MOULDING],
  ['canvasMouldings', MOULDING],
  [
    'matboards',
    ['id', 'name', 'clientTitle', 'colour', 'colourHex', 'coreColour', 'coreColourHex', 'isAcidFree', 'isMuseumGrade', 'qualityTierIds'],
  ],
  [
    'glazing',
    ['id', 'name', 'clientTitle', 'description', 'imageUrl', 'isUvProtective', 'isAntiReflective', 'isAcrylic', 'qualityTierIds'],
  ],
  ['backing', ['id', 'name', 'clientTitle', 'description', 'imageUrl', 'isAcidFree', 'qualityTierIds']],
  ['qualityTiers', ['id', 'name', 'slug', 'description', 'imageUrl']],
  ['sleeves', ['sizeCode', 'widthMm', 'heightMm']],
];

describe('GET /catalogue', () => {
  const service = useSharedService({ worker: false });
  const get = async (headers: Record<string, string> = {}) => (await aTrader(service)).trade.get('/catalogue', headers);

  describe('Auth', () => {
    it('a matching ETag does not replace authentication', async () => {
      const { etag } = (await get()).headers;
      expectRefusal(await service.trade().get('/catalogue', { 'if-none-match': String(etag) }), 401, 'UNAUTHORIZED');
    });
  });

  describe('Success', () => {
    it('has the twelve sections of the specification and no other', async () => {
      const reply = await get();
      expect(reply.status).toBe(200);
      expectCommonHeaders(reply);
      expect(Object.keys(reply.json.data)).toEqual(SECTIONS.map(([section]) => section));
    });

    test.each(SECTIONS)('%s is a list whose rows have exactly their fields', async (section, fields) => {
      const rows = (await get()).json.data[section];
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(Object.keys(row)).toEqual(fields);
    });

    it('carries no prices', async () => {
      expect((await get()).text).not.toMatch(/cents|price/i);
    });

    it('offers the five orderable products', async () => {
      expect((await get()).json.data.products.map(({ slug }: { slug: string }) => slug).sort()).toEqual([
        'canvas-printing',
        'custom-framing',
        'everyday-art-prints',
        'fine-art-printing',
        'print-and-mat',
      ]);
    });

    it('canvasMouldings are the float-suitable mouldings, fewer than all', async () => {
      const { mouldings, canvasMouldings } = (await get()).json.data;
      expect(canvasMouldings).toEqual(mouldings.filter(({ canvasFloatSuitable }: { canvasFloatSuitable: boolean }) => canvasFloatSuitable));
      expect(canvasMouldings.length).toBeLessThan(mouldings.length);
    });

    it('media pools are exclusive', async () => {
      const { media, canvasMedia, everydayArtMedia } = (await get()).json.data;
      const ids = [...media, ...canvasMedia, ...everydayArtMedia].map(({ id }: { id: string }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    });
  });

  describe('Caching', () => {
    it('is private for 60 seconds with an ETag; the same for every account', async () => {
      const [one, two] = [await get(), await get()];
      expect(one.headers['cache-control']).toBe('private, max-age=60');
      expect(one.headers.etag).toMatch(/^"[0-9a-f]+"$/);
      expect([two.headers.etag, two.text]).toEqual([one.headers.etag, one.text]);
    });

    test.each<[string, (etag: string) => string]>([
      ['the ETag', (etag) => etag],
      ['a weak one', (etag) => `W/${etag}`],
      ['a list', (etag) => `"other", ${etag}`],
      ['a star', () => '*'],
    ])('If-None-Match with %s is 304 without a body, with the caching headers', async (_name, header) => {
      const { etag } = (await get()).headers;
      const reply = await get({ 'if-none-match': header(String(etag)) });
      expect([reply.status, reply.text]).toEqual([304, '']);
      expect(reply.headers).toMatchObject({ 'cache-control': 'private, max-age=60', etag, 'service-request-id': expect.any(String) });
    });

    test.each(['"other"', 'W/"other"', '', 'x', '""'])('If-None-Match %s is 200', async (header) => {
      expect((await get({ 'if-none-match': header })).status).toBe(200);
    });

    it('a withdrawn material is missing from the next response with a new ETag, and restoring it restores the ETag', async () => {
      const before = await get();
      await sql(service, `UPDATE catalogue_rows SET withdrawn = true WHERE id = 'mat-white'`);
      const without = await get({ 'if-none-match': String(before.headers.etag) });
      await sql(service, `UPDATE catalogue_rows SET withdrawn = false WHERE id = 'mat-white'`);
      expect(without.status).toBe(200);
      expect(without.json.data.matboards.map(({ id }: { id: string }) => id)).not.toContain('mat-white');
      expect(without.headers.etag).not.toBe(before.headers.etag);
      expect((await get()).headers.etag).toBe(before.headers.etag);
    });
  });
});
