import fc from 'fast-check';
import { issuesOf, type BasketIssue } from '../../../../src/domain/basket/basket-refusal';
import type { QuoteItem } from '../../../../src/domain/basket/quote-request';
import { ApiError } from '../../../../src/domain/errors';
import { LIMITS } from '../../../../src/domain/limits';
import { priceQuote } from '../../../../src/domain/pricing';
import { ORDERABLE_PRODUCTS } from '../../../../src/domain/products';
import { propertyRuns } from '../../../support/property-runs';
import { anAddress, anInput, anItem, priceItems, refusal, type InputOverrides } from './basket';

interface Details {
  line?: number;
  path?: string;
  paths?: string[];
  others?: BasketIssue[];
  omitted?: number;
  alternatives?: string[];
}
const detailsOf = (items: QuoteItem[], over: InputOverrides = {}): Details => refusal(items, over).details as Details;
const codesAndPaths = (issues: readonly BasketIssue[] = []): [string, string][] => issues.map(({ code, path }) => [code, path]);
const allIssues = (items: QuoteItem[], over: InputOverrides = {}): [string, string][] => codesAndPaths(issuesOf(refusal(items, over)));
const itemWithoutSelections = (productSlug: string): QuoteItem => ({ productSlug, quantity: 1, variantSelections: {}, imageUrl: null });

describe('every line is checked', () => {
  it('the first invalid line determines the code, and the others are listed', () => {
    const items = [
      anItem('fine-art-printing'),
      anItem('fine-art-printing', { mediaId: 'media-cotton-rag-300' }),
      anItem('custom-framing', {}, { quantity: 251 }),
      anItem('scanning'),
      anItem('canvas-printing', {}, { imageUrl: null, externalReference: 'PO 4' }),
    ];
    const error = refusal(items);
    expect(error.code).toBe('PRODUCT_UNAVAILABLE');
    expect(error.message).toMatch(/; try mediaId media-cotton-rag-310.*; and 3 more issues$/);
    expect(error.details).toEqual({
      line: 1,
      path: 'items.1.variantSelections.mediaId',
      id: 'media-cotton-rag-300',
      alternatives: expect.arrayContaining(['media-cotton-rag-310']),
      others: [
        { code: 'INVALID_QUANTITY', line: 2, path: 'items.2.quantity', message: expect.stringContaining('send 1 to 250') },
        { code: 'PRODUCT_UNSUPPORTED', line: 3, path: 'items.3.productSlug', message: expect.stringContaining('staff-only') },
        { code: 'ARTWORK_REQUIRED', line: 4, path: 'items.4.imageUrl', message: expect.stringMatching(/^items\.4 \("PO 4"\): /) },
      ],
    });
  });

  it('one further issue is announced in the singular', () => {
    expect(refusal([anItem('scanning'), anItem('scanning')]).message).toMatch(/; and 1 more issue$/);
  });

  it('a basket with one issue has an empty list of others', () => {
    expect(detailsOf([anItem('fine-art-printing'), anItem('scanning')])).toEqual({
      line: 1,
      path: 'items.1.productSlug',
      id: 'scanning',
    });
  });
});

describe('every level of a line is checked', () => {
  it.each<[string, string[]]>([
    ['fine-art-printing', ['artworkWidthMm', 'artworkHeightMm', 'mediaId']],
    ['print-and-mat', ['artworkWidthMm', 'artworkHeightMm', 'mediaId', 'matColorId']],
    ['custom-framing', ['artworkWidthMm', 'artworkHeightMm', 'mediaId', 'mouldingId', 'glazingId']],
    ['canvas-printing', ['artworkWidthMm', 'artworkHeightMm', 'mediaId', 'format', 'depth']],
  ])('%s without selections: each missing key of each line, and the artwork', (slug, keys) => {
    const issues = [0, 1].flatMap((line) => [
      ...keys.map((key) => ['VALIDATION_ERROR', `items.${line}.variantSelections.${key}`]),
      ['ARTWORK_REQUIRED', `items.${line}.imageUrl`],
    ]);
    expect(allIssues([itemWithoutSelections(slug), itemWithoutSelections(slug)])).toEqual(issues);
    expect(detailsOf([itemWithoutSelections(slug), itemWithoutSelections(slug)]).paths).toEqual(
      keys.map((key) => `items.0.variantSelections.${key}`),
    );
  });

  it('unknown ids are reported together with missing keys', () => {
    const item = anItem('custom-framing', { artworkWidthMm: undefined, mediaId: 'x', glazingId: 'y', qualityTierId: 'z' });
    expect(allIssues([item])).toEqual([
      ['VALIDATION_ERROR', 'items.0.variantSelections.artworkWidthMm'],
      ['PRODUCT_UNAVAILABLE', 'items.0.variantSelections.mediaId'],
      ['PRODUCT_UNAVAILABLE', 'items.0.variantSelections.glazingId'],
      ['PRODUCT_UNAVAILABLE', 'items.0.variantSelections.qualityTierId'],
    ]);
  });

  it.each<[string, QuoteItem, string[]]>([
    [
      'a framed print',
      anItem(
        'custom-framing',
        { mediaId: 'x', mouldingId: 'x', glazingId: 'x', backingId: 'x', matColorId: 'x', qualityTierId: 'x', matSizeMm: '1' },
        { quantity: 990, imageUrl: 'https://elsewhere.test/' },
      ),
      ['quantity', 'mediaId', 'mouldingId', 'glazingId', 'backingId', 'matColorId', 'qualityTierId', 'matSizeMm', 'imageUrl'],
    ],
    [
      'a matted print',
      anItem('print-and-mat', { mediaId: 'x', matColorId: 'x', qualityTierId: 'x', matSizeMm: '1' }),
      ['mediaId', 'matColorId', 'qualityTierId', 'matSizeMm'],
    ],
    ['a print', anItem('fine-art-printing', { mediaId: 'x', sleeve: 'x' }), ['mediaId', 'sleeve']],
    ['an everyday print', anItem('everyday-art-prints', { mediaId: 'x', sleeve: 'A1' }), ['mediaId', 'sleeve']],
    ['a canvas', anItem('canvas-printing', { mediaId: 'x', mouldingId: 'moulding-walnut-20' }), ['mediaId', 'mouldingId']],
    [
      'materials outside a tier that are all in another tier',
      anItem('custom-framing', { glazingId: 'glazing-clear-glass-2', backingId: 'backing-mdf-3', qualityTierId: 'tier-museum' }),
      ['qualityTierId', 'qualityTierId'],
    ],
  ])('%s: materials, borders and artwork at once', (_title, item, expected) => {
    expect(allIssues([item]).map(([, path]) => path.split('.').at(-1))).toEqual(expected);
  });

  it('all issues of the address are reported together with those of the rush tier and the lines', () => {
    const shippingAddress = anAddress({ name: ' ', line1: '', city: '\t', postcode: '300' });
    const error = refusal([anItem('scanning')], { request: { shippingAddress, rushTier: 'critical' } });
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(codesAndPaths(issuesOf(error))).toEqual([
      ['VALIDATION_ERROR', 'rushTier'],
      ['SHIPPING_ADDRESS_INCOMPLETE', 'shippingAddress.postcode'],
      ['SHIPPING_ADDRESS_INCOMPLETE', 'shippingAddress.name'],
      ['SHIPPING_ADDRESS_INCOMPLETE', 'shippingAddress.line1'],
      ['SHIPPING_ADDRESS_INCOMPLETE', 'shippingAddress.city'],
      ['PRODUCT_UNSUPPORTED', 'items.0.productSlug'],
    ]);
    expect(issuesOf(error).map(({ line }) => line)).toEqual([null, null, null, null, null, 0]);
  });

  it('delivery is checked only if there are no other issues', () => {
    expect(allIssues([anItem('scanning')], { request: { shippingMethodId: 'none' } })).toEqual([
      ['PRODUCT_UNSUPPORTED', 'items.0.productSlug'],
    ]);
    expect(refusal([anItem('fine-art-printing')], { request: { shippingMethodId: 'none' } }).details).toEqual({
      shippingOptions: expect.any(Array),
    });
  });
});

describe('the list of issues is bounded', () => {
  it('by number', () => {
    const { paths, others = [], omitted } = detailsOf(Array.from({ length: 200 }, () => itemWithoutSelections('custom-framing')));
    expect([paths?.length, others.length, omitted]).toEqual([5, LIMITS.issuesListed, 200 * 6 - 5 - LIMITS.issuesListed]);
  });

  it('by bytes of UTF-8', () => {
    const item = { ...anItem('fine-art-printing', { mediaId: '🖼'.repeat(100) }), externalReference: '🖼'.repeat(128) };
    const { others = [], omitted = 0 } = detailsOf(Array.from({ length: 200 }, () => item));
    const bytes = (issues: readonly BasketIssue[]): number =>
      issues.reduce((sum, issue) => sum + Buffer.byteLength(JSON.stringify(issue)), 0);
    expect(bytes(others)).toBeLessThanOrEqual(LIMITS.issuesBytes);
    expect(bytes([...others, ...others.slice(0, 1)])).toBeGreaterThan(LIMITS.issuesBytes);
    expect(others.length + omitted).toBe(199);
  });
});

it('a basket has the same issues as its lines priced separately', () => {
  const KEYS = [...new Set([...ORDERABLE_PRODUCTS.values()].flatMap(({ keys }) => keys))];
  const value = fc.constantFrom('true', '10', '1', '600', '2600', 'none', 'black', '', 'tier-museum', 'mat-white', 'A4');
  const item = fc
    .tuple(
      fc.constantFrom('scanning', ...ORDERABLE_PRODUCTS.keys()),
      fc.dictionary(fc.constantFrom(...KEYS), fc.option(value, { nil: undefined }), { maxKeys: 3 }),
      fc.constantFrom(1, 400, 990),
      fc.constantFrom(undefined, null, 'https://elsewhere.test/'),
    )
    .map(([slug, change, quantity, imageUrl]) => anItem(slug, change, { quantity, ...(imageUrl === undefined ? {} : { imageUrl }) }));
  const issuesIn = (items: QuoteItem[]): BasketIssue[] => {
    try {
      priceQuote(anInput(items));
      return [];
    } catch (error) {
      if (error instanceof ApiError) return issuesOf(error);
      throw error;
    }
  };
  let several = 0;
  const runs = propertyRuns(600);
  fc.assert(
    fc.property(fc.array(item, { minLength: 2, maxLength: 4 }), (items) => {
      const told = codesAndPaths(issuesIn(items));
      const alone = items.flatMap((one, line) =>
        codesAndPaths(issuesIn([one])).map(([code, path]) => [code, path.replace('items.0', `items.${line}`)]),
      );
      expect(told).toEqual(alone);
      if (told.length > 1) several += 1;
      const good = items.filter((one) => issuesIn([one]).length === 0);
      if (good.length > 0) expect(priceItems(good).lines).toHaveLength(good.length);
    }),
    runs,
  );
  expect(several).toBeGreaterThan(runs.numRuns / 3);
});
