import { BPS_WHOLE, centsForArea, centsForLength, multiplyDivide, reducedBy, shareOf } from './money';

/** A figure and its JSON pointer in the price book (RFC 6901); null if it is not from the book. */
export interface Rate {
  value: number;
  at: string | null;
}

/** How an amount is calculated from `quantity` and `rate`: their units, and the formula in cents, which rounds half up once. */
interface Basis {
  quantityUnit: string;
  rateUnit: string;
  cents: (quantity: number, rate: number) => number;
  /** The amount before rounding. */
  exact: (quantity: bigint, rate: bigint) => Fraction;
}
interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

const fractionOver =
  (under: bigint) =>
  (quantity: bigint, rate: bigint): Fraction => ({ numerator: quantity * rate, denominator: under });
const perUnit = (quantityUnit: string): Basis => ({
  quantityUnit,
  rateUnit: 'cents each',
  cents: (quantity, rate) => quantity * rate,
  exact: fractionOver(1n),
});

export const BASES = {
  area: { quantityUnit: 'mm²', rateUnit: 'cents per m²', cents: centsForArea, exact: fractionOver(1_000_000n) },
  length: { quantityUnit: 'mm', rateUnit: 'cents per m', cents: centsForLength, exact: fractionOver(1000n) },
  each: perUnit('pieces'),
  parcels: perUnit('parcels'),
  weight: { ...perUnit('kg'), rateUnit: 'cents per kg' },
  share: { quantityUnit: 'cents', rateUnit: 'basis points', cents: shareOf, exact: fractionOver(BigInt(BPS_WHOLE)) },
  /** A reduction. Rounds the remainder. */
  reduction: {
    quantityUnit: 'cents',
    rateUnit: 'basis points off',
    cents: (quantity, rate) => reducedBy(quantity, rate) - quantity,
    exact: (quantity, rate) => ({ numerator: -quantity * rate, denominator: BigInt(BPS_WHOLE) }),
  },
  lack: {
    quantityUnit: 'cents',
    rateUnit: 'cents at least',
    cents: (quantity, rate) => Math.max(0, rate - quantity),
    exact: (quantity, rate) => ({ numerator: rate > quantity ? rate - quantity : 0n, denominator: 1n }),
  },
  division: {
    quantityUnit: 'cents',
    rateUnit: 'divisor',
    cents: (quantity, rate) => multiplyDivide(quantity, 1, rate),
    exact: (quantity, rate) => ({ numerator: quantity, denominator: rate }),
  },
} as const satisfies Record<string, Basis>;
type BasisName = keyof typeof BASES;

export interface PriceComponent {
  code: string;
  cents: number;
  note: string;
  by: BasisName;
  quantity: number;
  rate: number;
  rateAt: string | null;
  minimum?: { cents: number; at: string };
}

export function calculateComponent(
  by: BasisName,
  quantity: number,
  { value: rate, at: rateAt }: Rate,
  description: Pick<PriceComponent, 'code' | 'note' | 'minimum'>,
): PriceComponent {
  const cents = BASES[by].cents(quantity, rate);
  return { cents: Math.max(description.minimum?.cents ?? cents, cents), by, quantity, rate, rateAt, ...description };
}

export function jsonPointer(...path: (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns the amount in cents before rounding and before the minimum: as a decimal, or as a fraction if the decimal does not end. */
export function exactCents({ by, quantity, rate }: Pick<PriceComponent, 'by' | 'quantity' | 'rate'>): string {
  const { numerator, denominator } = BASES[by].exact(BigInt(quantity), BigInt(rate));
  const sign = numerator < 0n ? '-' : '';
  const absolute = numerator < 0n ? -numerator : numerator;
  const [whole, remainder] = [absolute / denominator, absolute % denominator];
  if (remainder === 0n) return `${sign}${whole}`;
  const tenths = decimals(remainder, denominator);
  return tenths === null ? `${sign}${absolute}/${denominator}` : `${sign}${whole}.${tenths}`;
}

/** Returns the decimal digits of `remainder ÷ denominator`; null if six digits are not enough. */
function decimals(remainder: bigint, denominator: bigint): string | null {
  const scale = 10n ** 6n;
  return (remainder * scale) % denominator === 0n
    ? ((remainder * scale) / denominator)
        .toString()
        .padStart(6, '0')
        .replace(/(?<!0)0+$/, '')
    : null;
}
