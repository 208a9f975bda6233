import { BPS_WHOLE, centsForArea, centsForLength, multiplyDivide, reducedBy, shareOf } from './money';

/** A figure of the price book, and where it stands there as a JSON pointer (RFC 6901); null: it is not of the book. */
export interface Rate {
  value: number;
  at: string | null;
}

/** How `quantity` and `rate` make an amount: in which units both are, and the formula in cents, rounded half up once. */
interface Basis {
  quantityUnit: string;
  rateUnit: string;
  cents: (quantity: number, rate: number) => number;
  /** The same before rounding. */
  exact: (quantity: bigint, rate: bigint) => Fraction;
}
interface Fraction {
  over: bigint;
  under: bigint;
}

const product =
  (under: bigint) =>
  (quantity: bigint, rate: bigint): Fraction => ({ over: quantity * rate, under });
const counted = (quantityUnit: string): Basis => ({
  quantityUnit,
  rateUnit: 'cents each',
  cents: (quantity, rate) => quantity * rate,
  exact: product(1n),
});

export const BASES = {
  area: { quantityUnit: 'mm²', rateUnit: 'cents per m²', cents: centsForArea, exact: product(1_000_000n) },
  length: { quantityUnit: 'mm', rateUnit: 'cents per m', cents: centsForLength, exact: product(1000n) },
  each: counted('pieces'),
  parcels: counted('parcels'),
  weight: { ...counted('kg'), rateUnit: 'cents per kg' },
  share: { quantityUnit: 'cents', rateUnit: 'basis points', cents: shareOf, exact: product(BigInt(BPS_WHOLE)) },
  /** What is taken off: the rounding is of what is left. */
  reduction: {
    quantityUnit: 'cents',
    rateUnit: 'basis points off',
    cents: (quantity, rate) => reducedBy(quantity, rate) - quantity,
    exact: (quantity, rate) => ({ over: -quantity * rate, under: BigInt(BPS_WHOLE) }),
  },
  lack: {
    quantityUnit: 'cents',
    rateUnit: 'cents at least',
    cents: (quantity, rate) => Math.max(0, rate - quantity),
    exact: (quantity, rate) => ({ over: rate > quantity ? rate - quantity : 0n, under: 1n }),
  },
  division: {
    quantityUnit: 'cents',
    rateUnit: 'divisor',
    cents: (quantity, rate) => multiplyDivide(quantity, 1, rate),
    exact: (quantity, rate) => ({ over: quantity, under: rate }),
  },
} as const satisfies Record<string, Basis>;
type BasisName = keyof typeof BASES;

export interface Component {
  code: string;
  cents: number;
  note: string;
  by: BasisName;
  quantity: number;
  rate: number;
  rateAt: string | null;
  minimum?: { cents: number; at: string };
}

export function charge(
  by: BasisName,
  quantity: number,
  { value: rate, at: rateAt }: Rate,
  told: Pick<Component, 'code' | 'note' | 'minimum'>,
): Component {
  const cents = BASES[by].cents(quantity, rate);
  return { cents: Math.max(told.minimum?.cents ?? cents, cents), by, quantity, rate, rateAt, ...told };
}

export function pointer(...path: (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The amount in cents before rounding and minimum: a decimal, or a fraction where that would have no end. */
export function exactCents({ by, quantity, rate }: Pick<Component, 'by' | 'quantity' | 'rate'>): string {
  const { over, under } = BASES[by].exact(BigInt(quantity), BigInt(rate));
  const sign = over < 0n ? '-' : '';
  const size = over < 0n ? -over : over;
  const [whole, rest] = [size / under, size % under];
  if (rest === 0n) return `${sign}${whole}`;
  const tenths = decimals(rest, under);
  return tenths === null ? `${sign}${size}/${under}` : `${sign}${whole}.${tenths}`;
}

/** The digits behind the point of `rest ÷ under`; null where there are more than any power of ten below a million gives. */
function decimals(rest: bigint, under: bigint): string | null {
  const scale = 10n ** 6n;
  return (rest * scale) % under === 0n
    ? ((rest * scale) / under)
        .toString()
        .padStart(6, '0')
        .replace(/(?<!0)0+$/, '')
    : null;
}
