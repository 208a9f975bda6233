import fc from 'fast-check';
import { formatTotal, groupCuts, type CutOrder } from '../../../../src/documents/cutting-list';
import { ApiError } from '../../../../src/domain/errors';
import { priceQuote } from '../../../../src/domain/pricing';
import { ORDERABLE_PRODUCTS } from '../../../../src/domain/products';
import type { QuoteItem } from '../../../../src/domain/basket/quote-request';
import type { PriceComponent } from '../../../../src/domain/price-component';
import { CUT_CODES, type Cut, type CutCode } from '../../../../src/domain/products/cuts';
import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { ARTWORK, anAddress, anInput, anItem } from './basket';
import { propertyRuns } from '../../../support/property-runs';

const slug = fc.constantFrom(...ORDERABLE_PRODUCTS.keys());
const KEYS = [
  ...new Set([...ORDERABLE_PRODUCTS.values()].flatMap(({ keys }) => keys)),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
];
const { media, canvasMedia, everydayArtMedia, mouldings, matboards, glazing, backing, qualityTiers, sleeves } = SEED_CATALOGUE;
const IDS = [media, canvasMedia, everydayArtMedia, mouldings, matboards, glazing, backing, qualityTiers].flatMap((rows) =>
  rows.map(({ id }) => id),
);
const WORDS = [
  'true',
  'false',
  'inside',
  'print-only',
  '18mm',
  '30mm',
  '6',
  '10',
  'black',
  'white',
  'satin',
  '0',
  '1',
  '60',
  '420',
  '1118',
  '99999',
  '__proto__',
  'constructor',
  '',
  ...sleeves.map(({ sizeCode }) => sizeCode),
];

/** A length of moulding with the waste of the first price book, 10 %, rounded up to its step of 100 mm. */
const billedLength = (mm: number): number => Math.ceil((mm * 11) / 1000) * 100;

/** An order whose pieces are all to be made. */
const NEW_ORDER: Omit<CutOrder, 'jobs'> = {
  order_number: 'P-10001',
  environment: 'live',
  status: 'received',
  base_status: 'received',
  printed_lines: [],
  stage_lines: { printed: [], framed: [], checked: [], ready: [] },
  parcels: [],
};

const sumOf = (figures: readonly number[]): number => figures.reduce((whole, figure) => whole + figure, 0);

/** What pricing measures of a cut: the billed length of a moulding, the perimeter of another strip, or the area of a sheet. */
const measureOf = ({ code, widthMm, heightMm, lengthMm }: Cut): number =>
  code === 'moulding' ? billedLength(lengthMm ?? 0) : (lengthMm ?? widthMm * heightMm);

/** JSON.parse makes `__proto__` an own key, as a request body does. */
const selections = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), fc.oneof(fc.constantFrom(...IDS, ...WORDS), fc.string())), { maxLength: 12 })
  .map(
    (pairs) =>
      JSON.parse(`{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`) as Record<string, string>,
  );
const anyItem: fc.Arbitrary<QuoteItem> = fc.record({
  productSlug: fc.oneof(slug, fc.constantFrom('scanning', '__proto__', 'constructor'), fc.string()),
  quantity: fc.integer({ min: 1, max: 990 }),
  variantSelections: selections,
  imageUrl: fc.constantFrom(ARTWORK, null, 'https://x.test/'),
  externalReference: fc.option(fc.string()),
});
/** An item similar to a valid one, with two or three changed keys. */
const nearItem = fc.tuple(slug, selections, fc.integer({ min: 1, max: 990 })).map(([good, change, quantity]) => {
  const item = anItem(good, {}, { quantity });
  return { ...item, variantSelections: { ...item.variantSelections, ...Object.fromEntries(Object.entries(change).slice(0, 3)) } };
});
const goodItem = fc
  .tuple(slug, fc.integer({ min: 1, max: 250 }), fc.integer({ min: 100, max: 1000 }), fc.integer({ min: 100, max: 1000 }))
  .map(([good, quantity, width, height]) => anItem(good, { artworkWidthMm: String(width), artworkHeightMm: String(height) }, { quantity }));
const bps = fc.integer({ min: 0, max: 10_000 });
const country = fc.constantFrom(...(['AU', 'NZ', 'FR'] as const));
const rushTier = fc.constantFrom(...(['standard', 'express', 'critical'] as const));

function findCheapestQuote(
  items: QuoteItem[],
  over: { tradeDiscountBps: number; country: string; rushTier: 'standard' | 'express' | 'critical' },
) {
  const shippingAddress = anAddress({ country: over.country });
  const base = anInput(items, {
    account: over,
    criticalRushEnabled: true,
    request: { shippingAddress, rushTier: over.rushTier, shippingMethodId: null },
  });
  try {
    return priceQuote(base);
  } catch (error) {
    const options = (error as ApiError).details?.['shippingOptions'] as { id: string; requiresQuote: boolean }[];
    const usable = options.find(({ requiresQuote }) => !requiresQuote);
    return usable ? priceQuote({ ...base, request: { ...base.request, shippingMethodId: usable.id } }) : null;
  }
}

/** `quote` for integer figures, or the status of a refusal. Any other error fails the property. */
function priceOutcome(items: QuoteItem[]): string {
  try {
    return Number.isSafeInteger(priceQuote(anInput(items)).totalCents) ? 'quote' : 'figures beyond integers';
  } catch (error) {
    if (error instanceof ApiError) return String(error.status);
    throw error;
  }
}

describe('any request', () => {
  it.each([
    ['any selections', anyItem],
    ['selections near good ones', nearItem],
  ])('%s give a quote or a 4xx refusal, and never another error', (_title, item) => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), (items) => {
        expect(priceOutcome(items)).toMatch(/^(quote|400)$/);
      }),
      propertyRuns(1500),
    );
  });
});

describe('every quote', () => {
  it('adds up: lines, subtotal, total, GST', () => {
    fc.assert(
      fc.property(fc.array(goodItem, { minLength: 1, maxLength: 6 }), bps, country, rushTier, (items, tradeDiscountBps, to, tier) => {
        const quote = findCheapestQuote(items, { tradeDiscountBps, country: to, rushTier: tier });
        if (quote === null) return;
        for (const { amountCents, unitPriceCents, quantity } of quote.lines) expect(amountCents).toBe(unitPriceCents * quantity);
        const sum = quote.lines.reduce((total, { amountCents }) => total + amountCents, 0);
        const { topUpCents } = quote.breakdown as { topUpCents: number };
        expect(quote.subtotalCents).toBe(sum + topUpCents);
        expect(quote.subtotalCents - quote.discountCents).toBeGreaterThanOrEqual(2500);
        expect(quote.totalCents).toBe(quote.subtotalCents - quote.discountCents + quote.shippingCents + quote.rushFeeCents);
        expect(quote.gstCents).toBe(to === 'AU' ? Math.floor((2 * quote.totalCents + 11) / 22) : 0);
        expect(quote.lines).toHaveLength(items.length);
        expect(JSON.parse(JSON.stringify(quote))).toEqual(quote);
      }),
      propertyRuns(100),
    );
  });

  it('is cut from what was priced: areas, lengths and risers', () => {
    const anyGood = fc.oneof(goodItem, nearItem);
    fc.assert(
      fc.property(fc.array(anyGood, { minLength: 1, maxLength: 3 }), (items) => {
        if (priceOutcome(items) !== 'quote') return;
        const { jobs, breakdown } = priceQuote(anInput(items));
        const { lines } = breakdown as { lines: { components: PriceComponent[] }[] };
        jobs.forEach(({ cuts }, at) => {
          const measured = new Map(lines[at]?.components.map((component) => [component.code, component.quantity]));
          for (const cut of cuts) {
            const { code, widthMm, heightMm, lengthMm, materialId } = cut;
            const width = mouldings.find(({ id }) => id === materialId)?.widthMm ?? 0;
            if (lengthMm !== undefined) expect(lengthMm).toBe(2 * (widthMm + heightMm) + 8 * width);
            expect({ code, billed: measured.get(code) }).toEqual({ code, billed: measureOf(cut) });
          }
          const isCut = (code: string): boolean => (CUT_CODES as readonly string[]).includes(code);
          expect(cuts.map(({ code }) => code).toSorted()).toEqual([...measured.keys()].filter(isCut).toSorted());
        });
      }),
      propertyRuns(200),
    );
  });

  it('has a cutting list that adds up to what was priced', () => {
    const anyGood = fc.oneof(goodItem, nearItem);
    fc.assert(
      fc.property(fc.array(anyGood, { minLength: 1, maxLength: 4 }), (items) => {
        if (priceOutcome(items) !== 'quote') return;
        const { jobs, breakdown } = priceQuote(anInput(items));
        const { lines } = breakdown as { lines: { components: PriceComponent[] }[] };
        const measured = (code: CutCode): number[] =>
          jobs.map(({ quantity }, at) => {
            const { quantity: measure = 0 } = lines[at]?.components.find((component) => component.code === code) ?? {};
            return quantity * measure;
          });
        const groups = groupCuts([{ ...NEW_ORDER, jobs }], () => undefined);
        for (const code of CUT_CODES) {
          const rows = groups.flatMap((group) => group.rows.filter((row) => row.code === code));
          const listed = jobs.map((_, at) => sumOf(rows.filter(({ line }) => line === at + 1).map((row) => row.pieces * measureOf(row))));
          expect({ code, listed }).toEqual({ code, listed: measured(code) });
        }
        for (const { rows } of groups) {
          const total = sumOf(rows.map(({ pieces, widthMm, heightMm, lengthMm }) => pieces * (lengthMm ?? widthMm * heightMm)));
          const isStrip = rows.some(({ lengthMm }) => lengthMm !== undefined);
          const pieces = sumOf(rows.map((row) => row.pieces));
          const measure = isStrip ? `${(total / 1000).toFixed(3)} m` : `${(total / 1_000_000).toFixed(3)} m²`;
          expect(formatTotal(rows)).toBe(`${pieces} ${pieces === 1 ? 'piece' : 'pieces'} · ${measure}`);
        }
      }),
      propertyRuns(200),
    );
  });

  it('has a unit price that never increases with the quantity', () => {
    fc.assert(
      fc.property(goodItem, fc.integer({ min: 1, max: 250 }), fc.integer({ min: 1, max: 250 }), (item, a, b) => {
        const unitPriceOf = (quantity: number): number => priceQuote(anInput([{ ...item, quantity }])).lines[0]?.unitPriceCents ?? -1;
        expect(unitPriceOf(Math.max(a, b))).toBeLessThanOrEqual(unitPriceOf(Math.min(a, b)));
      }),
      propertyRuns(100),
    );
  });

  it('is the same for the same input, and does not change the input', () => {
    fc.assert(
      fc.property(fc.array(goodItem, { minLength: 1, maxLength: 4 }), (items) => {
        const input = anInput(items);
        const before = JSON.stringify(input);
        expect(priceQuote(input)).toEqual(priceQuote(input));
        expect(JSON.stringify(input)).toBe(before);
      }),
      propertyRuns(30),
    );
  });
});
