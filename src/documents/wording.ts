import type { ShippingAddress } from '../domain/basket/quote-request';
import { kept } from '../domain/kept-formats';

/** How documents write amounts, days and addresses. */

const keptPerZone = (parts: Intl.DateTimeFormatOptions) => kept((timeZone) => new Intl.DateTimeFormat('en-AU', { ...parts, timeZone }));

const amountsIn = kept(
  (currency) =>
    new Intl.NumberFormat('en-AU', { style: 'currency', currency, currencyDisplay: currency === 'AUD' ? 'narrowSymbol' : 'code' }),
);
const days = keptPerZone({ day: 'numeric', month: 'long', year: 'numeric' });
const shortDays = keptPerZone({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdays = keptPerZone({ weekday: 'long' });
const times = keptPerZone({ hour: 'numeric', minute: '2-digit', hour12: true, timeZoneName: 'short' });
const countries = new Intl.DisplayNames('en-AU', { type: 'region' });

/** `$84.25`; another currency by its code. A minus is one, and not a hyphen. */
export function money(cents: number, currency: string): string {
  return amountsIn(currency)
    .format(cents / 100)
    .replace('-', '−')
    .replaceAll('\u00a0', ' ');
}

/** `5 March 2026`, of a day `YYYY-MM-DD`. */
export const day = (date: string): string => dayIn('UTC', new Date(`${date}T00:00:00Z`));

/** `5 Mar 2026`, for columns; the longest month is `Sept`. */
export const shortDay = (date: string): string => shortDayIn('UTC', new Date(`${date}T00:00:00Z`));

export const shortDayIn = (timeZone: string, at: Date): string => shortDays(timeZone).format(at);

/** `Thursday 5 March 2026`. */
export function longDay(date: string): string {
  return `${weekdays('UTC').format(new Date(`${date}T00:00:00Z`))} ${day(date)}`;
}

/** The day on the studio's clock. */
export const dayIn = (timeZone: string, at: Date): string => days(timeZone).format(at);

/** `5 March 2026, 9:30 am AEDT`, on the studio's clock. */
export function momentIn(timeZone: string, at: Date): string {
  return `${dayIn(timeZone, at)}, ${times(timeZone).format(at).replaceAll('\u202f', ' ')}`;
}

/** Rows of an address as they stand on a parcel; those that are empty are left out. */
export function addressRows(address: ShippingAddress): string[] {
  const { name, company, line1, line2, city, state, postcode, country } = address;
  return [name, company, line1, line2, `${city} ${state} ${postcode}`, countryName(country)].filter(isGiven);
}

export const isGiven = (part: string | null | undefined): part is string => part !== null && part !== undefined && part.trim() !== '';

function countryName(code: string): string {
  try {
    return countries.of(code.toUpperCase()) ?? code;
  } catch {
    return code; // erased
  }
}
