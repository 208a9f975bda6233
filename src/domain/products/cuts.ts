import type { MatboardRow, MouldingRow } from '../catalogue';
import type { ArtworkSize } from '../basket/selections';
import type { Mounting } from './parts/mat';
import type { Riser } from './parts/raised-float';

/**
 * The parts of a unit that are cut to size. All but the three below have the code of their price component. A mat or base board under a riser
 * has the outer size.
 */
export const CUT_CODES = [
  'print',
  'moulding',
  'glazing',
  'mat',
  'base-board',
  'backing',
  'backing-board',
  'raised-float',
  'stretching',
] as const;
export type CutCode = (typeof CUT_CODES)[number];

/** A window of a mat in mm, with the distance of its upper left corner from that of the mat. */
export interface MatWindow extends ArtworkSize {
  leftMm: number;
  topMm: number;
}

/**
 * A part of one unit, in whole mm. A sheet has its size. A strip, such as a moulding, has the size that it encloses, and the length of its
 * four sides with the allowance for corners.
 */
export interface Cut extends ArtworkSize {
  code: CutCode;
  /** The id in the catalogue, the depth of stretcher bars, the depth and color of a riser, or null for the backing board of a mat. */
  materialId: string | null;
  lengthMm?: number;
  windows?: MatWindow[];
}

export const sheetCut = (code: CutCode, materialId: string | null, { widthMm, heightMm }: ArtworkSize): Cut => ({
  code,
  materialId,
  widthMm,
  heightMm,
});

/** Four sides around `inner`. @param allowanceMm for all corners together */
export const stripCut = (code: CutCode, materialId: string, inner: ArtworkSize, allowanceMm = 0): Cut => ({
  ...sheetCut(code, materialId, inner),
  lengthMm: 2 * (inner.widthMm + inner.heightMm) + allowanceMm,
});

/** The rebate size, and the length with the allowance of the catalogue: by default eight widths, two for each corner. */
export const mouldingCut = ({ id, widthMm, cuttingAllowanceMm }: MouldingRow, rebate: ArtworkSize): Cut =>
  stripCut('moulding', id, rebate, cuttingAllowanceMm ?? 8 * widthMm);

/** The board and the riser of a mounting. A board under a riser has no windows. */
export function mountingCuts(
  { sides, caption, riser }: Mounting,
  board: MatboardRow | undefined,
  size: ArtworkSize,
  outer: ArtworkSize,
): Cut[] {
  if (riser !== undefined)
    return [...(board ? [sheetCut('base-board', board.id, outer)] : []), stripCut('raised-float', riserId(riser), size)];
  if (board === undefined) return [];
  const picture: MatWindow = { ...size, leftMm: sides.left, topMm: sides.top };
  return [{ ...sheetCut('mat', board.id, outer), windows: caption ? [picture, captionWindow(caption, sides.bottom, outer)] : [picture] }];
}

const riserId = ({ depth, colour }: Riser): string => (colour === undefined ? `${depth}mm` : `${depth}mm-${colour}`);

/** The caption is in the middle of the bottom border. Half a millimetre goes to the right and to the bottom. */
function captionWindow(caption: ArtworkSize, bottomMm: number, outer: ArtworkSize): MatWindow {
  return {
    ...caption,
    leftMm: Math.floor((outer.widthMm - caption.widthMm) / 2),
    topMm: outer.heightMm - bottomMm + Math.floor((bottomMm - caption.heightMm) / 2),
  };
}
