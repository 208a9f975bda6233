import type { QuoteRow } from '../db/rows';
import type { Breakdown } from '../domain/pricing/breakdown';
import type { LineBreakdown } from '../domain/pricing/price-line';
import type { PricedLine } from '../domain/pricing/priced-quote';
import type { ParcelGroup } from '../domain/shipping/parcels';
import { RULES } from '../domain/pricing/rules';
import { BASES, exactCents, type PriceComponent } from '../domain/price-component';
import { fieldsOf } from './fields';

/** Older quotes store only amounts, notes and the parcels of shipping. */
type StoredComponent = Pick<PriceComponent, 'code' | 'cents' | 'note'> & Partial<PriceComponent>;
type StoredLine = Partial<Omit<LineBreakdown, 'components'>> & { components?: StoredComponent[] };
type StoredParcels = ParcelGroup & { charges?: PriceComponent[] };
type StoredBreakdown = Partial<Omit<Breakdown, 'lines' | 'parcels'>> & { lines?: StoredLine[]; parcels?: StoredParcels[] };

/**
 * The breakdown of a quote. The components of a line add up to its unit price, the components of the parcels to the shipping price. Fields
 * that older quotes do not store are null. Amounts are in cents.
 */
export function presentBreakdown(quote: QuoteRow) {
  const stored = quote.breakdown as StoredBreakdown;
  return {
    quoteId: quote.id,
    currency: quote.currency,
    pricingVersion: quote.pricing_version,
    lines: quote.lines.map((line, index) => presentPricedLine(line, stored.lines?.[index])),
    sumCents: quote.lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
    topUp: presentOptional(stored.topUp),
    subtotalCents: quote.subtotal_cents,
    discount: presentOptional(stored.discount),
    discountCents: quote.discount_cents,
    parcels: stored.parcels?.map(presentParcels) ?? null,
    shippingCents: quote.shipping_cents,
    rush: presentOptional(stored.rush),
    rushFeeCents: quote.rush_fee_cents,
    totalCents: quote.total_cents,
    gst: presentOptional(stored.gst),
    gstCents: quote.gst_cents,
  };
}
export type PresentedBreakdown = ReturnType<typeof presentBreakdown>;
export type BreakdownLine = PresentedBreakdown['lines'][number];

function presentPricedLine(line: PricedLine, stored: StoredLine | undefined) {
  return {
    ...fieldsOf(line, 'externalReference', 'productSlug', 'productName'),
    components: componentsOf(line, stored)?.map(presentComponent) ?? null,
    ...fieldsOf(line, 'unitPriceCents', 'quantity', 'amountCents'),
  };
}

/** The quantity discount (`ladder`) is the last component, with a negative amount. */
function componentsOf({ unitPriceCents }: PricedLine, stored: StoredLine | undefined): StoredComponent[] | null {
  if (stored?.components === undefined) return null;
  const cents = unitPriceCents - (stored.unitBaseCents ?? unitPriceCents);
  if (cents === 0) return stored.components;
  return [...stored.components, stored.ladder ?? { code: 'ladder', cents, note: '' }];
}

const presentOptional = (component: PriceComponent | null | undefined): PresentedComponent | null =>
  component === null || component === undefined ? null : presentComponent(component);

function presentParcels({ kind, count, pieces, longMm, shortMm, thicknessMm, grams, chargeableGrams, charges }: StoredParcels) {
  const components = charges?.map(presentComponent) ?? null;
  return { kind, count, pieces, longMm, shortMm, thicknessMm, grams, chargeableGrams, components };
}

/** An amount with its calculation; older quotes have only the amount. */
function presentComponent(component: StoredComponent) {
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
