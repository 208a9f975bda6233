import type { ShippingAddress } from '../domain/basket/quote-request';

/** How documents write amounts, days and addresses. */

/** `$84.25`; another currency by its code. A minus is one, and not a hyphen. */
export function money(cents: number, currency: string): string {
  const amount = new Intl.NumberFormat('en-AU', {
    style: 'currency',
    currency,
    currencyDisplay: currency === 'AUD' ? 'narrowSymbol' : 'code',
  });
  return amount
    .format(cents / 100)
    .replace('-', '−')
    .replaceAll('\u00a0', ' ');
}

/** `5 March 2026`, of a day `YYYY-MM-DD`. */
export const day = (date: string): string => dayIn('UTC', new Date(`${date}T00:00:00Z`));

/** `Thursday 5 March 2026`. */
export function longDay(date: string): string {
  const weekday = new Intl.DateTimeFormat('en-AU', { weekday: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
  return `${weekday} ${day(date)}`;
}

/** The day on the studio's clock. */
export const dayIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(at);

/** `5 March 2026, 9:30 am AEDT`, on the studio's clock. */
export function momentIn(timeZone: string, at: Date): string {
  const time = new Intl.DateTimeFormat('en-AU', {
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZone,
    timeZoneName: 'short',
  }).format(at);
  return `${dayIn(timeZone, at)}, ${time.replaceAll('\u202f', ' ')}`;
}

/** Rows of an address as they stand on a parcel; those that are empty are left out. */
export function addressRows(address: ShippingAddress): string[] {
  const { name, company, line1, line2, city, state, postcode, country } = address;
  return [name, company, line1, line2, `${city} ${state} ${postcode}`, countryName(country)].filter(isGiven);
}

export const isGiven = (part: string | null | undefined): part is string => part !== null && part !== undefined && part.trim() !== '';

function countryName(code: string): string {
  try {
    return new Intl.DisplayNames('en-AU', { type: 'region' }).of(code.toUpperCase()) ?? code;
  } catch {
    return code; // erased
  }
}
