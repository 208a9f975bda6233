import type { MediaRow, MediaSection } from '../catalogue';
import { pointer } from '../working';
import type { PriceBook, PrintClass, PrintRate } from './price-book';

/** The stock's own rate, else its class's; null: not sold. */
export function printRate({ print }: PriceBook, section: MediaSection, stock: MediaRow): PrintRate | null {
  const own = Object.hasOwn(print.byMediaId, stock.id) ? print.byMediaId[stock.id] : undefined;
  return own ?? print.classes[printClass(section, stock)];
}

export function printRateAt({ print }: PriceBook, section: MediaSection, stock: MediaRow): string {
  return Object.hasOwn(print.byMediaId, stock.id)
    ? pointer('print', 'byMediaId', stock.id)
    : pointer('print', 'classes', printClass(section, stock));
}

export function printClass(section: MediaSection, stock: MediaRow): PrintClass {
  if (section === 'canvasMedia') return 'canvas';
  if (section === 'everydayArtMedia') return 'everyday';
  return stock.storefrontTier === 'advanced' ? 'museum' : 'house';
}

/** The id's own rate, else the fallback; null: not sold. */
export function rateIn(rates: Record<string, number>, fallback: number | null, id: string): number | null {
  return (Object.hasOwn(rates, id) ? rates[id] : undefined) ?? fallback;
}
