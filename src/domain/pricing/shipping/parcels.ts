import { PARCEL_KINDS, type PackingTerms, type ParcelKind, type ShippingTerms } from '../price-book';
import type { Piece } from './piece';

/** `count` equal parcels: outer size in mm, actual and chargeable weight in g. */
export interface Parcels {
  kind: ParcelKind;
  count: number;
  pieces: number;
  longMm: number;
  shortMm: number;
  thicknessMm: number;
  grams: number;
  chargeableGrams: number;
}
/** One parcel's contents while it is being filled. */
interface Contents { pieces: number; longMm: number; shortMm: number; stackMm: number; grams: number }
interface Lot { piece: Piece; quantity: number }

const GRAMS_PER_KG = 1000;
const CUBIC_MM_PER_CUBIC_METRE = 1_000_000_000;

/** Packs every unit of the basket, large pieces first, kinds apart. Equal full parcels are counted, not listed. */
export function pack(terms: ShippingTerms, lots: readonly Lot[]): Parcels[] {
  return PARCEL_KINDS.flatMap((kind) => {
    const ofKind = lots.filter(({ piece }) => piece.kind === kind);
    return packKind(terms, kind, ofKind.sort((a, b) => b.piece.longMm * b.piece.shortMm - a.piece.longMm * a.piece.shortMm));
  });
}

function packKind(terms: ShippingTerms, kind: ParcelKind, lots: readonly Lot[]): Parcels[] {
  const packing = terms.packing[kind];
  const parcels: Parcels[] = [];
  let open: Contents | undefined;
  const close = (contents: Contents | undefined, count: number): void => {
    if (contents && count > 0) parcels.push(parcelOf(terms, kind, contents, count));
  };
  for (const { piece, quantity } of lots) {
    const first = open ? Math.min(quantity, roomFor(packing, open, piece)) : 0;
    if (open && first > 0) open = withPieces(open, piece, first);
    const left = quantity - first;
    if (left === 0) continue;
    close(open, 1);
    const full = Math.max(1, roomFor(packing, EMPTY, piece));
    close(withPieces(EMPTY, piece, full), Math.floor(left / full));
    open = left % full > 0 ? withPieces(EMPTY, piece, left % full) : undefined;
  }
  close(open, 1);
  return parcels;
}

const EMPTY: Contents = { pieces: 0, longMm: 0, shortMm: 0, stackMm: 0, grams: 0 };

/** How many more of these pieces the parcel takes; a piece too heavy or thick for any parcel still travels, alone. */
function roomFor(packing: PackingTerms, contents: Contents, piece: Piece): number {
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

function parcelOf(terms: ShippingTerms, kind: ParcelKind, contents: Contents, count: number): Parcels {
  const packing = terms.packing[kind];
  const grams = contents.grams + packing.packagingGrams;
  const size = outerSize(kind, packing, contents);
  const volumeCubicMm = size.longMm * size.shortMm * size.thicknessMm;
  const cubicGrams = Math.ceil((volumeCubicMm * terms.cubicKgPerCubicMetre * GRAMS_PER_KG) / CUBIC_MM_PER_CUBIC_METRE);
  return { kind, count, pieces: contents.pieces, ...size, grams, chargeableGrams: Math.max(grams, cubicGrams) };
}

/** A sheet is rolled about its long edge, so a tube is as long as the short edge. */
function outerSize(kind: ParcelKind, packing: PackingTerms, contents: Contents): Pick<Parcels, 'longMm' | 'shortMm' | 'thicknessMm'> {
  const { paddingMm, minThicknessMm } = packing;
  if (kind === 'tube') return { longMm: contents.shortMm + paddingMm, shortMm: minThicknessMm, thicknessMm: minThicknessMm };
  const thicknessMm = Math.max(minThicknessMm, contents.stackMm + paddingMm);
  return { longMm: contents.longMm + paddingMm, shortMm: contents.shortMm + paddingMm, thicknessMm };
}
