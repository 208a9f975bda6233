import type { MediaRow, MouldingRow } from '../catalogue';
import { FLOAT_FRAME_DEPTH } from '../price-book/price-book';
import { checkAll } from '../basket/basket-refusal';
import type { Line } from '../basket/line';
import { checkTiers, findRow, rateOf } from '../basket/materials';
import { Selections, readArtworkSize, type ArtworkSize } from '../basket/selections';
import { boxedPiece, gramsOfLength, rolledPiece, type Piece } from '../shipping/piece';
import { checkFloatSuitable, checkLength, framedSize, gramsOfMoulding, priceOfMoulding } from './parts/moulding';
import { findWideStock, gramsOfPrint, priceOfPrint } from './parts/print';
import { calculateComponent, type PriceComponent } from '../price-component';
import { mouldingCut, sheetCut, stripCut, type Cut } from './cuts';
import type { Product, UnitPlan } from './product';

interface CanvasPrint {
  size: ArtworkSize;
  mediaId: string;
  /** Stretcher bar depth such as `30mm`; undefined for a rolled canvas. */
  depth: string | undefined;
  finish: string | undefined;
  mouldingId: string | undefined;
}

/** Canvas, rolled or stretched, with or without a float frame (specification "Variant selections", canvas-printing). */
export const canvasPrinting: Product = {
  slug: 'canvas-printing',
  keys: ['artworkWidthMm', 'artworkHeightMm', 'artworkFit', 'mediaId', 'format', 'depth', 'finish', 'mouldingId'],
  plan(line: Line): UnitPlan {
    const canvas = readSelections(line);
    const [stock, moulding] = checkAll(
      () => findWideStock(line, canvas.mediaId, canvas.size),
      () => findFloatFrame(line, canvas),
    );
    return {
      components: price(line, canvas, stock, moulding),
      piece: pieceOf(line, canvas, stock, moulding),
      cuts: cutsOf(canvas, stock, moulding),
    };
  },
};

function cutsOf({ size, depth }: CanvasPrint, stock: MediaRow, moulding: MouldingRow | undefined): Cut[] {
  return [
    sheetCut('print', stock.id, size),
    ...(depth === undefined ? [] : [stripCut('stretching', depth, size)]),
    ...(moulding ? [mouldingCut(moulding, size)] : []),
  ];
}

function readSelections(line: Line): CanvasPrint {
  const selections = new Selections(line);
  const size = readArtworkSize(selections);
  const mediaId = selections.requiredId('mediaId', "an id from the catalogue's canvasMedia");
  const isRolled = selections.requiredText('format', '"print-only" for a rolled canvas, or "stretched"') === 'print-only';
  const canvas: CanvasPrint = {
    size,
    mediaId,
    depth: isRolled ? undefined : readDepth(line, selections),
    finish: selections.oneOf('finish', Object.keys(line.book.canvas.finishCentsPerSqm)),
    mouldingId: selections.id('mouldingId'),
  };
  if (canvas.mouldingId !== undefined) checkFloatFrame(selections, isRolled, canvas.depth);
  selections.assertValid();
  return canvas;
}

function readDepth(line: Line, selections: Selections): string | undefined {
  const depths = Object.keys(line.book.canvas.barCentsPerMetre);
  if (!selections.has('depth')) selections.issue('depth', `is required unless format is "print-only"; send ${depths.join(', ')}`);
  return selections.oneOf('depth', depths);
}

function checkFloatFrame(selections: Selections, isRolled: boolean, depth: string | undefined): void {
  if (isRolled) {
    selections.issue('mouldingId', 'a float frame needs a stretched canvas; leave mouldingId out or send another format than "print-only"');
  } else if (depth !== undefined && depth !== FLOAT_FRAME_DEPTH) {
    selections.issue('mouldingId', `a float frame needs depth "${FLOAT_FRAME_DEPTH}"; leave mouldingId out or send that depth`);
  }
}

function findFloatFrame(line: Line, { mouldingId, size }: CanvasPrint): MouldingRow | undefined {
  if (mouldingId === undefined) return undefined;
  const moulding = findRow(line, 'mouldings', 'mouldingId', mouldingId);
  checkFloatSuitable(line, moulding, 'a float frame');
  checkLength(line, moulding, size);
  checkTiers(line, [{ key: 'mouldingId', row: moulding }], undefined);
  return moulding;
}

function price(line: Line, { size, depth, finish }: CanvasPrint, stock: MediaRow, moulding: MouldingRow | undefined): PriceComponent[] {
  return [
    priceOfPrint(line, stock, size),
    ...(depth === undefined ? [] : [priceOfBars(line, size, depth)]),
    ...(finish === undefined ? [] : [priceOfFinish(line, size, finish)]),
    ...(moulding ? priceOfMoulding(line, moulding, size) : []),
  ];
}

function priceOfBars(line: Line, size: ArtworkSize, depth: string): PriceComponent {
  const perimeterMm = 2 * (size.widthMm + size.heightMm);
  const rate = rateOf(line, { rates: line.book.canvas.barCentsPerMetre, at: '/canvas/barCentsPerMetre' }, 'depth', depth);
  return calculateComponent('length', perimeterMm, rate, {
    code: 'stretching',
    note: `${depth} bars, ${perimeterMm} mm at ${rate.value} per m`,
  });
}

function priceOfFinish(line: Line, size: ArtworkSize, finish: string): PriceComponent {
  const rate = rateOf(line, { rates: line.book.canvas.finishCentsPerSqm, at: '/canvas/finishCentsPerSqm' }, 'finish', finish);
  return calculateComponent('area', size.widthMm * size.heightMm, rate, { code: 'finish', note: finish });
}

function pieceOf(line: Line, { size, depth }: CanvasPrint, stock: MediaRow, moulding: MouldingRow | undefined): Piece {
  const { sheetThicknessMm, barGramsPerMetre } = line.book.shipping.weights;
  const canvasGrams = gramsOfPrint(line, stock, size);
  if (depth === undefined) return rolledPiece({ ...size, thicknessMm: sheetThicknessMm, grams: canvasGrams });
  const stretchedGrams = canvasGrams + gramsOfLength(2 * (size.widthMm + size.heightMm), barGramsPerMetre);
  if (moulding === undefined) return boxedPiece({ ...size, thicknessMm: Number.parseInt(depth, 10), grams: stretchedGrams });
  return boxedPiece({ ...framedSize(line, moulding, size), grams: stretchedGrams + gramsOfMoulding(line, moulding, size) });
}
