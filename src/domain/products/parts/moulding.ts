import type { MouldingRow } from '../../catalogue';
import { BPS_WHOLE, roundUpTo } from '../../money';
import { quoted, type Line } from '../../basket/line';
import { rateOf, unavailableError } from '../../basket/materials';
import type { ArtworkSize } from '../../basket/selections';
import { calculateComponent, type PriceComponent } from '../../price-component';

/** Throws PRODUCT_UNAVAILABLE if the moulding cannot hold a raised float or a canvas (specification "Variant selections"). */
export function checkFloatSuitable(line: Line, moulding: MouldingRow, requiredBy: string): void {
  if (moulding.canvasFloatSuitable) return;
  const text = `mouldingId ${quoted(moulding.id)} is not float-suitable, which ${requiredBy} needs; choose from the catalogue's canvasMouldings`;
  throw unavailableError(line, text, 'mouldingId');
}

/** Throws PRODUCT_UNAVAILABLE if the longest side, with miters, is longer than the profile. */
export function checkLength(line: Line, moulding: MouldingRow, frame: ArtworkSize): void {
  const cutMm = Math.max(frame.widthMm, frame.heightMm) + 2 * moulding.widthMm;
  if (moulding.maxLengthMm === null || cutMm <= moulding.maxLengthMm) return;
  const longest = moulding.maxLengthMm - 2 * moulding.widthMm;
  const text =
    `the longest side needs ${cutMm} mm of mouldingId ${quoted(moulding.id)}, which is sold up to ` +
    `${moulding.maxLengthMm} mm; keep artwork and mat within ${longest} mm or choose another moulding`;
  throw unavailableError(line, text, 'mouldingId');
}

/** Prices the length with miters and waste, rounded up, at the rate per meter, plus the joining; in cents. */
export function priceOfMoulding(line: Line, moulding: MouldingRow, frame: ArtworkSize): PriceComponent[] {
  const { centsPerMetreById, defaultCentsPerMetre, joinCents } = line.book.mouldings;
  const fallback = { rate: defaultCentsPerMetre, at: '/mouldings/defaultCentsPerMetre' };
  const rate = rateOf(line, { rates: centsPerMetreById, at: '/mouldings/centsPerMetreById', fallback }, 'mouldingId', moulding.id);
  const billedMm = billedLength(line, moulding, frame);
  return [
    calculateComponent('length', billedMm, rate, { code: 'moulding', note: `${moulding.id}, ${billedMm} mm at ${rate.value} per m` }),
    calculateComponent('each', 1, { value: joinCents, at: '/mouldings/joinCents' }, { code: 'join', note: 'four corners' }),
  ];
}

/** Billed mm: 2 × (W + H) + 8 × moulding width, plus waste, rounded up to the book's step. */
function billedLength(line: Line, moulding: MouldingRow, frame: ArtworkSize): number {
  const { wasteBps, roundUpToMm } = line.book.mouldings;
  const cutMm = cutLength(moulding, frame);
  return roundUpTo(cutMm * (BPS_WHOLE + wasteBps), roundUpToMm * BPS_WHOLE) / BPS_WHOLE;
}

const cutLength = (moulding: MouldingRow, frame: ArtworkSize): number => 2 * (frame.widthMm + frame.heightMm) + 8 * moulding.widthMm;

/** Outer size of the frame in mm and its depth. */
export function framedSize(line: Line, moulding: MouldingRow, frame: ArtworkSize): ArtworkSize & { thicknessMm: number } {
  const { widthMm, depthMm } = moulding;
  const thicknessMm = depthMm ?? line.book.shipping.weights.defaultMouldingDepthMm;
  return { widthMm: frame.widthMm + 2 * widthMm, heightMm: frame.heightMm + 2 * widthMm, thicknessMm };
}

/** Weight of the joined frame in g: the volume of its wood in mm³ × the density in kg/m³ ÷ 1,000,000. */
export function gramsOfMoulding(line: Line, moulding: MouldingRow, frame: ArtworkSize): number {
  const { mouldingKgPerCubicMetre, defaultMouldingDepthMm } = line.book.shipping.weights;
  const volumeCubicMm = cutLength(moulding, frame) * moulding.widthMm * (moulding.depthMm ?? defaultMouldingDepthMm);
  return Math.ceil((volumeCubicMm * mouldingKgPerCubicMetre) / 1_000_000);
}
