import { effectiveDpi, printedPictureSize, lowResolutionIssue } from '../../../src/domain/resolution';

const picture = (widthPx: number, heightPx: number) => ({ widthPx, heightPx });
const print = (widthMm: number, heightMm: number) => ({ widthMm, heightMm });

describe('effective resolution (ruling 60)', () => {
  it.each([
    ['an inch to an inch', picture(300, 300), print(25.4, 25.4), 300],
    ['the lower of the two axes', picture(3000, 1000), print(254, 254), 100],
    ['a landscape picture on a portrait print is turned', picture(3000, 2000), print(254, 381), 200],
    ['a portrait picture on a landscape print is turned', picture(2000, 3000), print(381, 254), 200],
    ['a landscape picture on a landscape print is not turned', picture(3000, 2000), print(381, 254), 200],
    ['never rounded up', picture(1771, 1771), print(300, 300), 149],
    ['just enough', picture(1772, 1772), print(300, 300), 150],
    ['a panorama on a square', picture(6000, 100), print(254, 254), 10],
    ['one pixel', picture(1, 1), print(1000, 1000), 0],
    ['the same for swapped width and height', picture(4000, 1500), print(200, 500), 190],
  ])('%s', (_name, pixels, printed, dpi) => {
    expect(effectiveDpi(pixels, printed)).toBe(dpi);
  });

  it.each([
    ['the size of the picture', 'canvas-printing', { artworkWidthMm: '300', artworkHeightMm: '400' }, print(300, 400)],
    ['an outside border is paper', 'fine-art-printing', { artworkWidthMm: '300', artworkHeightMm: '400', borderMm: '20' }, print(300, 400)],
    [
      'an inside border is subtracted',
      'fine-art-printing',
      { artworkWidthMm: '300', artworkHeightMm: '400', borderMm: '20', borderMode: 'inside' },
      print(260, 360),
    ],
    [
      'an inside border of zero',
      'fine-art-printing',
      { artworkWidthMm: '300', artworkHeightMm: '400', borderMode: 'inside' },
      print(300, 400),
    ],
    ['no size', 'canvas-printing', {}, null],
    ['an invalid size', 'canvas-printing', { artworkWidthMm: '0', artworkHeightMm: 'x' }, null],
  ])('%s', (_name, productSlug, selections, size) => {
    expect(printedPictureSize({ productSlug, selections })).toEqual(size);
  });

  it('a picture that is too small gets a message with the needed size; a larger one gets none', () => {
    expect(lowResolutionIssue(2, picture(1200, 800), print(600, 400))).toBe(
      'line 2 (the 3rd): the picture has 1200 × 800 pixels; at 600 × 400 mm that is 50 dpi, below the minimum of 150; send a picture of at least 3544 × 2363 pixels, or order a print of at most 203 × 135 mm',
    );
    expect(lowResolutionIssue(0, picture(1, 1), print(600, 400))).toMatch(/; send a picture of at least 3544 × 2363 pixels$/);
    expect(lowResolutionIssue(1, picture(3544, 2363), print(600, 400))).toBeNull();
  });
});
