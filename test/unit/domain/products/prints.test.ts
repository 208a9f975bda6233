import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { anItem, refusalOutcome, refusal, unitPrice, catalogueWith } from '../pricing/basket';

const key = (name: string): string[] => [`items.0.variantSelections.${name}`];
type Change = Record<string, string | undefined>;
const invalid = (name: string) => ({ code: 'VALIDATION_ERROR', paths: key(name) });
const unavailable = { code: 'PRODUCT_UNAVAILABLE', paths: undefined };

describe('whole millimetres, on every product', () => {
  const slugs = ['fine-art-printing', 'everyday-art-prints', 'print-and-mat', 'custom-framing', 'canvas-printing'];
  const bad = [undefined, '', '0', '-1', '1.5', '1e3', ' 300', '300 ', '0300', '100000', '300mm', '٣٠٠', 'NaN', '300\n'];
  it.each(slugs.flatMap((slug) => ['artworkWidthMm', 'artworkHeightMm'].map((name) => [slug, name])))('%s refuses bad %s', (slug, name) => {
    for (const value of bad) expect(refusalOutcome([anItem(slug, { [name]: value })])).toEqual(invalid(name));
  });
  it.each(slugs)('%s requires its material', (slug) => {
    for (const value of [undefined, '']) expect(refusalOutcome([anItem(slug, { mediaId: value })])).toEqual(invalid('mediaId'));
  });
});

describe('fine-art-printing', () => {
  const fineArt = (change: Change = {}) => anItem('fine-art-printing', change);
  it.each<[string, Change, number]>([
    ['the bare print', {}, 3120],
    ['a border adds paper around it', { borderMm: '20' }, 3890],
    ['borderMode accepts any text: another value adds paper', { borderMm: '20', borderMode: 'INSIDE' }, 3890],
    ['an inside border adds none', { borderMm: '20', borderMode: 'inside' }, 3120],
    ['a border of 0 adds none', { borderMm: '0' }, 3120],
    ['a borderMode without a border has no effect', { borderMode: 'inside' }, 3120],
    ['a torn edge adds paper and a fee', { tornEdge: 'true' }, 3689 + 1500],
    ['the fee is a fifth of a large print', { artworkWidthMm: '970', artworkHeightMm: '1470', tornEdge: 'true' }, 39_000 + 7800],
    ['a torn edge is on for exactly true', { tornEdge: 'TRUE' }, 3120],
    ['a torn edge is off for false', { tornEdge: 'false' }, 3120],
    ['an inside border and a torn edge', { borderMm: '20', borderMode: 'inside', tornEdge: 'true' }, 3689 + 1500],
    ['a sleeve', { sleeve: 'A2' }, 3120 + 650],
    ['a sleeve turned by 90 degrees', { artworkWidthMm: '297', artworkHeightMm: '210', sleeve: 'A4' }, 1622 + 350],
    ['a house paper', { mediaId: 'media-lustre-260' }, 1740],
    ['one millimetre wide', { artworkWidthMm: '1' }, 1200],
    ['the minimum of a museum paper', { artworkWidthMm: '10', artworkHeightMm: '10' }, 1200],
    ['the minimum of a house paper', { artworkWidthMm: '10', artworkHeightMm: '10', mediaId: 'media-gloss-260' }, 900],
    ['unknown keys and those of other products', { depth: 'x', matSizeMm: 'x', raisedFloat: 'true', unknown: '', constructor: 'x' }, 3120],
    ['exactly as wide as the stock', { artworkWidthMm: '1118', artworkHeightMm: '1118' }, 32_498],
    ['the long edge has no limit', { artworkWidthMm: '1118', artworkHeightMm: '9000' }, 261_612],
    ['no limit for a stock without one', { artworkWidthMm: '3000', artworkHeightMm: '3000', mediaId: 'media-studio-satin' }, 130_500],
  ])('%s', (_title, change, cents) => {
    expect(unitPrice(fineArt(change))).toBe(cents);
  });
  it.each<[string, Change, string]>([
    ['a negative border', { borderMm: '-1' }, 'borderMm'],
    ['an empty border', { borderMm: '' }, 'borderMm'],
    ['a border with a leading zero', { borderMm: '00' }, 'borderMm'],
    ['an inside border that leaves no image', { borderMm: '150', borderMode: 'inside' }, 'borderMm'],
    ['an empty sleeve', { sleeve: '' }, 'sleeve'],
  ])('%s is VALIDATION_ERROR', (_title, change, name) => {
    expect(refusalOutcome([fineArt(change)])).toEqual(invalid(name));
  });
  it.each<[string, Change]>([
    ['an unknown paper', { mediaId: 'media-none' }],
    ['a key of the prototype', { mediaId: 'constructor' }],
    ['an id in another case', { mediaId: 'MEDIA-COTTON-RAG-310' }],
    ['a canvas', { mediaId: 'canvas-cotton-410' }],
    ['an Everyday Art stock', { mediaId: 'everyday-matte-200' }],
    ['a torn edge that the stock does not support', { tornEdge: 'true', mediaId: 'media-lustre-260' }],
    ['wider than the stock', { artworkWidthMm: '1119', artworkHeightMm: '1119' }],
    ['wider than the stock because of its border', { artworkWidthMm: '1100', artworkHeightMm: '1100', borderMm: '10' }],
    ['wider than the stock because of its torn edge', { artworkWidthMm: '1100', artworkHeightMm: '1100', tornEdge: 'true' }],
    ['an unknown sleeve', { sleeve: 'A7' }],
    ['a sleeve that is too small', { sleeve: 'A4' }],
    ['a sleeve smaller than print and border', { artworkWidthMm: '210', artworkHeightMm: '297', borderMm: '1', sleeve: 'A4' }],
  ])('%s is PRODUCT_UNAVAILABLE', (_title, change) => {
    expect(refusalOutcome([fineArt(change)])).toEqual(unavailable);
  });
  it('a canvas surface in the paper pool is refused', () => {
    const media = SEED_CATALOGUE.media.map((row) => ({ ...row, surfaceType: 'canvas' }));
    expect(refusalOutcome([fineArt()], { catalogue: catalogueWith({ media }) })).toEqual(unavailable);
  });
  it.each<[string, Change, RegExp]>([
    ['the width that would fit', { artworkWidthMm: '1200', artworkHeightMm: '1200' }, /1118 mm or less.*media-lustre-260/],
    ['papers that support a torn edge', { tornEdge: 'true', mediaId: 'media-gloss-260' }, /media-cotton-rag-310/],
    ['sleeves that fit', { sleeve: 'A4' }, /use A2 or A1/],
    ['near ids', { mediaId: 'media-cotton-rag-300' }, /media-cotton-rag-310/],
    ['the pool to choose from', { mediaId: 'canvas-cotton-410' }, /canvasMedia.*takes an id from its media/],
  ])('the message names %s', (_title, change, text) => {
    const { message } = refusal([anItem('fine-art-printing', change, { externalReference: 'PO 7' })]);
    expect(message).toMatch(/^items\.0 \("PO 7"\): /);
    expect(message).toMatch(text);
  });
  it('every format issue of a line is reported at once', () => {
    expect(
      refusalOutcome([fineArt({ artworkWidthMm: 'x', artworkHeightMm: undefined, mediaId: undefined, borderMm: 'y', sleeve: '' })]).paths,
    ).toEqual(['artworkWidthMm', 'artworkHeightMm', 'mediaId', 'borderMm', 'sleeve'].map((name) => `items.0.variantSelections.${name}`));
  });
});

describe('everyday-art-prints', () => {
  const everyday = (change: Change = {}) => anItem('everyday-art-prints', change);
  it.each<[string, Change, number]>([
    ['the minimum', {}, 600],
    ['A2 by area', { artworkWidthMm: '420', artworkHeightMm: '594' }, 2121],
    ['A2 in its sleeve, either way round', { artworkWidthMm: '594', artworkHeightMm: '420', sleeve: 'A2' }, 2121 + 650],
    ['A5 in an A4 sleeve', { sleeve: 'A4' }, 950],
    ['border and torn edge are keys of another product', { borderMm: 'x', tornEdge: 'true' }, 600],
  ])('%s', (_title, change, cents) => {
    expect(unitPrice(everyday(change))).toBe(cents);
  });
  it.each<[string, Change]>([
    ['a fine-art paper', { mediaId: 'media-cotton-rag-310' }],
    ['a canvas', { mediaId: 'canvas-cotton-410' }],
    ['a print larger than A2 with a sleeve', { artworkWidthMm: '421', artworkHeightMm: '594', sleeve: 'A2' }],
    ['a sleeve larger than A2', { artworkWidthMm: '594', artworkHeightMm: '841', sleeve: 'A1' }],
    ['wider than the stock', { artworkWidthMm: '1068', artworkHeightMm: '1068' }],
  ])('%s is PRODUCT_UNAVAILABLE', (_title, change) => {
    expect(refusalOutcome([everyday(change)])).toEqual(unavailable);
  });
});
