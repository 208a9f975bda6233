import type { QuoteRow } from '../db/rows';
import type { Breakdown } from '../domain/pricing/breakdown';
import type { LineBreakdown } from '../domain/pricing/price-line';
import type { PricedLine } from '../domain/pricing/priced-quote';
import type { Parcels } from '../domain/shipping/parcels';
import { RULES } from '../domain/pricing/rules';
import { BASES, exactCents, type Component } from '../domain/working';
import { fieldsOf } from './fields';

/** Quotes of before kept less: amounts and notes, and of shipping the parcels alone. */
type KeptComponent = Pick<Component, 'code' | 'cents' | 'note'> & Partial<Component>;
type KeptLine = Partial<Omit<LineBreakdown, 'components'>> & { components?: KeptComponent[] };
type KeptParcels = Parcels & { charges?: Component[] };
type KeptBreakdown = Partial<Omit<Breakdown, 'lines' | 'parcels'>> & { lines?: KeptLine[]; parcels?: KeptParcels[] };

/**
 * How a quote's price came to be (trade endpoints "Breakdown object"): a line's components add up to its unit price, those of the parcels to the
 * shipping. What was not kept with an older quote is null. Amounts in cents.
 */
export function presentBreakdown(quote: QuoteRow) {
  const kept = quote.breakdown as KeptBreakdown;
  return {
    quoteId: quote.id,
    currency: quote.currency,
    pricingVersion: quote.pricing_version,
    lines: quote.lines.map((line, index) => presentPricedLine(line, kept.lines?.[index])),
    sumCents: quote.lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
    topUp: presentIfAny(kept.topUp),
    subtotalCents: quote.subtotal_cents,
    discount: presentIfAny(kept.discount),
    discountCents: quote.discount_cents,
    parcels: kept.parcels?.map(presentParcels) ?? null,
    shippingCents: quote.shipping_cents,
    rush: presentIfAny(kept.rush),
    rushFeeCents: quote.rush_fee_cents,
    totalCents: quote.total_cents,
    gst: presentIfAny(kept.gst),
    gstCents: quote.gst_cents,
  };
}
export type PresentedBreakdown = ReturnType<typeof presentBreakdown>;
export type BrokenDownLine = PresentedBreakdown['lines'][number];

function presentPricedLine(line: PricedLine, kept: KeptLine | undefined) {
  return {
    ...fieldsOf(line, 'externalReference', 'productSlug', 'productName'),
    components: componentsOf(line, kept)?.map(presentComponent) ?? null,
    ...fieldsOf(line, 'unitPriceCents', 'quantity', 'amountCents'),
  };
}

/** With the ladder as the last, below zero. */
function componentsOf({ unitPriceCents }: PricedLine, kept: KeptLine | undefined): KeptComponent[] | null {
  if (kept?.components === undefined) return null;
  const cents = unitPriceCents - (kept.unitBaseCents ?? unitPriceCents);
  if (cents === 0) return kept.components;
  return [...kept.components, kept.ladder ?? { code: 'ladder', cents, note: '' }];
}

const presentIfAny = (component: Component | null | undefined): PresentedComponent | null =>
  component === null || component === undefined ? null : presentComponent(component);

function presentParcels({ kind, count, pieces, longMm, shortMm, thicknessMm, grams, chargeableGrams, charges }: KeptParcels) {
  const components = charges?.map(presentComponent) ?? null;
  return { kind, count, pieces, longMm, shortMm, thicknessMm, grams, chargeableGrams, components };
}

/** One amount, and what it was worked out from; of quotes of before the amount alone. */
function presentComponent(component: KeptComponent) {
  const { code, cents, note, by, quantity, rate, rateAt, minimum } = component;
  const basis = by === undefined ? null : BASES[by];
  return {
    code,
    cents,
    quantity: quantity ?? null,
    quantityUnit: basis?.quantityUnit ?? null,
    rate: rate ?? null,
    rateUnit: basis?.rateUnit ?? null,
    rateAt: rateAt ?? null,
    exactCents: by === undefined || quantity === undefined || rate === undefined ? null : exactCents({ by, quantity, rate }),
    minimum: minimum ?? null,
    rounding: basis === null ? null : ('half_up' as const),
    rule: RULES[code] ?? code,
    note,
  };
}
export type PresentedComponent = ReturnType<typeof presentComponent>;
export type PresentedParcels = ReturnType<typeof presentParcels>;
