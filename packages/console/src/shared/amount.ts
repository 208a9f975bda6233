/** `AUD 1,234.50`: the currency by its code, as invoices have it; cents are whole. */
export function formatMoney(cents: number, currency = 'AUD'): string {
  const amount = new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(Math.abs(cents) / 100);
  return `${cents < 0 ? '−' : ''}${currency} ${amount}`;
}

/** Commas part thousands and nothing else: `12,50` is meant as something else, so it is no amount. */
const AMOUNT = /^(-?)(\d{1,10}|\d{1,3}(?:,\d{3}){1,2}|\d,\d{3},\d{3},\d{3})(?:\.(\d{1,2}))?$/;

/** Cents of an amount as people type it (`1,234.5`, `$12`, `AUD 12.00`). Null if it is no amount, or one of another currency. */
export const centsOf = (typed: string, currency: string): number | null => hundredthsOf(withoutCurrency(typed.trim(), currency));

function withoutCurrency(typed: string, currency: string): string {
  const number = typed.replace(new RegExp(`^${currency}\\s*|\\s*${currency}$`, 'i'), '');
  const parts = new Intl.NumberFormat('en-AU', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).formatToParts(0);
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  return number.startsWith(sign) ? number.slice(sign.length) : number;
}

/** Hundredths of a typed number, such as cents; null if it is no number. Without floating point: `0.29` is 29. */
export function hundredthsOf(typed: string): number | null {
  const found = AMOUNT.exec(typed.trim());
  if (found === null) return null;
  const [, sign, whole = '0', rest = ''] = found;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(rest.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}
