import { formatMoney } from './amount';

/** An amount, its digits below each other in a column. */
export function Money({ cents, currency }: { cents: number | null | undefined; currency?: string }) {
  if (cents === null || cents === undefined) return <>–</>;
  return <span className="money">{formatMoney(cents, currency)}</span>;
}

/** By how much an amount changes, its sign always there. */
export function Change({ from, to, currency }: { from: number; to: number; currency?: string }) {
  return <span className="money">{`${to > from ? '+' : ''}${formatMoney(to - from, currency)}`}</span>;
}
