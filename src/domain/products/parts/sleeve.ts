import type { MediaRow, SleeveRow } from '../../catalogue';
import { joinWithOr, quoted, type Line } from '../../basket/line';
import { findRow, rateOf, unavailableError } from '../../basket/materials';
import { gramsOfArea, rigidPiece, sheetPiece, type Piece } from '../../shipping/piece';
import { calculateComponent, type PriceComponent } from '../../price-component';
import { gramsOfPrint, type Sheet } from './print';

/** Finds the chosen sleeve. Throws PRODUCT_UNAVAILABLE if the sheet fits in neither orientation. A null `allowed` allows every code. */
export function findSleeve(line: Line, code: string, sheet: Sheet, allowed: readonly string[] | null): SleeveRow {
  const sleeve = findRow(line, 'sleeves', 'sleeve', code);
  const usable = line.catalogue.rows('sleeves').filter((row) => allowed === null || allowed.includes(row.sizeCode));
  if (!usable.includes(sleeve)) {
    const text = `sleeve ${quoted(code)} is not for ${line.item.productSlug}; use ${joinWithOr(usable.map((row) => row.sizeCode))}`;
    throw unavailableError(line, text, 'sleeve');
  }
  if (fits(sleeve, sheet)) return sleeve;
  const fitting = usable.filter((row) => fits(row, sheet)).map((row) => row.sizeCode);
  const advice = fitting.length > 0 ? `use ${joinWithOr(fitting)}` : 'no sleeve is large enough, leave the key out';
  const text =
    `a sheet of ${sheet.widthMm} × ${sheet.heightMm} mm does not fit sleeve ${quoted(code)} ` +
    `(${sleeve.widthMm} × ${sleeve.heightMm} mm); ${advice}`;
  throw unavailableError(line, text, 'sleeve');
}

function fits(sleeve: SleeveRow, sheet: Sheet): boolean {
  const [short, long] = [Math.min(sheet.widthMm, sheet.heightMm), Math.max(sheet.widthMm, sheet.heightMm)];
  return short <= Math.min(sleeve.widthMm, sleeve.heightMm) && long <= Math.max(sleeve.widthMm, sleeve.heightMm);
}

export function priceOfSleeve(line: Line, sleeve: SleeveRow): PriceComponent {
  const rate = rateOf(line, { rates: line.book.sleeves.centsByCode, at: '/sleeves/centsByCode' }, 'sleeve', sleeve.sizeCode);
  return calculateComponent('each', 1, rate, { code: 'sleeve', note: sleeve.sizeCode });
}

const gramsOfSleeve = (line: Line, sleeve: SleeveRow): number =>
  gramsOfArea(sleeve.widthMm, sleeve.heightMm, line.book.shipping.weights.sleeveGsm);

/** The piece to pack. A print without a sleeve can be rolled. A print in a sleeve has a backing board and cannot be rolled. */
export function pieceOfPrint(line: Line, stock: MediaRow, sheet: Sheet, sleeve: SleeveRow | undefined): Piece {
  const { shipping } = line.book;
  const grams = gramsOfPrint(line, stock, sheet);
  if (sleeve === undefined) return sheetPiece(shipping, { ...sheet, thicknessMm: shipping.weights.sheetThicknessMm, grams });
  const { widthMm, heightMm } = sleeve;
  const thicknessMm = shipping.weights.sleevedThicknessMm;
  return rigidPiece(shipping, { widthMm, heightMm, thicknessMm, grams: grams + gramsOfSleeve(line, sleeve) });
}
