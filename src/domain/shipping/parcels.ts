import { PARCEL_KINDS, type PackingTerms, type ParcelKind, type ShippingTerms } from '../price-book/price-book';
import { type Piece, GRAMS_PER_KG } from './piece';

/** `count` equal parcels: outer size in mm, actual and chargeable weight in g. */
export interface ParcelGroup extends Piece {
  count: number;
  pieces: number;
  chargeableGrams: number;
}
/** Contents of the parcel that is being filled. */
interface Contents {
  pieces: number;
  longMm: number;
  shortMm: number;
  stackMm: number;
  grams: number;
}
interface PieceGroup {
  piece: Piece;
  quantity: number;
}

const CUBIC_MM_PER_CUBIC_METRE = 1_000_000_000;

/**
 * Packs all units of the basket, each kind separately. The result depends on the pieces only, not on lines or their order, so that the same
 * basket always has the same price (ruling 40). Equal parcels are counted, not listed.
 */
export function pack(terms: ShippingTerms, groups: readonly PieceGroup[]): ParcelGroup[] {
  return PARCEL_KINDS.flatMap((kind) => packKind(terms, kind, mergeEqualPieces(groups.filter(({ piece }) => piece.kind === kind))));
}

/** Merges equal pieces and sorts them for packing: by area, thickness, weight and long edge, the largest first. */
function mergeEqualPieces(groups: readonly PieceGroup[]): PieceGroup[] {
  const byPiece = new Map<string, PieceGroup>();
  for (const { piece, quantity } of groups) {
    const key = `${piece.longMm} ${piece.shortMm} ${piece.thicknessMm} ${piece.grams}`;
    byPiece.set(key, { piece, quantity: quantity + (byPiece.get(key)?.quantity ?? 0) });
  }
  return [...byPiece.values()].sort(
    ({ piece: a }, { piece: b }) =>
      b.longMm * b.shortMm - a.longMm * a.shortMm || b.thicknessMm - a.thicknessMm || b.grams - a.grams || b.longMm - a.longMm,
  );
}

/** Fills one parcel at a time with every remaining piece that fits, in order, then closes it. */
function packKind(terms: ShippingTerms, kind: ParcelKind, groups: readonly PieceGroup[]): ParcelGroup[] {
  const parcels: ParcelGroup[] = [];
  for (let remaining = groups; remaining.length > 0;) {
    const { contents, taken } = fillParcel(terms.packing[kind], remaining);
    // While every group has enough pieces, the next parcels are equal, so they are counted instead of packed.
    const count = Math.min(...remaining.flatMap(({ quantity }, index) => (taken[index] ? [Math.floor(quantity / taken[index])] : [])));
    parcels.push(toParcelGroup(terms, kind, contents, count));
    remaining = remaining
      .map(({ piece, quantity }, index) => ({ piece, quantity: quantity - count * (taken[index] ?? 0) }))
      .filter(({ quantity }) => quantity > 0);
  }
  return parcels;
}

/**
 * Fills one parcel. Returns its contents, and how many pieces of each group it takes. The first piece always fits, even if it exceeds the
 * limits.
 */
function fillParcel(packing: PackingTerms, groups: readonly PieceGroup[]): { contents: Contents; taken: number[] } {
  let contents = EMPTY_CONTENTS;
  const taken = groups.map(({ piece, quantity }) => {
    const capacity = Math.max(contents === EMPTY_CONTENTS ? 1 : 0, capacityFor(packing, contents, piece));
    const count = Math.min(quantity, capacity);
    if (count > 0) contents = withPieces(contents, piece, count);
    return count;
  });
  return { contents, taken };
}

const EMPTY_CONTENTS: Contents = { pieces: 0, longMm: 0, shortMm: 0, stackMm: 0, grams: 0 };

/** How many more of these pieces fit into the parcel. */
function capacityFor(packing: PackingTerms, contents: Contents, piece: Piece): number {
  const byWeight = Math.floor((packing.maxContentGrams - contents.grams) / Math.max(1, piece.grams));
  const byStack = Math.floor((packing.maxStackMm - contents.stackMm) / Math.max(1, piece.thicknessMm));
  return Math.max(0, Math.min(byWeight, byStack));
}

function withPieces(contents: Contents, piece: Piece, count: number): Contents {
  return {
    pieces: contents.pieces + count,
    longMm: Math.max(contents.longMm, piece.longMm),
    shortMm: Math.max(contents.shortMm, piece.shortMm),
    stackMm: contents.stackMm + count * piece.thicknessMm,
    grams: contents.grams + count * piece.grams,
  };
}

function toParcelGroup(terms: ShippingTerms, kind: ParcelKind, contents: Contents, count: number): ParcelGroup {
  const packing = terms.packing[kind];
  const grams = contents.grams + packing.packagingGrams;
  const size = outerSize(kind, packing, contents);
  const volumeCubicMm = size.longMm * size.shortMm * size.thicknessMm;
  const cubicGrams = Math.ceil((volumeCubicMm * terms.cubicKgPerCubicMetre * GRAMS_PER_KG) / CUBIC_MM_PER_CUBIC_METRE);
  return { kind, count, pieces: contents.pieces, ...size, grams, chargeableGrams: Math.max(grams, cubicGrams) };
}

/** A sheet is rolled along its long edge, so a tube is as long as the short edge. */
function outerSize(kind: ParcelKind, packing: PackingTerms, contents: Contents): Pick<ParcelGroup, 'longMm' | 'shortMm' | 'thicknessMm'> {
  const { paddingMm, minThicknessMm } = packing;
  if (kind === 'tube') return { longMm: contents.shortMm + paddingMm, shortMm: minThicknessMm, thicknessMm: minThicknessMm };
  const thicknessMm = Math.max(minThicknessMm, contents.stackMm + paddingMm);
  return { longMm: contents.longMm + paddingMm, shortMm: contents.shortMm + paddingMm, thicknessMm };
}
