/** `AUD 1,234.50`: the currency by its code, as invoices have it; cents are whole. */
export function formatMoney(cents: number, currency = 'AUD'): string {
  const amount = new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(Math.abs(cents) / 100);
  return `${cents < 0 ? '−' : ''}${currency} ${amount}`;
}

/** An amount, its digits below each other in a column. */
export function Money({ cents, currency }: { cents: number | null | undefined; currency?: string }) {
  if (cents === null || cents === undefined) return <>–</>;
  return <span className="money">{formatMoney(cents, currency)}</span>;
}

/** By how much an amount changes, its sign always there. */
export function Change({ from, to, currency }: { from: number; to: number; currency?: string }) {
  return <span className="money">{`${to > from ? '+' : ''}${formatMoney(to - from, currency)}`}</span>;
}

/** Cents of what somebody typed (`1,234.5`, `12`); null where it is no amount. Without floating point: `0.29` is 29. */
export function centsOf(typed: string): number | null {
  const found = /^(-?)(\d{1,10})(?:\.(\d{1,2}))?$/.exec(typed.trim().replaceAll(',', ''));
  if (found === null) return null;
  const [, sign, whole = '0', rest = ''] = found;
  const cents = Number(whole) * 100 + Number(rest.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}
