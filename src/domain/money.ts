import { MAX_CENTS } from './limits';

/**
 * Integer arithmetic for money: cents, millimeters, rates per m² or per meter, basis points. No value has a fraction. Each function rounds
 * half up once. Arguments are whole and not negative.
 */

export const BPS_WHOLE = 10_000;
const SQUARE_MM_PER_SQM = 1_000_000;
const MM_PER_METRE = 1000;

/** value × factor ÷ divisor, rounded half up. Uses BigInt above 2^53; a result above MAX_CENTS becomes MAX_CENTS. */
export function multiplyDivide(value: number, factor: number, divisor: number): number {
  const product = value * factor;
  if (!Number.isSafeInteger(product)) return multiplyDivideBig(value, factor, divisor);
  const rest = product % divisor;
  return (product - rest) / divisor + (rest >= divisor - rest ? 1 : 0);
}

function multiplyDivideBig(value: number, factor: number, divisor: number): number {
  const product = BigInt(value) * BigInt(factor);
  const bigDivisor = BigInt(divisor);
  const rounded = (2n * product + bigDivisor) / (2n * bigDivisor);
  return rounded > BigInt(MAX_CENTS) ? MAX_CENTS : Number(rounded);
}

/** Returns the price of an area in mm² at `rate` cents per m². */
export const centsForArea = (areaSqMm: number, rate: number): number => multiplyDivide(areaSqMm, rate, SQUARE_MM_PER_SQM);

/** Returns the price of a length in mm at `rate` cents per meter. */
export const centsForLength = (lengthMm: number, rate: number): number => multiplyDivide(lengthMm, rate, MM_PER_METRE);

/** Returns `bps` basis points of an amount in cents. */
export const shareOf = (cents: number, bps: number): number => multiplyDivide(cents, bps, BPS_WHOLE);

/** Reduces an amount in cents by `bps` basis points. The result is rounded once. */
export const reducedBy = (cents: number, bps: number): number => multiplyDivide(cents, BPS_WHOLE - bps, BPS_WHOLE);

export function roundUpTo(value: number, step: number): number {
  const rest = value % step;
  return rest === 0 ? value : value - rest + step;
}

/** Sum of amounts in cents, at most MAX_CENTS. */
export const sumCents = (amounts: readonly number[]): number =>
  Math.min(
    MAX_CENTS,
    amounts.reduce((sum, cents) => sum + cents, 0),
  );

/** Formats an amount for messages: 145000 → "1450.00". */
export function formatCents(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
