import type { MediaRow, SleeveRow } from '../catalogue';
import { checkAll } from '../basket/basket-refusal';
import type { Line } from '../basket/line';
import { Selections, readArtworkSize } from '../basket/selections';
import { findWideStock, priceOfPrint, type Sheet } from './parts/print';
import { findSleeve, pieceOfPrint, priceOfSleeve } from './parts/sleeve';
import { sheetCut } from './cuts';
import type { Product, UnitPlan } from './product';

interface EverydayPrint {
  sheet: Sheet;
  mediaId: string;
  sleeve: string | undefined;
}

/** Prints on Everyday Art stocks, with small sleeves only (specification "Variant selections", everyday-art-prints). */
export const everydayArtPrints: Product = {
  slug: 'everyday-art-prints',
  keys: ['artworkWidthMm', 'artworkHeightMm', 'artworkFit', 'mediaId', 'sleeve'],
  plan(line: Line): UnitPlan {
    const { sheet, mediaId, sleeve: code } = readSelections(line);
    const [stock, sleeve] = checkAll(
      () => findWideStock(line, mediaId, sheet),
      () => (code === undefined ? undefined : findSleeve(line, code, sheet, line.book.sleeves.everydayArtCodes)),
    );
    return price(line, stock, sheet, sleeve);
  },
};

function readSelections(line: Line): EverydayPrint {
  const selections = new Selections(line);
  const print: EverydayPrint = {
    sheet: readArtworkSize(selections),
    mediaId: selections.requiredId('mediaId', "an id from the catalogue's everydayArtMedia"),
    sleeve: selections.id('sleeve'),
  };
  selections.assertValid();
  return print;
}

function price(line: Line, stock: MediaRow, sheet: Sheet, sleeve: SleeveRow | undefined): UnitPlan {
  const printed = priceOfPrint(line, stock, sheet);
  const components = sleeve ? [printed, priceOfSleeve(line, sleeve)] : [printed];
  return { components, piece: pieceOfPrint(line, stock, sheet, sleeve), cuts: [sheetCut('print', stock.id, sheet)] };
}
