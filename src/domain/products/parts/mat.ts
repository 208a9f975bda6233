import type { MatboardRow } from '../../catalogue';
import type { Line } from '../../basket/line';
import { rateOf } from '../../basket/materials';
import type { ArtworkSize, Selections } from '../../basket/selections';
import { calculateComponent, type PriceComponent } from '../../price-component';
import { BORDER_KEYS, equalSides, checkMinimum, readBorders, type Sides } from './borders';
import { RAISED_FLOAT_KEYS, calculateRiserPrice, readRaisedFloat, type Riser } from './raised-float';

const CAPTION_KEYS = ['textWindowWidthMm', 'textWindowHeightMm'] as const;

/** The variant keys that print-and-mat and custom-framing share (specification "Variant selections"). */
export const MAT_KEYS = ['matColorId', 'qualityTierId', ...BORDER_KEYS, ...CAPTION_KEYS, ...RAISED_FLOAT_KEYS] as const;

/** How the artwork is mounted: in a window mat, on a riser, or neither. Borders in mm. */
export interface Mounting {
  matColorId: string | undefined;
  qualityTierId: string | undefined;
  sides: Sides;
  caption: ArtworkSize | undefined;
  riser: Riser | undefined;
}

/** Reads the mat keys. Without a mat color and a raised float there is no mat, and its borders are ignored. */
export function readMounting(line: Line, selections: Selections, size: ArtworkSize, matColorId: string | undefined): Mounting {
  const qualityTierId = selections.id('qualityTierId');
  const borders = readBorders(selections);
  const caption = readCaption(selections);
  const riser = readRaisedFloat(selections);
  const sides = sidesOf(line, borders, matColorId, riser);
  if (caption) checkCaption(selections, { matColorId, qualityTierId, sides, caption, riser }, caption, size);
  return { matColorId, qualityTierId, sides, caption, riser };
}

function sidesOf(line: Line, sent: Sides | undefined, matColorId: string | undefined, riser: Riser | undefined): Sides {
  const { mats, raisedFloat } = line.book;
  if (riser !== undefined) return sent ?? equalSides(raisedFloat.revealDefaultMm);
  return matColorId === undefined ? equalSides(0) : (sent ?? equalSides(mats.defaultMm));
}

function checkCaption(selections: Selections, mounting: Mounting, caption: ArtworkSize, size: ArtworkSize): void {
  const first = CAPTION_KEYS.find((key) => selections.has(key)) ?? CAPTION_KEYS[0];
  if (mounting.riser !== undefined) {
    selections.issue(first, 'a caption window cannot be combined with raisedFloat; leave one of them out');
  } else if (mounting.matColorId === undefined) {
    selections.issue('matColorId', "is required for a caption window; send an id from the catalogue's matboards");
  } else {
    checkCaptionFits(selections, caption, size, mounting.sides);
  }
}

/** Throws MAT_BELOW_MINIMUM for a mat or the reveal of a raised float. */
export function checkBorders(line: Line, { matColorId, riser, sides }: Mounting): void {
  if (riser !== undefined) checkMinimum(line, sides, line.book.raisedFloat.revealMinimumMm, 'reveal');
  else if (matColorId !== undefined) checkMinimum(line, sides, line.book.mats.minimumMm, 'mat border');
}

/** Prices the board by its outer area, the window cut, the caption and the riser, in cents. A board under a riser has no cut. */
export function priceOfMounting(
  line: Line,
  mounting: Mounting,
  board: MatboardRow | undefined,
  size: ArtworkSize,
  outer: ArtworkSize,
): PriceComponent[] {
  const { riser, caption } = mounting;
  return [
    ...(board ? priceOfBoard(line, board, outer, riser === undefined) : []),
    ...(caption ? [priceOfCaption(line, caption)] : []),
    ...(riser ? [calculateRiserPrice(line, size, riser)] : []),
  ];
}

function priceOfBoard(line: Line, board: MatboardRow, outer: ArtworkSize, hasWindow: boolean): PriceComponent[] {
  const { centsPerSqmById, defaultCentsPerSqm, cutCents } = line.book.mats;
  const table = {
    rates: centsPerSqmById,
    at: '/mats/centsPerSqmById',
    fallback: { rate: defaultCentsPerSqm, at: '/mats/defaultCentsPerSqm' },
  };
  const rate = rateOf(line, table, 'matColorId', board.id);
  const description = { code: hasWindow ? 'mat' : 'base-board', note: `${board.id}, ${outer.widthMm} × ${outer.heightMm} mm` };
  const area = calculateComponent('area', outer.widthMm * outer.heightMm, rate, description);
  const cut = { value: cutCents, at: '/mats/cutCents' };
  return hasWindow ? [area, calculateComponent('each', 1, cut, { code: 'mat-cut', note: 'window' })] : [area];
}

/** Reads the size of the caption window below the artwork. Both keys are required, or neither. */
function readCaption(selections: Selections): ArtworkSize | undefined {
  const [widthMm, heightMm] = CAPTION_KEYS.map((key) => selections.mm(key));
  const sentKeys = CAPTION_KEYS.filter((key) => selections.has(key));
  if (sentKeys.length === 0) return undefined;
  for (const key of CAPTION_KEYS) {
    if (!selections.has(key)) selections.issue(key, `is required together with ${sentKeys[0]}; send both or neither`);
  }
  return { widthMm: widthMm ?? 0, heightMm: heightMm ?? 0 };
}

/** A caption is in the bottom border, so it must be neither higher than that border nor wider than the mat. */
function checkCaptionFits(selections: Selections, caption: ArtworkSize, size: ArtworkSize, sides: Sides): void {
  const widest = size.widthMm + sides.left + sides.right;
  if (caption.heightMm > sides.bottom) {
    selections.issue(
      'textWindowHeightMm',
      `does not fit a bottom mat border of ${sides.bottom} mm; use a lower window or a larger matBottomMm`,
    );
  }
  if (caption.widthMm > widest) selections.issue('textWindowWidthMm', `does not fit a mat ${widest} mm wide; use a narrower window`);
}

function priceOfCaption(line: Line, caption: ArtworkSize): PriceComponent {
  const rate = { value: line.book.mats.captionCents, at: '/mats/captionCents' };
  return calculateComponent('each', 1, rate, { code: 'caption', note: `window ${caption.widthMm} × ${caption.heightMm} mm` });
}
