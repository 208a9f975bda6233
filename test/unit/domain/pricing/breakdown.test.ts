import fc from 'fast-check';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import type { QuoteRow } from '../../../../src/db/rows';
import type { QuoteItem } from '../../../../src/domain/basket/quote-request';
import { ApiError } from '../../../../src/domain/errors';
import { priceQuote } from '../../../../src/domain/pricing';
import type { PricedQuote } from '../../../../src/domain/pricing/priced-quote';
import { RULES } from '../../../../src/domain/pricing/rules';
import { calculateComponent, exactCents, jsonPointer } from '../../../../src/domain/price-component';
import { presentBreakdown, type PresentedComponent } from '../../../../src/presenters/breakdown';
import { anAddress, anInput, anItem } from './basket';
import { propertyRuns } from '../../../support/property-runs';

/** Further selections of each product, which give every component. */
const OPTIONS: readonly [slug: string, change: Record<string, string>][] = [
  ['fine-art-printing', {}],
  ['fine-art-printing', { borderMm: '20', tornEdge: 'true' }],
  ['fine-art-printing', { artworkWidthMm: '200', artworkHeightMm: '280', sleeve: 'A4' }],
  ['everyday-art-prints', {}],
  ['everyday-art-prints', { sleeve: 'A4' }],
  ['print-and-mat', {}],
  ['print-and-mat', { textWindowWidthMm: '100', textWindowHeightMm: '20' }],
  ['custom-framing', {}],
  ['custom-framing', { raisedFloat: 'true', raisedFloatDepthMm: '10', mouldingId: 'moulding-float-black-12' }],
  ['canvas-printing', { finish: 'satin' }],
  ['canvas-printing', { format: 'print-only' }],
  ['canvas-printing', { mouldingId: 'moulding-float-black-12' }],
];
const side = fc.integer({ min: 100, max: 900 });
const item: fc.Arbitrary<QuoteItem> = fc
  .tuple(fc.constantFrom(...OPTIONS), fc.integer({ min: 1, max: 60 }), fc.option(fc.tuple(side, side)))
  .map(([[slug, change], quantity, size]) => {
    const sized = size === null || 'sleeve' in change ? {} : { artworkWidthMm: String(size[0]), artworkHeightMm: String(size[1]) };
    return anItem(slug, { ...change, ...sized }, { quantity });
  });
const basket = fc.record({
  items: fc.array(item, { minLength: 1, maxLength: 6 }),
  tradeDiscountBps: fc.constantFrom(0, 15, 1250, 2000, 10_000),
  country: fc.constantFrom('AU', 'NZ', 'FR'),
  rushTier: fc.constantFrom(...(['standard', 'express', 'critical'] as const)),
  method: fc.integer({ min: 0, max: 5 }),
});
type Basket = typeof basket extends fc.Arbitrary<infer B> ? B : never;

/** The quote with one of the available methods; null if it is refused. */
function tryQuote({ items, tradeDiscountBps, country, rushTier, method }: Basket): PricedQuote | null {
  const request = { shippingAddress: anAddress({ country }), rushTier, shippingMethodId: null };
  const input = anInput(items, { account: { tradeDiscountBps }, criticalRushEnabled: true, request });
  try {
    return priceQuote(input);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const usable = ((error.details?.['shippingOptions'] ?? []) as { id: string; requiresQuote: boolean }[]).filter(
      (one) => !one.requiresQuote,
    );
    const chosen = usable[method % Math.max(1, usable.length)];
    return chosen === undefined ? null : priceQuote({ ...input, request: { ...input.request, shippingMethodId: chosen.id } });
  }
}

const breakdownOf = (quote: PricedQuote) =>
  presentBreakdown({
    id: 'quo_00',
    currency: quote.currency,
    pricing_version: quote.pricingVersion,
    lines: quote.lines,
    breakdown: JSON.parse(JSON.stringify(quote.breakdown)),
    subtotal_cents: quote.subtotalCents,
    discount_cents: quote.discountCents,
    shipping_cents: quote.shippingCents,
    rush_fee_cents: quote.rushFeeCents,
    total_cents: quote.totalCents,
    gst_cents: quote.gstCents,
  } as QuoteRow);

const sumOf = (components: readonly PresentedComponent[] | null): number => (components ?? []).reduce((sum, { cents }) => sum + cents, 0);

/** The value at a path of the book. */
function valueInBook(at: string): unknown {
  const path = at.split('/').slice(1);
  return path.reduce<unknown>(
    (part, name) => (part as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    FIRST_PRICE_BOOK,
  );
}

/** An exact amount rounded to the nearest cent, with half a cent upwards, calculated from its text. */
function roundExact(exact: string): number {
  const [over = '', under = '1'] = exact.split('/');
  const [whole = '0', decimals = ''] = over.split('.');
  const scale = 10n ** BigInt(decimals.length) * BigInt(under);
  const doubled = 2n * BigInt(`${whole}${decimals}`) + scale;
  const rest = ((doubled % (2n * scale)) + 2n * scale) % (2n * scale);
  return Number((doubled - rest) / (2n * scale));
}

function expectComponent(component: PresentedComponent): void {
  const { code, cents, rate, rateAt, exactCents: exact, minimum, rule } = component;
  expect(cents).toBe(Math.max(minimum?.cents ?? roundExact(exact ?? ''), roundExact(exact ?? '')));
  if (rateAt !== null) expect(valueInBook(rateAt)).toBe(rate);
  if (minimum !== null) expect(valueInBook(minimum.at)).toBe(minimum.cents);
  expect([code, rule]).toEqual([code, RULES[code]]);
}

describe('the breakdown of a quote', () => {
  it('adds up to every figure of the quote, and each component follows from a rate of the book', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(basket, (given) => {
        const quote = tryQuote(given);
        if (quote === null) return;
        const told = breakdownOf(quote);
        for (const [index, line] of told.lines.entries()) {
          expect(sumOf(line.components)).toBe(quote.lines[index]?.unitPriceCents);
          expect(line.amountCents).toBe(line.unitPriceCents * line.quantity);
        }
        expect(told.sumCents + (told.topUp?.cents ?? 0)).toBe(quote.subtotalCents);
        expect(told.discount?.cents ?? 0).toBe(quote.discountCents);
        expect(sumOf(told.parcels?.flatMap(({ components }) => components ?? []) ?? null)).toBe(quote.shippingCents);
        expect(told.rush?.cents ?? 0).toBe(quote.rushFeeCents);
        expect(told.gst?.cents ?? 0).toBe(quote.gstCents);
        expect(told.subtotalCents - told.discountCents + told.shippingCents + told.rushFeeCents).toBe(quote.totalCents);
        const components = [
          ...told.lines.flatMap((line) => line.components ?? []),
          ...(told.parcels ?? []).flatMap((parcels) => parcels.components ?? []),
          ...[told.topUp, told.discount, told.rush, told.gst].filter((one) => one !== null),
        ];
        for (const component of components) expectComponent(component);
        for (const { code } of components) seen.add(code);
      }),
      propertyRuns(1000),
    );
    expect([...seen].toSorted()).toEqual(Object.keys(RULES).toSorted());
  });

  it('gives exact amounts before rounding', () => {
    expect(exactCents({ by: 'area', quantity: 249_481, rate: 26_000 })).toBe('6486.506');
    expect(exactCents({ by: 'length', quantity: 3000, rate: 4800 })).toBe('14400');
    expect(exactCents({ by: 'reduction', quantity: 7583, rate: 500 })).toBe('-379.15');
    expect(exactCents({ by: 'division', quantity: 8425, rate: 11 })).toBe('8425/11');
    expect(exactCents({ by: 'area', quantity: Number.MAX_SAFE_INTEGER, rate: 1 })).toBe('9007199254.740991');
  });

  it('references the book, also for ids with a slash', () => {
    expect(jsonPointer('print', 'byMediaId', 'a/b~c', 0)).toBe('/print/byMediaId/a~1b~0c/0');
  });

  it('a minimum applies if it is greater', () => {
    const minimum = { cents: 100, at: '/x' };
    expect(calculateComponent('each', 1, { value: 99, at: null }, { code: 'print', note: '', minimum }).cents).toBe(100);
    expect(calculateComponent('each', 1, { value: 101, at: null }, { code: 'print', note: '', minimum }).cents).toBe(101);
  });
});
