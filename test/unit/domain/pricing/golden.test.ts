import { priceQuote } from '../../../../src/domain/pricing';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { totals } from '../../../../src/domain/pricing/totals';
import { anInput, anItem } from './basket';

const components = (breakdown: unknown): unknown =>
  (breakdown as { lines: { components: { code: string; cents: number }[] }[] }).lines[0]?.components.map(({ code, cents }) => [
    code,
    cents,
  ]);

describe('the golden cases, to the cent', () => {
  it('A: five fine-art prints with an outside border, trade discount and the ladder', () => {
    const item = anItem('fine-art-printing', { artworkWidthMm: '420', artworkHeightMm: '594', borderMm: '20' }, { quantity: 5 });
    const quote = priceQuote(anInput([item], { account: { tradeDiscountBps: 2000 }, request: { shippingMethodId: 'standard-parcel' } }));
    expect(components(quote.breakdown)).toEqual([['print', 7583]]);
    expect(quote.lines).toEqual([
      {
        externalReference: null,
        productSlug: 'fine-art-printing',
        productName: 'Fine art print',
        quantity: 5,
        unitPriceCents: 7204,
        amountCents: 36020,
      },
    ]);
    expect(quote).toMatchObject({
      subtotalCents: 36020,
      discountCents: 7204,
      discountReason: 'trade',
      discountLabel: 'Trade discount 20%',
      shippingCents: 1450,
      shippingMethod: 'standard-parcel',
      rushFeeCents: 0,
      promisedReadyDate: null,
      totalCents: 30266,
      gstCents: 2751,
      currency: 'AUD',
    });
  });

  it('B: a torn edge is billed on its paper and at least 15 dollars', () => {
    const quote = priceQuote(anInput([anItem('fine-art-printing', { tornEdge: 'true' })]));
    expect(components(quote.breakdown)).toEqual([
      ['print', 3689],
      ['torn-edge', 1500],
    ]);
    expect(quote.lines[0]?.unitPriceCents).toBe(5189);
  });

  it('C: framing with mat, express and trade discount', () => {
    const over = { account: { tradeDiscountBps: 2000 }, request: { shippingMethodId: 'standard-parcel', rushTier: 'express' as const } };
    const quote = priceQuote(anInput([anItem('custom-framing')], over));
    expect(components(quote.breakdown)).toEqual([
      ['print', 6486],
      ['moulding', 14400],
      ['join', 2500],
      ['glazing', 5591],
      ['mat', 3663],
      ['mat-cut', 1200],
      ['backing', 1080],
      ['assembly', 3500],
    ]);
    expect(quote).toMatchObject({
      subtotalCents: 38420,
      discountCents: 7684,
      rushFeeCents: 9221,
      shippingCents: 3800,
      totalCents: 43757,
      gstCents: 3978,
    });
  });

  it('D: one small everyday print is topped up to the minimum order', () => {
    const over = { account: { tradeDiscountBps: 2000 }, request: { shippingMethodId: 'standard-parcel' } };
    const quote = priceQuote(anInput([anItem('everyday-art-prints')], over));
    expect(quote).toMatchObject({
      lines: [{ unitPriceCents: 600 }],
      breakdown: { topUpCents: 2020 },
      subtotalCents: 2620,
      discountCents: 120,
      shippingCents: 950,
      totalCents: 3450,
      gstCents: 314,
    });
  });
});

describe('totals', () => {
  const plain = { amountsCents: [10_000], tradeDiscountBps: 0, rush: null, shippingCents: 0, isTaxed: true };
  it.each([
    ['no discount has no note', plain, { discountCents: 0, discountReason: null, discountLabel: null, totalCents: 10_000, gstCents: 909 }],
    ['an export contains no GST', { ...plain, isTaxed: false }, { gstCents: 0, totalCents: 10_000 }],
    ['half a cent of discount rounds up', { ...plain, amountsCents: [2510], tradeDiscountBps: 15 }, { discountCents: 4 }],
    [
      'a discount of zero cents has no reason',
      { ...plain, amountsCents: [2500], tradeDiscountBps: 1 },
      { discountCents: 0, discountReason: null },
    ],
    ['a fractional percentage is named', { ...plain, tradeDiscountBps: 1250 }, { discountLabel: 'Trade discount 12.5%' }],
    ['a full discount is topped up to the minimum', { ...plain, tradeDiscountBps: 10_000 }, { subtotalCents: 12_500, totalCents: 2500 }],
    ['exactly the minimum needs no top-up', { ...plain, amountsCents: [2500] }, { topUpCents: 0, subtotalCents: 2500 }],
    ['one cent below it is topped up', { ...plain, amountsCents: [2499] }, { topUpCents: 1, subtotalCents: 2500 }],
    ['express has a minimum fee', { ...plain, amountsCents: [2500], rush: FIRST_PRICE_BOOK.rush.express }, { rushFeeCents: 1500 }],
    ['critical has a minimum fee', { ...plain, amountsCents: [2500], rush: FIRST_PRICE_BOOK.rush.critical }, { rushFeeCents: 4000 }],
    ['critical is sixty per cent', { ...plain, rush: FIRST_PRICE_BOOK.rush.critical }, { rushFeeCents: 6000, totalCents: 16_000 }],
  ])('%s', (_title, input, expected) => {
    expect(totals(FIRST_PRICE_BOOK, input)).toMatchObject(expected);
  });
});
