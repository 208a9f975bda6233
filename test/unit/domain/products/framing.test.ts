import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { anItem, refusalOutcome, priceItems, refusal, unitPrice, catalogueWith } from '../pricing/basket';

type Change = Record<string, string | undefined>;
const paths = (...names: string[]): string[] => names.map((name) => `items.0.variantSelections.${name}`);
const invalid = (...names: string[]) => ({ code: 'VALIDATION_ERROR', paths: paths(...names) });
const unavailable = { code: 'PRODUCT_UNAVAILABLE', paths: undefined };
const belowMinimum = { code: 'MAT_BELOW_MINIMUM', paths: undefined };
const SIDES = { matSizeMm: undefined, matTopMm: '60', matRightMm: '60', matBottomMm: '60', matLeftMm: '60' };
const FLOAT = { raisedFloat: 'true', raisedFloatRiserColour: 'black' };

describe.each(['print-and-mat', 'custom-framing'])('mats on %s', (slug) => {
  // The float-suitable moulding is ignored by print-and-mat.
  const item = (change: Change = {}) => anItem(slug, { mouldingId: 'moulding-float-black-12', ...change });
  const plain = unitPrice(item());
  it.each<[string, Change, number]>([
    ['four equal sides cost what the uniform border costs', SIDES, 0],
    ['no size is the default of 60 mm', { matSizeMm: undefined }, 0],
    ['a caption window adds its price', { textWindowWidthMm: '200', textWindowHeightMm: '40' }, 1500],
    ['riser keys are ignored without raisedFloat', { raisedFloatDepthMm: '7', raisedFloatRiserColour: 'red' }, 0],
    ['raisedFloat is on for exactly true', { raisedFloat: 'yes', raisedFloatDepthMm: '7' }, 0],
    ['unknown keys and matboardId are ignored', { matboardId: 'x', borderMm: 'x', depth: 'x', ['toString']: 'x' }, 0],
  ])('%s', (_title, change, more) => {
    expect(unitPrice(item(change)) - plain).toBe(more);
  });
  it.each<[string, Change, string[]]>([
    ['both ways of giving borders', { matTopMm: '60' }, ['matTopMm']],
    ['both ways in full', { ...SIDES, matSizeMm: '60' }, ['matTopMm', 'matRightMm', 'matBottomMm', 'matLeftMm']],
    ['three sides', { ...SIDES, matLeftMm: undefined }, ['matLeftMm']],
    ['one side', { matSizeMm: undefined, matTopMm: '60' }, ['matRightMm', 'matBottomMm', 'matLeftMm']],
    ['a border that is not a number', { matSizeMm: '6o' }, ['matSizeMm']],
    ['a negative side', { ...SIDES, matTopMm: '-5' }, ['matTopMm']],
    ['a caption without height', { textWindowWidthMm: '100' }, ['textWindowHeightMm']],
    ['a caption without width', { textWindowHeightMm: '30' }, ['textWindowWidthMm']],
    ['a caption of size zero', { textWindowWidthMm: '0', textWindowHeightMm: '30' }, ['textWindowWidthMm']],
    ['a caption higher than its border', { textWindowWidthMm: '100', textWindowHeightMm: '61' }, ['textWindowHeightMm']],
    ['a caption wider than the mat', { textWindowWidthMm: '900', textWindowHeightMm: '30' }, ['textWindowWidthMm']],
    ['a caption on a raised float', { ...FLOAT, textWindowWidthMm: '100', textWindowHeightMm: '30' }, ['textWindowWidthMm']],
    ['an empty tier', { qualityTierId: '' }, ['qualityTierId']],
    ['a raised float of another depth', { ...FLOAT, raisedFloatDepthMm: '8' }, ['raisedFloatDepthMm']],
    ['a 6 mm riser without colour', { raisedFloat: 'true', raisedFloatDepthMm: '6' }, ['raisedFloatRiserColour']],
    ['a riser of zero depth without colour', { raisedFloat: 'true' }, ['raisedFloatRiserColour']],
    ['a riser in another colour', { raisedFloat: 'true', raisedFloatRiserColour: 'Black' }, ['raisedFloatRiserColour']],
    ['a 10 mm riser with a colour', { ...FLOAT, raisedFloatDepthMm: '10' }, ['raisedFloatRiserColour']],
  ])('%s is VALIDATION_ERROR', (_title, change, names) => {
    expect(refusalOutcome([item(change)])).toEqual(invalid(...names));
  });
  it.each<[string, Change]>([
    ['a uniform border', { matSizeMm: '24' }],
    ['a border of 0', { matSizeMm: '0' }],
    ['one side', { ...SIDES, matBottomMm: '24' }],
    ['a reveal', { ...FLOAT, matSizeMm: '4' }],
  ])('%s below the minimum is MAT_BELOW_MINIMUM', (_title, change) => {
    expect(refusalOutcome([item(change)])).toEqual(belowMinimum);
  });
  it('the message names the sides and the minimum', () => {
    expect(refusal([item({ ...SIDES, matLeftMm: '3', matBottomMm: '24' })]).message).toMatch(/bottom 24 mm, left 3 mm.*25 mm or more/);
  });
  it('the minimum is accepted, and a reveal has a separate minimum', () => {
    for (const change of [{ matSizeMm: '25' }, { ...FLOAT, matSizeMm: '5' }]) expect(() => unitPrice(item(change))).not.toThrow();
  });
  it('a raised float costs its riser by the print perimeter and saves the window cut', () => {
    const six = unitPrice(item({ ...FLOAT, raisedFloatDepthMm: '6' }));
    const perimeter = slug === 'print-and-mat' ? 1400 : 2028;
    expect(six - plain).toBe(Math.round((perimeter * 1800) / 1000) - 1200);
    expect(unitPrice(item(FLOAT))).toBe(six);
    expect(unitPrice(item({ raisedFloat: 'true', raisedFloatDepthMm: '10' })) - six).toBe(
      Math.round((perimeter * 2400) / 1000) - Math.round((perimeter * 1800) / 1000),
    );
  });
  it.each<[string, Change]>([
    ['an unknown board', { matColorId: 'mat-none' }],
    ['an unknown tier', { qualityTierId: 'tier-none' }],
    ['a board outside the tier', { matColorId: 'mat-navy', qualityTierId: 'tier-museum' }],
    ['a canvas', { mediaId: 'canvas-cotton-410' }],
    ['a print wider than the stock', { artworkWidthMm: '1119', artworkHeightMm: '1119' }],
  ])('%s is PRODUCT_UNAVAILABLE', (_title, change) => {
    expect(refusalOutcome([item(change)])).toEqual(unavailable);
  });
});

describe('print-and-mat', () => {
  it('is the print, the board with its cut, and a backing board', () => {
    // 420 × 520 mm outer: 3120 + 2075 + 1200 + 612
    expect(unitPrice(anItem('print-and-mat'))).toBe(7007);
  });
  it('requires a mat colour', () => {
    expect(refusalOutcome([anItem('print-and-mat', { matColorId: undefined })])).toEqual(invalid('matColorId'));
  });
  it('has no frame: its keys are ignored', () => {
    const extra = { mouldingId: 'x', glazingId: 'x', backingId: 'x' };
    expect(unitPrice(anItem('print-and-mat', extra))).toBe(unitPrice(anItem('print-and-mat')));
  });
});

describe('custom-framing', () => {
  const framing = (change: Change = {}) => anItem('custom-framing', change);
  it.each(['mouldingId', 'glazingId'])('requires %s', (name) => {
    for (const value of [undefined, '']) expect(refusalOutcome([framing({ [name]: value })])).toEqual(invalid(name));
  });
  it('omitting the mat colour gives no mat: the borders are not used', () => {
    // 420 × 594 mm: print 6486, moulding 2500 mm 12000 + 2500, glazing 3617, backing 699, assembly 3500
    for (const matSizeMm of ['60', '3', undefined]) expect(unitPrice(framing({ matColorId: undefined, matSizeMm }))).toBe(28_802);
  });
  it('omitting the backing saves its price', () => {
    expect(unitPrice(framing()) - unitPrice(framing({ backingId: undefined }))).toBe(1080);
  });
  it('a caption needs a mat', () => {
    expect(refusalOutcome([framing({ matColorId: undefined, textWindowWidthMm: '100', textWindowHeightMm: '30' })])).toEqual(
      invalid('matColorId'),
    );
  });
  it('a raised float works without a base board', () => {
    expect(() => unitPrice(framing({ ...FLOAT, matColorId: undefined, mouldingId: 'moulding-float-oak-15' }))).not.toThrow();
  });
  it.each<[string, Change]>([
    ['an unknown moulding', { mouldingId: 'moulding-none' }],
    ['an unknown glazing', { glazingId: '__proto__' }],
    ['an unknown backing', { backingId: 'backing-none' }],
    ['a raised float in a moulding that is not float-suitable', FLOAT],
    ['a side longer than the moulding is sold', { artworkWidthMm: '1000', artworkHeightMm: '2541' }],
    ['a moulding outside the tier', { mouldingId: 'moulding-pine-raw-15', qualityTierId: 'tier-museum' }],
    ['materials that share no tier', { mouldingId: 'moulding-pine-raw-15', glazingId: 'glazing-museum-acrylic-3' }],
    ['materials that share no tier all together', { mouldingId: 'moulding-gilt-gold-25', matColorId: 'mat-navy' }],
  ])('%s is PRODUCT_UNAVAILABLE', (_title, change) => {
    expect(refusalOutcome([framing(change)])).toEqual(unavailable);
  });
  it('the longest side that fits is accepted: 2540 with mat and mitres is 2700', () => {
    expect(() => unitPrice(framing({ artworkWidthMm: '1000', artworkHeightMm: '2540' }))).not.toThrow();
  });
  it.each<[string, Change]>([
    ['unrestricted materials fit every tier', { glazingId: 'glazing-clear-acrylic-2', qualityTierId: 'tier-essential' }],
    [
      'every restricted material carries the tier',
      { mouldingId: 'moulding-walnut-20', matColorId: 'mat-rag-white', qualityTierId: 'tier-conservation' },
    ],
    [
      'materials share a tier without one selected',
      { mouldingId: 'moulding-walnut-20', glazingId: 'glazing-museum-acrylic-3', matColorId: 'mat-rag-antique' },
    ],
  ])('%s', (_title, change) => {
    expect(() => unitPrice(framing(change))).not.toThrow();
  });
  it('the message names the tiers', () => {
    const { message } = refusal([framing({ glazingId: 'glazing-uv-acrylic-3', qualityTierId: 'tier-essential' })]);
    expect(message).toContain('it is in tier-conservation or tier-museum');
  });
  it('a material in no tier is available nowhere', () => {
    const glazing = SEED_CATALOGUE.glazing.map((row) => ({ ...row, qualityTierIds: [] }));
    expect(refusalOutcome([framing()], { catalogue: catalogueWith({ glazing }) })).toEqual(unavailable);
  });
  it('a material without a price is PRODUCT_UNAVAILABLE', () => {
    const books = [
      { ...FIRST_PRICE_BOOK, mouldings: { ...FIRST_PRICE_BOOK.mouldings, centsPerMetreById: {} } },
      { ...FIRST_PRICE_BOOK, glazing: { defaultCentsPerSqm: null, centsPerSqmById: {} } },
      { ...FIRST_PRICE_BOOK, print: { byMediaId: {}, classes: { ...FIRST_PRICE_BOOK.print.classes, museum: null } } },
    ];
    for (const book of books) expect(refusalOutcome([framing()], { book })).toEqual(unavailable);
  });
  it('a withdrawn material is named as such', () => {
    const catalogue = catalogueWith({ mouldings: SEED_CATALOGUE.mouldings.filter(({ id }) => id !== 'moulding-oak-natural-20') });
    const { code, message } = refusal([framing()], { catalogue, withdrawn: (section) => section === 'mouldings' });
    expect([code, message]).toEqual(['PRODUCT_UNAVAILABLE', expect.stringContaining('has been withdrawn; try mouldingId moulding-')]);
  });
});

describe('canvas-printing', () => {
  const canvas = (change: Change = {}) => anItem('canvas-printing', change);
  it.each<[string, Change, number]>([
    ['stretched over 30 mm', {}, 6475 + 8160],
    ['stretched over 18 mm', { depth: '18mm' }, 6475 + 6960],
    ['stretched over 38 mm', { depth: '38mm' }, 6475 + 9360],
    ['any other format is stretched', { format: 'gallery' }, 6475 + 8160],
    ['the empty format too', { format: '' }, 6475 + 8160],
    ['rolled', { format: 'print-only', depth: undefined }, 6475],
    ['the depth of a rolled canvas is ignored', { format: 'print-only', depth: 'x' }, 6475],
    ['a finish by area', { finish: 'satin' }, 6475 + 8160 + 1575],
    ['a finish on a rolled canvas', { format: 'print-only', finish: 'gloss' }, 6475 + 1820],
    ['a float frame', { mouldingId: 'moulding-float-black-12' }, 6475 + 8160 + 12_880 + 2500],
    ['keys of other products', { qualityTierId: 'x', matColorId: 'x', sleeve: 'x', borderMm: 'x' }, 6475 + 8160],
  ])('%s', (_title, change, cents) => {
    expect(unitPrice(canvas(change))).toBe(cents);
  });
  it.each<[string, Change, string]>([
    ['no format', { format: undefined }, 'format'],
    ['no depth', { depth: undefined }, 'depth'],
    ['a depth without its unit', { depth: '30' }, 'depth'],
    ['an unknown depth', { depth: '25mm' }, 'depth'],
    ['an unknown finish', { finish: 'lacquer' }, 'finish'],
    ['a float frame on a rolled canvas', { format: 'print-only', mouldingId: 'moulding-float-black-12' }, 'mouldingId'],
    ['a float frame on 18 mm bars', { depth: '18mm', mouldingId: 'moulding-float-black-12' }, 'mouldingId'],
    ['a float frame on 38 mm bars', { depth: '38mm', mouldingId: 'moulding-float-black-12' }, 'mouldingId'],
  ])('%s is VALIDATION_ERROR', (_title, change, name) => {
    expect(refusalOutcome([canvas(change)])).toEqual(invalid(name));
  });
  it.each<[string, Change]>([
    ['a paper', { mediaId: 'media-cotton-rag-310' }],
    ['an Everyday Art stock', { mediaId: 'everyday-matte-200' }],
    ['a moulding that is not float-suitable', { mouldingId: 'moulding-oak-natural-20' }],
    ['an unknown moulding', { mouldingId: 'moulding-none' }],
    ['a side longer than the moulding is sold', { artworkHeightMm: '2677', mouldingId: 'moulding-float-black-12' }],
    ['wider than the stock', { artworkWidthMm: '1119', artworkHeightMm: '2000' }],
  ])('%s is PRODUCT_UNAVAILABLE', (_title, change) => {
    expect(refusalOutcome([canvas(change)])).toEqual(unavailable);
  });
  it('the message names what would work', () => {
    expect(refusal([canvas({ finish: 'lacquer' })]).message).toContain('"matte", "satin" or "gloss"');
    expect(refusal([canvas({ mouldingId: 'moulding-oak-natural-20' })]).message).toContain('moulding-float-black-12');
  });
  it('keeps known selections unchanged for production', () => {
    const { jobs } = priceItems([canvas({ finish: 'satin', unknown: 'x', qualityTierId: 'x' })]);
    expect(jobs).toEqual([
      {
        productSlug: 'canvas-printing',
        quantity: 1,
        imageUrl: expect.any(String),
        selections: {
          artworkWidthMm: '500',
          artworkHeightMm: '700',
          mediaId: 'canvas-cotton-410',
          format: 'stretched',
          depth: '30mm',
          finish: 'satin',
        },
        cuts: expect.any(Array),
      },
    ]);
  });
});
