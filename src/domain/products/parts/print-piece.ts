import type { MediaRow, SleeveRow } from '../../catalogue';
import type { Line } from '../../basket/line';
import { rigidPiece, sheetPiece, type Piece } from '../../shipping/piece';
import { gramsOfPrint, type Sheet } from './print';
import { gramsOfSleeve } from './sleeve';

/** A loose print may be rolled; a sleeved one has a board behind it and may not. */
export function pieceOfPrint(line: Line, stock: MediaRow, sheet: Sheet, sleeve: SleeveRow | undefined): Piece {
  const { shipping } = line.book;
  const grams = gramsOfPrint(line, stock, sheet);
  if (sleeve === undefined) return sheetPiece(shipping, { ...sheet, thicknessMm: shipping.weights.sheetThicknessMm, grams });
  const { widthMm, heightMm } = sleeve;
  const thicknessMm = shipping.weights.sleevedThicknessMm;
  return rigidPiece(shipping, { widthMm, heightMm, thicknessMm, grams: grams + gramsOfSleeve(line, sleeve) });
}
