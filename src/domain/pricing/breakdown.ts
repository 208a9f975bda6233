import { DEFAULT_RUSH_TIER, type RushTier } from '../limits';
import type { PriceBook } from '../price-book/price-book';
import { parcelCharges } from '../shipping/charges';
import type { ParcelGroup } from '../shipping/parcels';
import { calculateComponent, type PriceComponent } from '../price-component';
import type { PriceQuoteInput } from './input';
import type { LineBreakdown, LineResult } from './price-line';
import type { Totals } from './totals';
import type { ShippingAddress } from '../basket/quote-request';

/** The calculation of every figure of a quote, stored with it. Plain JSON. */
export interface Breakdown {
  lines: LineBreakdown[];
  parcels: (ParcelGroup & { charges: PriceComponent[] })[];
  sumCents: number;
  topUpCents: number;
  tradeDiscountBps: number;
  rushTier: RushTier;
  /** Discount on the whole order; null without one. */
  discount: PriceComponent | null;
  topUp: PriceComponent | null;
  rush: PriceComponent | null;
  gst: PriceComponent | null;
}

export function breakdownOf(
  { book, account, request }: PriceQuoteInput,
  lines: readonly LineResult[],
  parcels: readonly ParcelGroup[],
  sums: Totals,
  to: { methodId: string; address: ShippingAddress; isTaxed: boolean },
): Breakdown {
  const rushTier = request.rushTier ?? DEFAULT_RUSH_TIER;
  return {
    lines: lines.map(({ breakdown }) => breakdown),
    parcels: parcels.map((group) => ({ ...group, charges: parcelCharges(book.shipping, to.methodId, to.address, group) })),
    sumCents: sums.sumCents,
    topUpCents: sums.topUpCents,
    tradeDiscountBps: account.tradeDiscountBps,
    rushTier,
    discount: account.tradeDiscountBps === 0 ? null : discountOf(sums, account.tradeDiscountBps),
    topUp: sums.topUpCents === 0 ? null : topUpOf(book, sums),
    rush: rushTier === 'standard' ? null : rushOf(book, sums, rushTier),
    gst: to.isTaxed ? gstOf(book, sums) : null,
  };
}

const discountOf = ({ sumCents }: Totals, bps: number): PriceComponent =>
  calculateComponent(
    'share',
    sumCents,
    { value: bps, at: null },
    { code: 'trade-discount', note: "the account's discount on the sum of the lines" },
  );

const topUpOf = ({ minimumOrderCents }: PriceBook, { sumCents, discountCents }: Totals): PriceComponent =>
  calculateComponent(
    'lack',
    sumCents - discountCents,
    { value: minimumOrderCents, at: '/minimumOrderCents' },
    { code: 'minimum-top-up', note: 'raises the sum of the lines, less discount, to the minimum order' },
  );

function rushOf({ rush }: PriceBook, { subtotalCents, discountCents }: Totals, tier: 'express' | 'critical'): PriceComponent {
  const { surchargeBps: value, minimumCents: cents } = rush[tier];
  const minimum = { cents, at: `/rush/${tier}/minimumCents` };
  const rate = { value, at: `/rush/${tier}/surchargeBps` };
  return calculateComponent('share', subtotalCents - discountCents, rate, {
    code: 'rush',
    note: `${tier}, percentage of the subtotal less discount`,
    minimum,
  });
}

const gstOf = ({ tax }: PriceBook, { totalCents }: Totals): PriceComponent =>
  calculateComponent('division', totalCents, { value: tax.divisor, at: '/tax/divisor' }, { code: 'gst', note: 'included in the total' });
