import type { MediaRow } from '../../catalogue';
import { mediaSectionOf } from '../../orderable-products';
import { quoted, type Line } from '../../basket/line';
import { findMedia, unavailableError } from '../../basket/materials';
import type { PrintRate } from '../../price-book/price-book';
import { findPrintRate, printRatePointer } from '../../price-book/rates';
import { gramsOfArea } from '../../shipping/piece';
import { calculateComponent, type PriceComponent } from '../../price-component';

/** A printed sheet in mm, borders and torn edge included. */
export interface Sheet {
  widthMm: number;
  heightMm: number;
}

/** Throws PRODUCT_UNAVAILABLE if the sheet's short edge is wider than the stock. */
export function checkWidth(line: Line, stock: MediaRow, sheet: Sheet): void {
  const shortEdge = Math.min(sheet.widthMm, sheet.heightMm);
  if (stock.maxPrintWidthMm === null || shortEdge <= stock.maxPrintWidthMm) return;
  const text =
    `the printed sheet is ${sheet.widthMm} × ${sheet.heightMm} mm and mediaId ${quoted(stock.id)} prints up to ` +
    `${stock.maxPrintWidthMm} mm on the short edge; choose a short edge of ${stock.maxPrintWidthMm} mm or less, or a wider stock`;
  throw unavailableError(line, text, 'mediaId');
}

/**
 * The stock, if it is wide enough for the sheet.
 * @throws LineRefusal PRODUCT_UNAVAILABLE
 */
export function findWideStock(line: Line, mediaId: string, sheet: Sheet): MediaRow {
  const stock = findMedia(line, mediaId);
  checkWidth(line, stock, sheet);
  return stock;
}

/** Prices the print: max(minimum, rate × sheet area), in cents. Throws PRODUCT_UNAVAILABLE if the book has no rate for the stock. */
export function priceOfPrint(line: Line, stock: MediaRow, sheet: Sheet): PriceComponent {
  const { centsPerSqm, minimumCents } = findRate(line, stock);
  const at = printRatePointer(line.book, mediaSectionOf(line.item.productSlug), stock);
  const note = `${stock.id}, sheet ${sheet.widthMm} × ${sheet.heightMm} mm at ${centsPerSqm} per m²`;
  const minimum = { cents: minimumCents, at: `${at}/minimumCents` };
  const rate = { value: centsPerSqm, at: `${at}/centsPerSqm` };
  return calculateComponent('area', sheet.widthMm * sheet.heightMm, rate, { code: 'print', note, minimum });
}

function findRate(line: Line, stock: MediaRow): PrintRate {
  const section = mediaSectionOf(line.item.productSlug);
  const rate = findPrintRate(line.book, section, stock);
  if (rate !== null) return rate;
  const text = `mediaId ${quoted(stock.id)} has no price at present; choose another id from the catalogue's ${section}`;
  throw unavailableError(line, text, 'mediaId');
}

export function gramsOfPrint(line: Line, stock: MediaRow, sheet: Sheet): number {
  return gramsOfArea(sheet.widthMm, sheet.heightMm, stock.gramsPerSqm ?? line.book.shipping.weights.defaultPaperGsm);
}
