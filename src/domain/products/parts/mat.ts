import type { MatboardRow } from '../../catalogue';
import type { Line } from '../../basket/line';
import { rateOf } from '../../basket/materials';
import type { ArtworkSize, Selections } from '../../basket/selections';
import { charge, type Component } from '../../working';
import { BORDER_KEYS, all, checkMinimum, readBorders, type Sides } from './borders';
import { CAPTION_KEYS, checkCaptionFits, priceOfCaption, readCaption } from './caption';
import { RAISED_FLOAT_KEYS, priceOfRiser, readRaisedFloat, type RiserDepth } from './raised-float';

/** The keys print-and-mat and custom-framing share (specification "Variant selections"). */
export const MAT_KEYS = ['matColorId', 'qualityTierId', ...BORDER_KEYS, ...CAPTION_KEYS, ...RAISED_FLOAT_KEYS] as const;

/** How the artwork sits: in a window mount, on a riser, or without either. Borders in mm. */
export interface Mounting {
  matColorId: string | undefined;
  qualityTierId: string | undefined;
  sides: Sides;
  caption: ArtworkSize | undefined;
  riser: RiserDepth | undefined;
}

/** Reads the mat keys. Without a mat colour and without a raised float there is no mat: its borders are then not used. */
export function readMounting(line: Line, selections: Selections, size: ArtworkSize, matColorId: string | undefined): Mounting {
  const qualityTierId = selections.id('qualityTierId');
  const borders = readBorders(selections);
  const caption = readCaption(selections);
  const riser = readRaisedFloat(selections);
  const sides = sidesOf(line, borders, matColorId, riser);
  if (caption) checkCaption(selections, { matColorId, qualityTierId, sides, caption, riser }, caption, size);
  return { matColorId, qualityTierId, sides, caption, riser };
}

function sidesOf(line: Line, sent: Sides | undefined, matColorId: string | undefined, riser: RiserDepth | undefined): Sides {
  const { mats, raisedFloat } = line.book;
  if (riser !== undefined) return sent ?? all(raisedFloat.revealDefaultMm);
  return matColorId === undefined ? all(0) : (sent ?? all(mats.defaultMm));
}

function checkCaption(selections: Selections, mounting: Mounting, caption: ArtworkSize, size: ArtworkSize): void {
  const first = CAPTION_KEYS.find((key) => selections.has(key)) ?? CAPTION_KEYS[0];
  if (mounting.riser !== undefined) {
    selections.issue(first, 'a caption window is refused together with raisedFloat; leave out one of them');
  } else if (mounting.matColorId === undefined) {
    selections.issue('matColorId', "is required for a caption window; send an id from the catalogue's matboards");
  } else {
    checkCaptionFits(selections, caption, size, mounting.sides);
  }
}

/** MAT_BELOW_MINIMUM for a mat, or for the reveal of a raised float (ruling 22). */
export function checkBorders(line: Line, { matColorId, riser, sides }: Mounting): void {
  if (riser !== undefined) checkMinimum(line, sides, line.book.raisedFloat.revealMinimumMm, 'reveal');
  else if (matColorId !== undefined) checkMinimum(line, sides, line.book.mats.minimumMm, 'mat border');
}

/** Board by area of the outer size, the window's cut, the caption and the riser, in cents. On a riser the board is not cut. */
export function priceOfMounting(
  line: Line,
  mounting: Mounting,
  board: MatboardRow | undefined,
  size: ArtworkSize,
  outer: ArtworkSize,
): Component[] {
  const { riser, caption } = mounting;
  return [
    ...(board ? priceOfBoard(line, board, outer, riser === undefined) : []),
    ...(caption ? [priceOfCaption(line, caption)] : []),
    ...(riser ? [priceOfRiser(line, size, riser)] : []),
  ];
}

function priceOfBoard(line: Line, board: MatboardRow, outer: ArtworkSize, hasWindow: boolean): Component[] {
  const { centsPerSqmById, defaultCentsPerSqm, cutCents } = line.book.mats;
  const table = {
    rates: centsPerSqmById,
    at: '/mats/centsPerSqmById',
    fallback: { rate: defaultCentsPerSqm, at: '/mats/defaultCentsPerSqm' },
  };
  const rate = rateOf(line, table, 'matColorId', board.id);
  const told = { code: hasWindow ? 'mat' : 'base-board', note: `${board.id}, ${outer.widthMm} × ${outer.heightMm} mm` };
  const area = charge('area', outer.widthMm * outer.heightMm, rate, told);
  const cut = { value: cutCents, at: '/mats/cutCents' };
  return hasWindow ? [area, charge('each', 1, cut, { code: 'mat-cut', note: 'window' })] : [area];
}
