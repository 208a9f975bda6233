import type { Cut } from '../../../src/domain/products/cuts';
import { SEED_CATALOGUE } from '../../../src/db/seed/catalogue';
import { anItem, catalogueWith, priceItems } from '../domain/pricing/basket';
import { readPage } from './markdown';

const EXAMPLES = readPage('docs/cutting.md').table('Examples');
const NONE = '–';
const readSize = (text: string): [string, string] => text.split(' × ') as [string, string];

function selectionsOf([artwork = '', mat = '', caption = '', float = '', moulding = '']: string[]): Record<string, string | undefined> {
  const [width, height] = readSize(artwork);
  const sides = mat.split(' ');
  const [captionWidth, captionHeight] = caption === NONE ? [] : readSize(caption);
  return {
    artworkWidthMm: width,
    artworkHeightMm: height,
    mouldingId: moulding,
    matColorId: mat === 'none' ? undefined : 'mat-white',
    matSizeMm: sides.length === 1 && mat !== 'none' ? mat : undefined,
    ...(sides.length === 4 && { matTopMm: sides[0], matRightMm: sides[1], matBottomMm: sides[2], matLeftMm: sides[3] }),
    textWindowWidthMm: captionWidth,
    textWindowHeightMm: captionHeight,
    ...(float !== NONE && { raisedFloat: 'true', raisedFloatDepthMm: float, raisedFloatRiserColour: float === '6' ? 'black' : undefined }),
  };
}

const cutsOf = (slug: string, change: Record<string, string | undefined>, over = {}): Cut[] =>
  priceItems([anItem(slug, change)], over).jobs[0]?.cuts ?? [];

it('has ten examples', () => expect(EXAMPLES).toHaveLength(10));

it.each(EXAMPLES.map((row) => [row.slice(0, 5).join(', '), row] as const))('%s', (_title, row) => {
  const [artwork = '', mat, , float = '', moulding = '', rebate = '', windows = '', length, riser] = row;
  const [widthMm, heightMm] = readSize(rebate).map(Number);
  const size = { widthMm, heightMm };
  const [printWidth, printHeight] = readSize(artwork).map(Number);
  const board = float === NONE ? 'mat' : 'base-board';
  const expected = [
    { code: 'print', materialId: 'media-cotton-rag-310', widthMm: printWidth, heightMm: printHeight },
    { code: 'moulding', materialId: moulding, ...size, lengthMm: Number(length) },
    { code: 'glazing', materialId: 'glazing-uv-acrylic-3', ...size },
    ...(mat === 'none'
      ? []
      : [
          {
            code: board,
            materialId: 'mat-white',
            ...size,
            ...(windows !== NONE && {
              windows: windows.split('; ').map((text) => {
                const [width, height, left, top] = text.match(/\d+/g)?.map(Number) ?? [];
                return { widthMm: width, heightMm: height, leftMm: left, topMm: top };
              }),
            }),
          },
        ]),
    ...(riser === NONE
      ? []
      : [
          {
            code: 'raised-float',
            materialId: float === '6' ? '6mm-black' : `${float}mm`,
            widthMm: printWidth,
            heightMm: printHeight,
            lengthMm: Number(riser),
          },
        ]),
    { code: 'backing', materialId: 'backing-foam-5', ...size },
  ];
  expect(cutsOf('custom-framing', selectionsOf(row))).toEqual(expected);
});

it('the allowance of a moulding replaces the eight widths', () => {
  const mouldings = SEED_CATALOGUE.mouldings.map((moulding) => ({ ...moulding, cuttingAllowanceMm: 100 }));
  const [, moulding] = cutsOf('custom-framing', {}, { catalogue: catalogueWith({ mouldings }) });
  expect(moulding).toMatchObject({ code: 'moulding', lengthMm: 2 * (540 + 714) + 100 });
});

it.each<[string, Record<string, string>, Cut[]]>([
  [
    'canvas-printing',
    {},
    [
      { code: 'print', materialId: 'canvas-cotton-410', widthMm: 500, heightMm: 700 },
      { code: 'stretching', materialId: '30mm', widthMm: 500, heightMm: 700, lengthMm: 2400 },
    ],
  ],
  ['canvas-printing', { format: 'print-only' }, [{ code: 'print', materialId: 'canvas-cotton-410', widthMm: 500, heightMm: 700 }]],
  [
    'fine-art-printing',
    { borderMm: '20', tornEdge: 'true' },
    [{ code: 'print', materialId: 'media-cotton-rag-310', widthMm: 370, heightMm: 470 }],
  ],
  [
    'fine-art-printing',
    { borderMm: '20', borderMode: 'inside' },
    [{ code: 'print', materialId: 'media-cotton-rag-310', widthMm: 300, heightMm: 400 }],
  ],
  ['everyday-art-prints', {}, [{ code: 'print', materialId: 'everyday-matte-200', widthMm: 148, heightMm: 210 }]],
  [
    'print-and-mat',
    {},
    [
      { code: 'print', materialId: 'media-cotton-rag-310', widthMm: 300, heightMm: 400 },
      {
        code: 'mat',
        materialId: 'mat-white',
        widthMm: 420,
        heightMm: 520,
        windows: [{ widthMm: 300, heightMm: 400, leftMm: 60, topMm: 60 }],
      },
      { code: 'backing-board', materialId: null, widthMm: 420, heightMm: 520 },
    ],
  ],
])('%s %j', (slug, change, cuts) => {
  expect(cutsOf(slug, change)).toEqual(cuts);
});
