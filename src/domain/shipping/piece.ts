import type { ParcelKind, ShippingTerms } from '../price-book/price-book';

/** One finished unit for packing: outer size in mm, weight in g. */
export interface Piece {
  kind: ParcelKind;
  longMm: number;
  shortMm: number;
  thicknessMm: number;
  grams: number;
}

interface PieceSize {
  widthMm: number;
  heightMm: number;
  thicknessMm: number;
  grams: number;
}

export const boxedPiece = (size: PieceSize): Piece => piece('box', size);

/** A sheet that can be rolled: a flat mailer if it fits, else a tube. */
export const sheetPiece = (terms: ShippingTerms, size: PieceSize): Piece => piece(fitsFlat(terms, size) ? 'flat' : 'tube', size);

/** Backed or matted work cannot be rolled: a flat mailer if it fits, else a box. */
export const rigidPiece = (terms: ShippingTerms, size: PieceSize): Piece => piece(fitsFlat(terms, size) ? 'flat' : 'box', size);

export const rolledPiece = (size: PieceSize): Piece => piece('tube', size);

function piece(kind: ParcelKind, { widthMm, heightMm, thicknessMm, grams }: PieceSize): Piece {
  return { kind, longMm: Math.max(widthMm, heightMm), shortMm: Math.min(widthMm, heightMm), thicknessMm, grams };
}

function fitsFlat(terms: ShippingTerms, { widthMm, heightMm }: PieceSize): boolean {
  const { longMm, shortMm } = terms.flatLimitMm;
  return Math.max(widthMm, heightMm) <= longMm && Math.min(widthMm, heightMm) <= shortMm;
}

/** Weight in whole g of an area at g/m², rounded up. */
export const gramsOfArea = (widthMm: number, heightMm: number, gsm: number): number => Math.ceil((widthMm * heightMm * gsm) / 1_000_000);

/** Weight in whole g of a length at g per meter, rounded up. */
export const gramsOfLength = (lengthMm: number, gramsPerMetre: number): number => Math.ceil((lengthMm * gramsPerMetre) / 1000);

export const GRAMS_PER_KG = 1000;
