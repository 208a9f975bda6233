import { formatAmount, formatMoney } from './amount';

interface MoneyProps {
  cents: number | null | undefined;
  currency?: string;
}

export function Money({ cents, currency }: MoneyProps) {
  if (cents === null || cents === undefined) return <>–</>;
  return <span className="money">{formatMoney(cents, currency)}</span>;
}

/** The heading of a column of money, and how to show its cells: `Total (AUD)` if all rows have one currency. */
export function moneyColumn(heading: string, rows: readonly { currency: string }[]) {
  const currency = rows[0]?.currency;
  if (currency === undefined || rows.some((row) => row.currency !== currency)) return { heading, Amount: Money };
  return { heading: `${heading} (${currency})`, Amount };
}

/** An amount without its currency, for a column whose heading names it. */
export function Amount({ cents }: MoneyProps) {
  if (cents === null || cents === undefined) return <>–</>;
  return <span className="money">{formatAmount(cents)}</span>;
}

export function Change({ from, to, currency }: { from: number; to: number; currency?: string }) {
  return <span className="money">{`${to > from ? '+' : ''}${formatMoney(to - from, currency)}`}</span>;
}

const WARN_BPS = 9_000;
const WHOLE_BPS = 10_000;

/** The used credit against its limit. No orders are accepted when it is `used up`. */
type CreditLevel = 'in reach' | 'nearly used up' | 'used up';

export function creditLevel(usedBps: number): CreditLevel {
  if (usedBps >= WHOLE_BPS) return 'used up';
  return usedBps > WARN_BPS ? 'nearly used up' : 'in reach';
}

/** `99.9%`, rounded down. */
export const usedInPercent = (usedBps: number): string => `${(Math.floor(usedBps / 10) / 10).toLocaleString('en-AU')}%`;

export function creditLevelSuffix(usedBps: number): string {
  const standing = creditLevel(usedBps);
  return standing === 'in reach' ? '' : `: ${standing}`;
}
