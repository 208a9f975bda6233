import type { BackingRow, GlazingRow, MatboardRow, MediaRow, MouldingRow } from '../catalogue';
import { checkAll } from '../basket/basket-refusal';
import type { Line } from '../basket/line';
import { checkTiers, findRow, checkTierExists, rateOf, type TieredChoice } from '../basket/materials';
import type { AreaRates } from '../price-book/price-book';
import { Selections, readArtworkSize, type ArtworkSize } from '../basket/selections';
import { boxedPiece, gramsOfArea, type Piece } from '../shipping/piece';
import { outerSize } from './parts/borders';
import { MAT_KEYS, checkBorders, priceOfMounting, readMounting, type Mounting } from './parts/mat';
import { checkFloatSuitable, checkLength, framedSize, gramsOfMoulding, priceOfMoulding } from './parts/moulding';
import { findWideStock, gramsOfPrint, priceOfPrint } from './parts/print';
import { calculateComponent, type PriceComponent } from '../price-component';
import { mouldingCut, mountingCuts, sheetCut, type Cut } from './cuts';
import type { Product, UnitPlan } from './product';

interface FramedPrint {
  size: ArtworkSize;
  mediaId: string;
  mouldingId: string;
  glazingId: string;
  backingId: string | undefined;
  mounting: Mounting;
}
interface Materials {
  stock: MediaRow;
  moulding: MouldingRow;
  glazing: GlazingRow;
  backing: BackingRow | undefined;
  board: MatboardRow | undefined;
}

/** A framed print, with or without a mat (specification "Variant selections", custom-framing). */
export const customFraming: Product = {
  slug: 'custom-framing',
  keys: ['artworkWidthMm', 'artworkHeightMm', 'artworkFit', 'mediaId', 'mouldingId', 'glazingId', 'backingId', ...MAT_KEYS],
  plan(line: Line): UnitPlan {
    const print = readSelections(line);
    const [plan] = checkAll(
      () => planOf(line, print),
      () => checkBorders(line, print.mounting),
    );
    return plan;
  },
};

function planOf(line: Line, print: FramedPrint): UnitPlan {
  const frame = outerSize(print.size, print.mounting.sides);
  const materials = findMaterials(line, print, frame);
  return {
    components: price(line, print, materials, frame),
    piece: pieceOf(line, print, materials, frame),
    cuts: cutsOf(print, materials, frame),
  };
}

function cutsOf({ size, mounting }: FramedPrint, { stock, moulding, glazing, backing, board }: Materials, frame: ArtworkSize): Cut[] {
  return [
    sheetCut('print', stock.id, size),
    mouldingCut(moulding, frame),
    sheetCut('glazing', glazing.id, frame),
    ...mountingCuts(mounting, board, size, frame),
    ...(backing ? [sheetCut('backing', backing.id, frame)] : []),
  ];
}

function readSelections(line: Line): FramedPrint {
  const selections = new Selections(line);
  const size = readArtworkSize(selections);
  const print: FramedPrint = {
    size,
    mediaId: selections.requiredId('mediaId', "an id from the catalogue's media"),
    mouldingId: selections.requiredId('mouldingId', "an id from the catalogue's mouldings"),
    glazingId: selections.requiredId('glazingId', "an id from the catalogue's glazing"),
    backingId: selections.id('backingId'),
    mounting: readMounting(line, selections, size, selections.id('matColorId')),
  };
  selections.assertValid();
  return print;
}

function findMaterials(line: Line, print: FramedPrint, frame: ArtworkSize): Materials {
  const { mediaId, mouldingId, glazingId, backingId, mounting } = print;
  const { matColorId, qualityTierId } = mounting;
  const [stock, moulding, glazing, backing, board] = checkAll(
    () => findWideStock(line, mediaId, print.size),
    () => findMoulding(line, mouldingId, frame, mounting),
    () => findRow(line, 'glazing', 'glazingId', glazingId),
    () => (backingId === undefined ? undefined : findRow(line, 'backing', 'backingId', backingId)),
    () => (matColorId === undefined ? undefined : findRow(line, 'matboards', 'matColorId', matColorId)),
    () => checkTierExists(line, qualityTierId),
  );
  const materials = { stock, moulding, glazing, backing, board };
  checkTiers(line, tieredChoices(materials), qualityTierId);
  return materials;
}

function findMoulding(line: Line, mouldingId: string, frame: ArtworkSize, { riser }: Mounting): MouldingRow {
  const moulding = findRow(line, 'mouldings', 'mouldingId', mouldingId);
  if (riser !== undefined) checkFloatSuitable(line, moulding, 'raisedFloat');
  checkLength(line, moulding, frame);
  return moulding;
}

function tieredChoices({ moulding, glazing, backing, board }: Materials): TieredChoice[] {
  return [
    { key: 'mouldingId', row: moulding },
    { key: 'glazingId', row: glazing },
    ...(backing ? [{ key: 'backingId' as const, row: backing }] : []),
    ...(board ? [{ key: 'matColorId' as const, row: board }] : []),
  ];
}

function price(line: Line, { size, mounting }: FramedPrint, materials: Materials, frame: ArtworkSize): PriceComponent[] {
  const { stock, moulding, glazing, backing, board } = materials;
  return [
    priceOfPrint(line, stock, size),
    ...priceOfMoulding(line, moulding, frame),
    priceOfSheet(line, 'glazing', line.book.glazing, glazing.id, frame),
    ...priceOfMounting(line, mounting, board, size, frame),
    ...(backing ? [priceOfSheet(line, 'backing', line.book.backing, backing.id, frame)] : []),
    calculateComponent('each', 1, { value: line.book.assemblyCents, at: '/assemblyCents' }, { code: 'assembly', note: 'framing' }),
  ];
}

function priceOfSheet(line: Line, code: 'glazing' | 'backing', rates: AreaRates, id: string, frame: ArtworkSize): PriceComponent {
  const fallback = { rate: rates.defaultCentsPerSqm, at: `/${code}/defaultCentsPerSqm` };
  const rate = rateOf(line, { rates: rates.centsPerSqmById, at: `/${code}/centsPerSqmById`, fallback }, `${code}Id`, id);
  return calculateComponent('area', frame.widthMm * frame.heightMm, rate, { code, note: `${id}, ${frame.widthMm} × ${frame.heightMm} mm` });
}

function pieceOf(line: Line, { size }: FramedPrint, materials: Materials, frame: ArtworkSize): Piece {
  const { stock, moulding, glazing, backing, board } = materials;
  const { glassGsm, acrylicGsm, matGsm, backingGsm } = line.book.shipping.weights;
  const sheetsGsm = (glazing.isAcrylic ? acrylicGsm : glassGsm) + (backing ? backingGsm : 0) + (board ? matGsm : 0);
  const grams =
    gramsOfPrint(line, stock, size) + gramsOfMoulding(line, moulding, frame) + gramsOfArea(frame.widthMm, frame.heightMm, sheetsGsm);
  return boxedPiece({ ...framedSize(line, moulding, frame), grams });
}
