import { cacheFormats } from '../domain/format-cache';

/** Formats amounts and days for documents. */

const formatterPerZone = (parts: Intl.DateTimeFormatOptions) =>
  cacheFormats((timeZone) => new Intl.DateTimeFormat('en-AU', { ...parts, timeZone }));

/** Amounts are hundredths in every currency, also in those that are usually written without them, such as HUF. */
const currencyFormatter = cacheFormats(
  (currency) =>
    new Intl.NumberFormat('en-AU', {
      style: 'currency',
      currency,
      currencyDisplay: currency === 'AUD' ? 'narrowSymbol' : 'code',
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    }),
);
const dayFormatter = formatterPerZone({ day: 'numeric', month: 'long', year: 'numeric' });
const shortDayFormatter = formatterPerZone({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdayFormatter = formatterPerZone({ weekday: 'long' });
const timeFormatter = formatterPerZone({ hour: 'numeric', minute: '2-digit', hour12: true, timeZoneName: 'short' });

/** Australian dollars as `$84.25`, other currencies with their code. Negative amounts have a minus sign, not a hyphen. */
export function formatMoney(cents: number, currency: string): string {
  return currencyFormatter(currency)
    .format(cents / 100)
    .replace('-', '−')
    .replaceAll('\u00a0', ' ');
}

/** `5 March 2026` for a day `YYYY-MM-DD`. */
export const formatDay = (date: string): string => formatDayIn('UTC', new Date(`${date}T00:00:00Z`));

/** `5 Mar 2026`, for table columns. The longest month name is `Sept`. */
export const formatShortDay = (date: string): string => formatShortDayIn('UTC', new Date(`${date}T00:00:00Z`));

export const formatShortDayIn = (timeZone: string, at: Date): string => shortDayFormatter(timeZone).format(at);

/** `Thursday 5 March 2026`. */
export function formatLongDay(date: string): string {
  return `${weekdayFormatter('UTC').format(new Date(`${date}T00:00:00Z`))} ${formatDay(date)}`;
}

/** The day in the studio's time zone. */
export const formatDayIn = (timeZone: string, at: Date): string => dayFormatter(timeZone).format(at);

/** `5 March 2026, 9:30 am AEDT`, in the studio's time zone. */
export function formatMomentIn(timeZone: string, at: Date): string {
  return `${formatDayIn(timeZone, at)}, ${timeFormatter(timeZone).format(at).replaceAll('\u202f', ' ')}`;
}

export const isNonEmpty = (part: string | null | undefined): part is string => part !== null && part !== undefined && part.trim() !== '';
