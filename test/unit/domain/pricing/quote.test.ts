import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import type { QuoteItem } from '../../../../src/domain/basket/quote-request';
import { anAddress, anItem, refusalOutcome, priceItems, refusal, catalogueWith, type InputOverrides } from './basket';

const INVALID_CHANGES = {
  product: (item: QuoteItem): QuoteItem => ({ ...item, productSlug: 'scanning' }),
  quantity: (item: QuoteItem): QuoteItem => ({ ...item, quantity: 990 }),
  keys: (item: QuoteItem): QuoteItem => ({ ...item, variantSelections: { ...item.variantSelections, artworkWidthMm: 'x' } }),
  materials: (item: QuoteItem): QuoteItem => ({ ...item, variantSelections: { ...item.variantSelections, glazingId: 'none' } }),
  borders: (item: QuoteItem): QuoteItem => ({ ...item, variantSelections: { ...item.variantSelections, matSizeMm: '1' } }),
  artwork: (item: QuoteItem): QuoteItem => ({ ...item, imageUrl: 'https://elsewhere.test/x' }),
};
const CHECK_ORDER = [
  ['product', 'PRODUCT_UNSUPPORTED'],
  ['quantity', 'INVALID_QUANTITY'],
  ['keys', 'VALIDATION_ERROR'],
  ['materials', 'PRODUCT_UNAVAILABLE'],
  ['borders', 'MAT_BELOW_MINIMUM'],
  ['artwork', 'ARTWORK_NOT_ALLOWED'],
] as const;

describe('the order of the checks of a line', () => {
  it.each(CHECK_ORDER.map(([name, code], at) => ({ name, code, at })))('$name precedes all later checks: $code', ({ code, at }) => {
    const item = CHECK_ORDER.slice(at).reduce((result, [name]) => INVALID_CHANGES[name](result), anItem('custom-framing'));
    expect(refusalOutcome([item], { request: { shippingMethodId: null } }).code).toBe(code);
  });
  it('the first invalid line is reported before the second', () => {
    const items = [INVALID_CHANGES.artwork(anItem('custom-framing')), INVALID_CHANGES.product(anItem('custom-framing'))];
    expect(refusalOutcome(items).code).toBe('ARTWORK_NOT_ALLOWED');
  });
  it('the address comes before the lines, the shipping after them', () => {
    const items = [INVALID_CHANGES.product(anItem('custom-framing'))];
    expect(refusalOutcome(items, { request: { shippingAddress: anAddress({ country: 'XX' }) } }).code).toBe('SHIPPING_ADDRESS_INCOMPLETE');
    expect(refusalOutcome(items, { request: { shippingAddress: anAddress({ country: 'AQ' }) } }).code).toBe('PRODUCT_UNSUPPORTED');
  });
});

describe('artwork', () => {
  it.each<[string, Partial<QuoteItem>, string]>([
    ['none', { imageUrl: undefined }, 'ARTWORK_REQUIRED'],
    ['null', { imageUrl: null }, 'ARTWORK_REQUIRED'],
    ['of another account', { imageUrl: 'https://storage.test/artwork/2.tif' }, 'ARTWORK_NOT_ALLOWED'],
    ['almost the same', { imageUrl: 'https://storage.test/artwork/1.tif?' }, 'ARTWORK_NOT_ALLOWED'],
  ])('%s', (_title, over, code) => {
    const error = refusal([anItem('fine-art-printing'), anItem('fine-art-printing', {}, { ...over, externalReference: 'PO 9' })]);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^items\.1 \("PO 9"\): /);
  });
  it('may be missing if it is optional, but must belong to the account if sent', () => {
    const products = SEED_CATALOGUE.products.map((row) => ({ ...row, requiresArtwork: false }));
    const over: InputOverrides = { catalogue: catalogueWith({ products }) };
    expect(priceItems([anItem('fine-art-printing', {}, { imageUrl: null })], over).jobs[0]?.imageUrl).toBeNull();
    expect(refusalOutcome([anItem('fine-art-printing', {}, { imageUrl: 'https://x.test/' })], over).code).toBe('ARTWORK_NOT_ALLOWED');
  });
});

describe('quantities and the ladder', () => {
  it.each([
    [1, 3120],
    [4, 3120],
    [5, 2964],
    [9, 2964],
    [10, 2808],
    [24, 2808],
    [25, 2652],
    [49, 2652],
    [50, 2496],
    [990, 2496],
  ])('%i pieces cost %i each', (quantity, unitPriceCents) => {
    const [line] = priceItems([anItem('fine-art-printing', {}, { quantity })]).lines;
    expect(line).toMatchObject({ quantity, unitPriceCents, amountCents: unitPriceCents * quantity });
  });
  it('the ladder counts per line, not per basket', () => {
    const lines = priceItems(Array.from({ length: 5 }, () => anItem('fine-art-printing'))).lines;
    expect(lines.map(({ unitPriceCents }) => unitPriceCents)).toEqual([3120, 3120, 3120, 3120, 3120]);
  });
  it.each([
    ['custom-framing', 251],
    ['canvas-printing', 251],
    ['print-and-mat', 501],
  ])('%s does not allow %i', (slug, quantity) => {
    const error = refusal([anItem(slug, {}, { quantity })]);
    expect([error.code, error.message]).toEqual(['INVALID_QUANTITY', expect.stringContaining(`send 1 to ${quantity - 1}`)]);
  });
});

describe('the ceiling of a line', () => {
  const giant = { artworkWidthMm: '99999', artworkHeightMm: '99999', mediaId: 'media-studio-satin' };
  it('refuses unrealistic prices at the line', () => {
    expect(refusalOutcome([anItem('fine-art-printing'), anItem('fine-art-printing', giant)])).toEqual({
      code: 'VALIDATION_ERROR',
      paths: ['items.1'],
    });
  });
  it('says which quantity would work', () => {
    const large = { artworkWidthMm: '5000', artworkHeightMm: '5000', mediaId: 'media-studio-satin' };
    expect(refusal([anItem('fine-art-printing', large, { quantity: 990 })]).message).toContain('a quantity of 172 or less');
  });
  it('cannot be bypassed by borders', () => {
    expect(refusalOutcome([anItem('fine-art-printing', { ...giant, borderMm: '99999' }, { quantity: 990 })]).code).toBe('VALIDATION_ERROR');
  });
});

describe('messages', () => {
  it('shorten text of the caller', () => {
    const { message } = refusal([anItem('fine-art-printing', { mediaId: `${'x'.repeat(100_000)}\n` })]);
    expect(message.length).toBeLessThan(500);
  });
  it('echo the external reference on the line', () => {
    expect(priceItems([anItem('fine-art-printing', {}, { externalReference: '' })]).lines[0]?.externalReference).toBe('');
  });
});
