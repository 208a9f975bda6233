import fc from 'fast-check';
import type { ApiError } from '../../../../src/domain/errors';
import { priceQuote } from '../../../../src/domain/pricing';
import { ORDERABLE_PRODUCTS } from '../../../../src/domain/products';
import type { QuoteItem } from '../../../../src/domain/basket/quote-request';
import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { anInput, anItem, priceItems, refusal, catalogueWith, type InputOverrides } from './basket';
import { propertyRuns } from '../../../support/property-runs';

type Change = Record<string, string | undefined>;
interface Details {
  line: number;
  path: string;
  id?: string;
  alternatives?: string[];
}
const LINE_CODES = [
  'PRODUCT_UNAVAILABLE',
  'PRODUCT_UNSUPPORTED',
  'INVALID_QUANTITY',
  'MAT_BELOW_MINIMUM',
  'ARTWORK_REQUIRED',
  'ARTWORK_NOT_ALLOWED',
];

/** The item with `id` at `path`, for any line. */
function replaceId(item: QuoteItem, path: string, id: string): QuoteItem {
  const [, , field = '', key = ''] = path.split('.');
  return field === 'productSlug' ? { ...item, productSlug: id } : { ...item, variantSelections: { ...item.variantSelections, [key]: id } };
}

/** The details of this basket's refusal. Requests a quote with each alternative. */
function detailsOf(items: QuoteItem[], over: InputOverrides = {}): Details {
  const details = refusal(items, over).details as unknown as Details;
  for (const id of details.alternatives ?? []) {
    const corrected = items.map((item, index) => (index === details.line ? replaceId(item, details.path, id) : item));
    expect(() => priceItems(corrected, over)).not.toThrow();
  }
  return details;
}
const framing = (change: Change = {}) => anItem('custom-framing', change);
const fineArt = (change: Change = {}) => anItem('fine-art-printing', change);
const canvas = (change: Change = {}) => anItem('canvas-printing', change);

describe('the details of a line refusal', () => {
  it.each<[string, QuoteItem, string, string | undefined, string[]]>([
    [
      'an unknown paper: the most similar ones',
      fineArt({ mediaId: 'media-cotton-rag-300' }),
      'mediaId',
      'media-cotton-rag-300',
      ['media-cotton-rag-310', 'media-cotton-rag-188', 'media-cotton-textured-310', 'media-baryta-cotton-315', 'media-etching-350'],
    ],
    [
      'wider than the stock: papers of sufficient width',
      fineArt({ artworkWidthMm: '1200', artworkHeightMm: '1300' }),
      'mediaId',
      'media-cotton-rag-310',
      ['media-gloss-260', 'media-studio-satin', 'media-lustre-260'],
    ],
    [
      'wider than all except one',
      fineArt({ artworkWidthMm: '1600', artworkHeightMm: '1700' }),
      'mediaId',
      'media-cotton-rag-310',
      ['media-studio-satin'],
    ],
    [
      'a paper without torn edge',
      fineArt({ mediaId: 'media-gloss-260', tornEdge: 'true', artworkWidthMm: '1000', artworkHeightMm: '1000' }),
      'mediaId',
      'media-gloss-260',
      ['media-cotton-rag-310', 'media-etching-350', 'media-cotton-textured-310', 'media-cotton-rag-188'],
    ],
    ['a sleeve that is too small', fineArt({ sleeve: 'A4' }), 'sleeve', 'A4', ['A2', 'A1']],
    [
      'a tier that does not exist',
      framing({ qualityTierId: 'tier-gold' }),
      'qualityTierId',
      'tier-gold',
      ['tier-conservation', 'tier-museum'],
    ],
    [
      'a glazing outside the tier',
      framing({ glazingId: 'glazing-clear-glass-2', qualityTierId: 'tier-museum' }),
      'glazingId',
      'glazing-clear-glass-2',
      ['glazing-uv-acrylic-3', 'glazing-museum-acrylic-3', 'glazing-clear-acrylic-2'].sort(),
    ],
    [
      'a moulding that is too short',
      framing({ artworkWidthMm: '1000', artworkHeightMm: '2600' }),
      'mouldingId',
      'moulding-oak-natural-20',
      [],
    ],
    [
      'a moulding that cannot float',
      canvas({ mouldingId: 'moulding-walnut-20' }),
      'mouldingId',
      'moulding-walnut-20',
      [
        'moulding-float-walnut-15',
        'moulding-float-oak-15',
        'moulding-float-black-12',
        'moulding-float-white-12',
        'moulding-museum-maple-35',
      ],
    ],
    ['a paper on a canvas line', canvas({ mediaId: 'media-cotton-rag-310' }), 'mediaId', 'media-cotton-rag-310', []],
  ])('%s', (_title, item, key, id, expected) => {
    const details = detailsOf([fineArt(), item]);
    expect(details).toMatchObject({ line: 1, path: `items.1.variantSelections.${key}`, id });
    if (expected.length > 0) expect([...(details.alternatives ?? [])].sort()).toEqual([...expected].sort());
    expect((details.alternatives ?? []).length).toBeLessThanOrEqual(5);
  });

  it('a paper on a canvas line: canvases of sufficient width', () => {
    const details = detailsOf([canvas({ mediaId: 'media-cotton-rag-310', artworkWidthMm: '1400', artworkHeightMm: '1500' })]);
    expect(details.alternatives).toContain('canvas-polycotton-380');
    expect(details.alternatives).not.toContain('canvas-cotton-410');
  });

  it.each<[string, QuoteItem, Details]>([
    ['a quantity', anItem('custom-framing', {}, { quantity: 251 }), { line: 0, path: 'items.0.quantity' }],
    ['a mat border for all sides', anItem('print-and-mat', { matSizeMm: '10' }), { line: 0, path: 'items.0.variantSelections.matSizeMm' }],
    [
      'one side of a mat',
      anItem('print-and-mat', { matSizeMm: undefined, matTopMm: '30', matRightMm: '30', matBottomMm: '3', matLeftMm: '4' }),
      { line: 0, path: 'items.0.variantSelections.matBottomMm' },
    ],
    ['artwork that is missing', anItem('canvas-printing', {}, { imageUrl: null }), { line: 0, path: 'items.0.imageUrl' }],
    ['artwork of another account', anItem('canvas-printing', {}, { imageUrl: 'https://x.test/' }), { line: 0, path: 'items.0.imageUrl' }],
    ['an unknown product, without selections', anItem('scanning'), { line: 0, path: 'items.0.productSlug', id: 'scanning' }],
    [
      'an unknown product, with the selections of another',
      { ...fineArt(), productSlug: 'mounted-print' },
      { line: 0, path: 'items.0.productSlug', id: 'mounted-print', alternatives: ['fine-art-printing'] },
    ],
    [
      'an id above the maximum length',
      fineArt({ mediaId: 'x'.repeat(5000) }),
      { line: 0, path: 'items.0.variantSelections.mediaId', alternatives: expect.any(Array) as unknown as string[] },
    ],
  ])('%s', (_title, item, expected) => {
    expect(detailsOf([item])).toEqual(expected);
  });

  it('materials without a common tier: the last one that has an alternative', () => {
    const details = detailsOf([
      framing({ glazingId: 'glazing-museum-acrylic-3', backingId: 'backing-mdf-3', matColorId: undefined, matSizeMm: undefined }),
    ]);
    expect(details).toMatchObject({ path: 'items.0.variantSelections.backingId', id: 'backing-mdf-3' });
    expect(details.alternatives).toContain('backing-composite-3');
  });

  it('a material outside the tier without alternatives inside it: another tier', () => {
    const glazing = SEED_CATALOGUE.glazing.filter(({ id }) => id === 'glazing-clear-glass-2');
    expect(
      detailsOf([framing({ glazingId: 'glazing-clear-glass-2', qualityTierId: 'tier-museum' })], { catalogue: catalogueWith({ glazing }) }),
    ).toEqual({ line: 0, path: 'items.0.variantSelections.qualityTierId', id: 'tier-museum', alternatives: ['tier-essential'] });
  });

  it('materials without a price or above the ceiling are not alternatives', () => {
    const unpriced = {
      ...FIRST_PRICE_BOOK,
      glazing: { defaultCentsPerSqm: null, centsPerSqmById: { 'glazing-clear-acrylic-2': 8500, 'glazing-museum-acrylic-3': 36_000 } },
    };
    const item = framing({ glazingId: 'none' });
    expect(detailsOf([item], { book: unpriced }).alternatives).toEqual(['glazing-clear-acrylic-2', 'glazing-museum-acrylic-3']);
    const cheap = priceItems([framing({ glazingId: 'glazing-clear-acrylic-2' })]).lines[0]?.amountCents ?? 0;
    expect(detailsOf([item], { book: { ...unpriced, lineCeilingCents: cheap } }).alternatives).toEqual(['glazing-clear-acrylic-2']);
  });

  it('alternatives are absent if none would work', () => {
    expect(detailsOf([framing({ glazingId: 'none' })], { catalogue: catalogueWith({ glazing: [] }) })).toEqual({
      line: 0,
      path: 'items.0.variantSelections.glazingId',
      id: 'none',
    });
  });

  it('any number of unknown keys is ignored', () => {
    const many = Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`k${index}`, 'x']));
    const [item, other] = [fineArt({ mediaId: 'nope' }), fineArt({ mediaId: 'nope' })];
    expect(detailsOf([{ ...item, variantSelections: { ...many, ...item.variantSelections } }])).toEqual(detailsOf([other]));
  });
});

describe('any refusal', () => {
  const IDS = Object.values(SEED_CATALOGUE).flatMap((rows: readonly object[]) => rows.map((row) => String(Object.values(row)[0])));
  const KEYS = [...new Set([...ORDERABLE_PRODUCTS.values()].flatMap(({ keys }) => keys))];
  const slug = fc.constantFrom(...ORDERABLE_PRODUCTS.keys());
  const near = fc
    .tuple(
      slug,
      fc.dictionary(
        fc.constantFrom(...KEYS),
        fc.oneof(fc.constantFrom(...IDS, 'true', '10', '600', '1119', '2600', 'none', 'black'), fc.string()),
        { maxKeys: 2 },
      ),
      fc.integer({ min: 1, max: 400 }),
      fc.option(fc.constantFrom('scanning', ...ORDERABLE_PRODUCTS.keys())),
    )
    .map(([good, change, quantity, other]): QuoteItem => ({ ...anItem(good, change, { quantity }), productSlug: other ?? good }));

  it('names its line, and each listed alternative gets a quote', () => {
    let quoted = 0;
    const runs = propertyRuns(1500);
    fc.assert(
      fc.property(fc.array(near, { minLength: 1, maxLength: 3 }), (items) => {
        try {
          priceQuote(anInput(items));
        } catch (error) {
          const { code, details, message } = error as ApiError;
          if (!LINE_CODES.includes(code)) return;
          expect(details).toEqual({
            line: expect.any(Number),
            path: expect.stringMatching(/^items\.\d+\./),
            ...(details?.['id'] === undefined ? {} : { id: expect.any(String) }),
            ...(details?.['alternatives'] === undefined ? {} : { alternatives: expect.any(Array) }),
            ...(details?.['others'] === undefined ? {} : { others: expect.any(Array) }),
          });
          const { line, path, alternatives = [] } = details as unknown as Details;
          expect(path.startsWith(`items.${line}.`)).toBe(true);
          expect(alternatives.length).toBeLessThanOrEqual(5);
          expect(alternatives.every((id) => message.includes(id))).toBe(true);
          for (const id of alternatives) {
            const corrected = replaceId(items[line] ?? anItem('fine-art-printing'), path, id);
            expect(priceItems([corrected]).lines).toHaveLength(1);
            quoted += 1;
          }
        }
      }),
      runs,
    );
    expect(quoted).toBeGreaterThan(runs.numRuns / 5);
  });
});
