import type { Destination } from '../basket/quote-request';
import type { PostcodeRange, Zone } from '../price-book/price-book';

/** The first zone that covers the destination; undefined if there is none. Postcodes matter only if the zone lists them. */
export function zoneOf(zones: readonly Zone[], { country, postcode }: Destination): Zone | undefined {
  return zones.find((zone) => zone.countries.includes(country) && (zone.postcodes === null || coversPostcode(zone.postcodes, postcode)));
}

export const coversPostcode = (ranges: readonly PostcodeRange[], postcode: string): boolean =>
  ranges.some(({ from, to }) => postcode.length === from.length && postcode >= from && postcode <= to);
