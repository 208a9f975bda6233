import type { MediaRow, MediaSection } from '../catalogue';
import { jsonPointer } from '../price-component';
import type { PriceBook, PrintClass, PrintRate } from './price-book';

/** Returns the stock's own rate, or else its class's rate; null means not sold. */
export function findPrintRate({ print }: PriceBook, section: MediaSection, stock: MediaRow): PrintRate | null {
  const own = Object.hasOwn(print.byMediaId, stock.id) ? print.byMediaId[stock.id] : undefined;
  return own ?? print.classes[printClassOf(section, stock)];
}

export function printRatePointer({ print }: PriceBook, section: MediaSection, stock: MediaRow): string {
  return Object.hasOwn(print.byMediaId, stock.id)
    ? jsonPointer('print', 'byMediaId', stock.id)
    : jsonPointer('print', 'classes', printClassOf(section, stock));
}

export function printClassOf(section: MediaSection, stock: MediaRow): PrintClass {
  if (section === 'canvasMedia') return 'canvas';
  if (section === 'everydayArtMedia') return 'everyday';
  return stock.storefrontTier === 'advanced' ? 'museum' : 'house';
}

/** Returns the id's own rate, or else the fallback; null means not sold. */
export function lookUpRate(rates: Record<string, number>, fallback: number | null, id: string): number | null {
  return (Object.hasOwn(rates, id) ? rates[id] : undefined) ?? fallback;
}
