import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { tryCheck, issuesOf } from '../../../../src/domain/basket/basket-refusal';
import type { Destination, QuoteItem } from '../../../../src/domain/basket/quote-request';
import { ApiError } from '../../../../src/domain/errors';
import { priceBasket } from '../../../../src/domain/pricing';
import type { PricedBasket } from '../../../../src/domain/pricing/priced-quote';
import { anAddress, anInput, anItem, priceItems, refusal, type InputOverrides } from './basket';

const basketPrice = (items: QuoteItem[], destination: Destination | null, over: InputOverrides = {}): PricedBasket => {
  const { shippingAddress: _, shippingMethodId: __, ...request } = anInput(items, over).request;
  return priceBasket({ ...anInput(items, over), request, ownsArtwork: null }, destination);
};
const lastIssuePath = (judge: () => unknown): string | undefined => issuesOf(tryCheck(judge).refusal as ApiError).at(-1)?.path;
const withoutArtwork = (item: QuoteItem): QuoteItem => ({ ...item, imageUrl: null });

describe('the price of a basket', () => {
  it.each<[string, InputOverrides]>([
    ['list prices', {}],
    ['a trade discount and an express fee', { account: { tradeDiscountBps: 2000 }, request: { rushTier: 'express' } }],
    ['a minimum top-up', { book: { ...FIRST_PRICE_BOOK, minimumOrderCents: 1_000_000 } }],
  ])('equals that of the quote without delivery: %s', (_title, over) => {
    const items = [anItem('fine-art-printing', {}, { quantity: 3 }), anItem('custom-framing')];
    const { country, postcode } = anAddress();
    const found = basketPrice(items.map(withoutArtwork), { country, postcode }, over);
    for (const option of found.shippingOptions ?? []) {
      if (option.requiresQuote) continue;
      const quote = priceItems(items, { ...over, request: { ...over.request, shippingMethodId: option.id } });
      expect(option.priceCents).toBe(quote.shippingCents);
      expect(found.totalCents + option.priceCents).toBe(quote.totalCents);
      const { lines, subtotalCents, discountCents, discountReason, discountLabel, rushFeeCents, promisedReadyDate } = quote;
      expect(found).toMatchObject({ lines, subtotalCents, discountCents, discountReason, discountLabel, rushFeeCents, promisedReadyDate });
    }
    expect(found.shippingOptions?.length).toBeGreaterThan(1);
    expect(found.totalCents).toBe(found.subtotalCents - found.discountCents + found.rushFeeCents);
    expect(found.gstCents).toBe(Math.round(found.totalCents / 11));
  });

  it("without a destination has the tax of the studio's country and no options", () => {
    const items = [anItem('fine-art-printing')];
    const at = (country: string) => basketPrice(items, { country, postcode: country === 'AU' ? '3000' : '1010' });
    const { shippingOptions, ...nowhere } = basketPrice(items, null);
    const { shippingOptions: some, ...inland } = at('AU');
    expect([shippingOptions, nowhere]).toEqual([null, inland]);
    expect(some?.length).toBeGreaterThan(0);
    expect([at('nz').gstCents, at('AQ').shippingOptions]).toEqual([0, []]);
  });

  it('an invalid destination is refused together with all other issues', () => {
    const refused = (): unknown => basketPrice([anItem('scanning')], { country: 'AU', postcode: '1' });
    expect(refused).toThrow(ApiError);
    expect(refused).toThrow(/shippingAddress\.postcode: .*; and 1 more issue$/);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    [
      'materials without a shared tier',
      {
        matColorId: 'mat-kraft',
        mouldingId: 'moulding-pine-white-15',
        glazingId: 'glazing-clear-acrylic-2',
        backingId: 'backing-corrugated-3',
      },
      'backingId',
    ],
    [
      'materials of another tier',
      { mouldingId: 'moulding-walnut-20', backingId: 'backing-corrugated-3', qualityTierId: 'tier-essential' },
      'qualityTierId',
    ],
  ])('names the position in the quote, also for the second invalid line: %s', (_title, change, key) => {
    const item = anItem('custom-framing', { artworkWidthMm: '300', artworkHeightMm: '400', ...change });
    const path = (line: number) => `items.${line}.variantSelections.${key}`;
    expect(refusal([item]).details).toMatchObject({ path: path(0), alternatives: expect.any(Array) });
    expect(lastIssuePath(() => basketPrice([withoutArtwork(item)], null))).toBe(path(0));
    expect(lastIssuePath(() => priceItems([anItem('scanning'), item]))).toBe(path(1));
  });
});
