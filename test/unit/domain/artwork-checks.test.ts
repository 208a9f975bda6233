import { checkArtwork } from '../../../src/domain/artwork-checks';
import { Random } from '../../support/random';

const ok = { state: 'ok', widthPx: 3600, heightPx: 4800, hasProfile: true, pages: 1 } as const;
const job = (widthMm: number, heightMm: number, more: Record<string, string> = {}) => ({
  productSlug: 'fine-art-printing',
  selections: { artworkWidthMm: String(widthMm), artworkHeightMm: String(heightMm), ...more },
});

describe('the checks of artwork (ruling 96)', () => {
  it('before the inspection nothing is known', () => {
    expect(checkArtwork(null, job(300, 400))).toEqual({
      state: 'pending',
      widthPx: null,
      heightPx: null,
      effectiveDpi: null,
      shapeDifferencePercent: null,
      warnings: [],
    });
  });

  it.each([
    ['the same shape', ok, job(300, 400), 0, []],
    ['the same shape, turned', ok, job(400, 300), 0, []],
    ['exactly one percent', { ...ok, widthPx: 3030, heightPx: 3000 }, job(300, 300), 1, []],
    ['just above', { ...ok, widthPx: 3031, heightPx: 3000 }, job(300, 300), 1, ['ARTWORK_SHAPE_DIFFERS']],
    ['2:3 on 4:5', { ...ok, widthPx: 4000, heightPx: 6000 }, job(400, 500), 20, ['ARTWORK_SHAPE_DIFFERS']],
    ['a panorama on a square', { ...ok, widthPx: 9000, heightPx: 3000 }, job(300, 300), 200, ['ARTWORK_SHAPE_DIFFERS']],
    ['an inside border changes the shape', { ...ok, widthPx: 3000, heightPx: 4000 }, job(300, 400, { borderMm: '50', borderMode: 'inside' }), 12.5, ['ARTWORK_SHAPE_DIFFERS']],
    ['an outside border does not', { ...ok, widthPx: 3000, heightPx: 4000 }, job(300, 400, { borderMm: '50' }), 0, []],
    ['everything at once', { ...ok, widthPx: 300, heightPx: 300, hasProfile: false, pages: 3 }, job(300, 400), 33.3, ['ARTWORK_LOW_RESOLUTION', 'ARTWORK_SHAPE_DIFFERS', 'ARTWORK_NO_PROFILE', 'ARTWORK_SEVERAL_PAGES']],
    ['unknown properties warn of nothing', { state: 'no_preview' as const, widthPx: null, heightPx: null, hasProfile: null, pages: null }, job(300, 400), null, []],
    ['an unreadable file needs another file only', { ...ok, state: 'unreadable' as const, widthPx: 10, heightPx: 10 }, job(300, 400), 33.3, []],
  ])('%s', (_name, inspection, line, percent, warnings) => {
    const checks = checkArtwork(inspection, line);
    expect([checks.shapeDifferencePercent, checks.warnings]).toEqual([percent, warnings]);
  }); // prettier-ignore

  it('agrees with an oracle that prints the picture in both directions', () => {
    const random = new Random(4711);
    for (let run = 0; run < 2_000; run += 1) {
      const [widthPx, heightPx] = [random.between(1, 9_000), random.between(1, 9_000)];
      const [widthMm, heightMm] = [random.between(50, 1_500), random.between(50, 1_500)];
      const directions = [
        [widthPx, heightPx],
        [heightPx, widthPx],
      ] as const;
      const prints = directions.map(([across, down]) => {
        const [x, y] = [across / (widthMm / 25.4), down / (heightMm / 25.4)];
        // The picture covers the paper; the overhang of the longer side is the difference.
        return { dpi: Math.min(x, y), percent: (Math.max(x, y) / Math.min(x, y) - 1) * 100 };
      });
      const best = prints.reduce((one, other) => (other.dpi > one.dpi ? other : one));
      const { effectiveDpi, shapeDifferencePercent, warnings } = checkArtwork({ ...ok, widthPx, heightPx }, job(widthMm, heightMm));
      expect(effectiveDpi).toBe(Math.floor(best.dpi + 1e-9));
      expect(shapeDifferencePercent).toBeCloseTo(best.percent, -Math.log10(0.2));
      expect(warnings.includes('ARTWORK_LOW_RESOLUTION')).toBe(Math.floor(best.dpi + 1e-9) < 150);
      if (Math.abs(best.percent - 1) > 1e-6) expect(warnings.includes('ARTWORK_SHAPE_DIFFERS')).toBe(best.percent > 1);
    }
  });
});
