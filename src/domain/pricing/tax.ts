import { multiplyDivide } from '../money';
import type { PriceBook } from '../price-book/price-book';

/** Tax contained in a total, in cents: one rounding for the book's own country, 0 for exports (ruling 27). */
export function taxContained({ country, divisor }: PriceBook['tax'], totalCents: number, destination: string): number {
  return destination === country ? multiplyDivide(totalCents, 1, divisor) : 0;
}
