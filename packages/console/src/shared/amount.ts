/** `AUD 1,234.50`, as on invoices. */
export function formatMoney(cents: number, currency = 'AUD'): string {
  return `${cents < 0 ? '−' : ''}${currency} ${formatAmount(Math.abs(cents))}`;
}

/** `1,234.50`, for columns whose heading has the currency. */
export function formatAmount(cents: number): string {
  const amount = new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(Math.abs(cents) / 100);
  return `${cents < 0 ? '−' : ''}${amount}`;
}

/** Commas separate thousands only, so `12,50` is not an amount. */
const AMOUNT = /^(-?)(\d{1,10}|\d{1,3}(?:,\d{3}){1,2}|\d,\d{3},\d{3},\d{3})(?:\.(\d{1,2}))?$/;

/** Cents of a typed amount (`1,234.5`, `$12`, `AUD 12.00`). Null if it is not an amount in this currency. */
export const parseCents = (typed: string, currency: string): number | null => parseHundredths(withoutCurrency(typed.trim(), currency));

function withoutCurrency(typed: string, currency: string): string {
  const number = typed.replace(new RegExp(`^${currency}\\s*|\\s*${currency}$`, 'i'), '');
  const parts = new Intl.NumberFormat('en-AU', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).formatToParts(0);
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  return number.startsWith(sign) ? number.slice(sign.length) : number;
}

/** Hundredths of a typed number, without floating point: `0.29` is 29. Null if it is not a number. */
export function parseHundredths(typed: string): number | null {
  const found = AMOUNT.exec(typed.trim());
  if (found === null) return null;
  const [, sign, whole = '0', rest = ''] = found;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(rest.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

export const isUpTo = (cents: number | null, maxCents: number): cents is number => cents !== null && cents > 0 && cents <= maxCents;

export const amountProblem = (typed: string, maxCents: number, currency: string): string | false =>
  !isUpTo(parseCents(typed, currency), maxCents) && `Enter an amount up to ${formatMoney(maxCents, currency)}`;
