import { lineRefusal, type Line } from '../../basket/line';
import type { VariantKey } from '../../basket/variant-keys';
import type { ArtworkSize, Selections } from '../../basket/selections';

/** The four sides around the artwork in mm: mat borders, or the reveal of a raised float. */
export interface Sides {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

const SIDE_KEYS = ['matTopMm', 'matRightMm', 'matBottomMm', 'matLeftMm'] as const;
export const BORDER_KEYS = ['matSizeMm', ...SIDE_KEYS] as const;

/** Reads `matSizeMm` for all sides, or the borders of all four sides. Returns undefined if no border was sent. */
export function readBorders(selections: Selections): Sides | undefined {
  const uniform = selections.sideMm('matSizeMm');
  const [top = 0, right = 0, bottom = 0, left = 0] = SIDE_KEYS.map((key) => selections.sideMm(key));
  const sentKeys = SIDE_KEYS.filter((key) => selections.has(key));
  if (selections.has('matSizeMm')) {
    for (const key of sentKeys) selections.issue(key, 'cannot be sent together with matSizeMm; use matSizeMm or all four sides');
    return equalSides(uniform ?? 0);
  }
  if (sentKeys.length === 0) return undefined;
  const missing = SIDE_KEYS.filter((key) => !selections.has(key));
  for (const key of missing) selections.issue(key, 'is required when the sides differ; send all four sides, or matSizeMm alone');
  return { top, right, bottom, left };
}

export const equalSides = (mm: number): Sides => ({ top: mm, right: mm, bottom: mm, left: mm });

/** Throws MAT_BELOW_MINIMUM with each side that is below the studio's minimum in mm. */
export function checkMinimum(line: Line, sides: Sides, minimumMm: number, borderName: 'mat border' | 'reveal'): void {
  const belowMinimum = Object.entries(sides).filter(([, mm]: [string, number]) => mm < minimumMm);
  if (belowMinimum.length === 0) return;
  const list = belowMinimum.map(([side, mm]) => `${side} ${mm} mm`).join(', ');
  const text = `the ${borderName} is below the studio minimum (${list}); send ${minimumMm} mm or more on every side`;
  throw lineRefusal(line, 'MAT_BELOW_MINIMUM', text, borderKey(line, belowMinimum));
}

/** The key that set the border of the first of these sides. */
function borderKey({ item: { variantSelections } }: Line, [[side] = ['top', 0]]: [string, number][]): VariantKey {
  const sent = Object.hasOwn(variantSelections, 'matSizeMm') ? undefined : SIDE_KEYS.find((key) => key.toLowerCase() === `mat${side}mm`);
  return sent ?? 'matSizeMm';
}

/** Artwork plus its borders: the size of mat, glazing and backing. */
export function outerSize(size: ArtworkSize, sides: Sides): ArtworkSize {
  return { widthMm: size.widthMm + sides.left + sides.right, heightMm: size.heightMm + sides.top + sides.bottom };
}
