import type { MatboardRow } from '../catalogue';
import { checkAll } from '../basket/basket-refusal';
import type { Line } from '../basket/line';
import { checkTiers, findRow, checkTierExists } from '../basket/materials';
import { Selections, readArtworkSize, type ArtworkSize } from '../basket/selections';
import { gramsOfArea, rigidPiece, type Piece } from '../shipping/piece';
import { outerSize } from './parts/borders';
import { MAT_KEYS, checkBorders, priceOfMounting, readMounting, type Mounting } from './parts/mat';
import { findWideStock, gramsOfPrint, priceOfPrint } from './parts/print';
import { calculateComponent, type PriceComponent } from '../price-component';
import { mountingCuts, sheetCut } from './cuts';
import type { Product, UnitPlan } from './product';

interface MattedPrint {
  size: ArtworkSize;
  mediaId: string;
  matColorId: string;
  mounting: Mounting;
}

/** A print in a window mat or on a riser, with a backing board (specification "Variant selections", print-and-mat). */
export const printAndMat: Product = {
  slug: 'print-and-mat',
  keys: ['artworkWidthMm', 'artworkHeightMm', 'artworkFit', 'mediaId', ...MAT_KEYS],
  plan(line: Line): UnitPlan {
    const print = readSelections(line);
    const [plan] = checkAll(
      () => planOf(line, print),
      () => checkBorders(line, print.mounting),
    );
    return plan;
  },
};

function planOf(line: Line, { size, mediaId, matColorId, mounting }: MattedPrint): UnitPlan {
  const [stock, board] = checkAll(
    () => findWideStock(line, mediaId, size),
    () => findRow(line, 'matboards', 'matColorId', matColorId),
    () => checkTierExists(line, mounting.qualityTierId),
  );
  checkTiers(line, [{ key: 'matColorId', row: board }], mounting.qualityTierId);
  const components = [priceOfPrint(line, stock, size), ...price(line, mounting, board, size)];
  const outer = outerSize(size, mounting.sides);
  const cuts = [sheetCut('print', stock.id, size), ...mountingCuts(mounting, board, size, outer), sheetCut('backing-board', null, outer)];
  return { components, piece: pieceOf(line, outer, gramsOfPrint(line, stock, size)), cuts };
}

function readSelections(line: Line): MattedPrint {
  const selections = new Selections(line);
  const size = readArtworkSize(selections);
  const mediaId = selections.requiredId('mediaId', "an id from the catalogue's media");
  const matColorId = selections.requiredId('matColorId', "an id from the catalogue's matboards");
  const mounting = readMounting(line, selections, size, matColorId);
  selections.assertValid();
  return { size, mediaId, matColorId, mounting };
}

function price(line: Line, mounting: Mounting, board: MatboardRow, size: ArtworkSize): PriceComponent[] {
  const outer = outerSize(size, mounting.sides);
  const rate = { value: line.book.mats.backingBoardCentsPerSqm, at: '/mats/backingBoardCentsPerSqm' };
  const note = `${outer.widthMm} × ${outer.heightMm} mm`;
  return [
    ...priceOfMounting(line, mounting, board, size, outer),
    calculateComponent('area', outer.widthMm * outer.heightMm, rate, { code: 'backing-board', note }),
  ];
}

function pieceOf(line: Line, outer: ArtworkSize, printGrams: number): Piece {
  const { weights } = line.book.shipping;
  const boardGrams = gramsOfArea(outer.widthMm, outer.heightMm, weights.matGsm + weights.backingGsm);
  return rigidPiece(line.book.shipping, { ...outer, thicknessMm: weights.mattedThicknessMm, grams: printGrams + boardGrams });
}
