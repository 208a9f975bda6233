/** `AUD 1,234.50`: the currency by its code, as invoices have it; cents are whole. */
export function formatMoney(cents: number, currency = 'AUD'): string {
  const amount = new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(Math.abs(cents) / 100);
  return `${cents < 0 ? '−' : ''}${currency} ${amount}`;
}

/** Commas part thousands and nothing else: `12,50` is meant as something else, so it is no amount. */
const AMOUNT = /^(-?)(\d{1,10}|\d{1,3}(?:,\d{3}){1,2}|\d,\d{3},\d{3},\d{3})(?:\.(\d{1,2}))?$/;

/** Cents of what somebody typed (`1,234.5`, `12`); null where it is no amount. Without floating point: `0.29` is 29. */
export function centsOf(typed: string): number | null {
  const found = AMOUNT.exec(typed.trim());
  if (found === null) return null;
  const [, sign, whole = '0', rest = ''] = found;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(rest.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}
