import { multiplyDivide, shareOf, sumCents } from '../money';
import type { Destination } from '../basket/quote-request';
import type { PriceBook, RushTerms } from '../price-book/price-book';
import { coversPostcode } from '../shipping/zones';

interface TotalsInput {
  amountsCents: readonly number[];
  tradeDiscountBps: number;
  rush: RushTerms | null;
  shippingCents: number;
  isTaxed: boolean;
}
export interface Totals {
  sumCents: number;
  topUpCents: number;
  subtotalCents: number;
  discountCents: number;
  discountReason: string | null;
  discountLabel: string | null;
  rushFeeCents: number;
  shippingCents: number;
  totalCents: number;
  gstCents: number;
}

/**
 * Sum → trade discount → top-up → rush → shipping → total → GST, in cents. Clients check the sum, so always `totalCents = subtotalCents −
 * discountCents + shippingCents + rushFeeCents`.
 */
export function totals(book: PriceBook, input: TotalsInput): Totals {
  const sum = sumCents(input.amountsCents);
  const discountCents = shareOf(sum, input.tradeDiscountBps);
  const topUpCents = Math.max(0, book.minimumOrderCents - (sum - discountCents));
  const subtotalCents = sum + topUpCents;
  const rushFeeCents = rushFee(input.rush, subtotalCents - discountCents);
  const totalCents = subtotalCents - discountCents + input.shippingCents + rushFeeCents;
  return {
    sumCents: sum,
    topUpCents,
    subtotalCents,
    discountCents,
    ...discountNames(discountCents, input.tradeDiscountBps),
    rushFeeCents,
    shippingCents: input.shippingCents,
    totalCents,
    gstCents: input.isTaxed ? taxContained(book.tax, totalCents) : 0,
  };
}

function rushFee(rush: RushTerms | null, baseCents: number): number {
  return rush === null ? 0 : Math.max(rush.minimumCents, shareOf(baseCents, rush.surchargeBps));
}

function discountNames(discountCents: number, bps: number): Pick<Totals, 'discountReason' | 'discountLabel'> {
  if (discountCents === 0) return { discountReason: null, discountLabel: null };
  return { discountReason: 'trade', discountLabel: `Trade discount ${bps / 100}%` };
}

/** Tax contained in a total, in cents, rounded once. */
export const taxContained = ({ divisor }: PriceBook['tax'], totalCents: number): number => multiplyDivide(totalCents, 1, divisor);

/** Whether the supply is taxed: collection is domestic, goods sent abroad or to an untaxed zone are exports. */
export function isTaxed({ country, untaxedZones }: PriceBook['tax'], to: Destination, isCollection: boolean): boolean {
  if (isCollection) return true;
  return to.country === country && !untaxedZones.some(({ postcodes }) => coversPostcode(postcodes, to.postcode));
}
