import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { tryCheck, issuesOf } from '../../../../src/domain/basket/basket-refusal';
import type { Destination, QuoteItem, ShippingAddress } from '../../../../src/domain/basket/quote-request';
import { ApiError } from '../../../../src/domain/errors';
import { priceBasket } from '../../../../src/domain/pricing';
import type { Breakdown } from '../../../../src/domain/pricing/breakdown';
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

describe('GST follows the place of supply', () => {
  const BOOK_WITH_COLLECTION_ABROAD = {
    ...FIRST_PRICE_BOOK,
    shipping: {
      ...FIRST_PRICE_BOOK.shipping,
      methods: FIRST_PRICE_BOOK.shipping.methods.map((method) =>
        method.isCollection
          ? { ...method, zones: [...method.zones, ...method.zones.slice(0, 1).map((rate) => ({ ...rate, zoneId: 'nz' }))] }
          : method,
      ),
    },
  };
  const quoteTo = (address: Partial<ShippingAddress>, shippingMethodId: string) =>
    priceItems([anItem('fine-art-printing')], {
      book: BOOK_WITH_COLLECTION_ABROAD,
      request: { shippingMethodId, shippingAddress: anAddress(address) },
    });

  it.each([
    ['AU', '2898', 'standard-parcel', true],
    ['AU', '2899', 'standard-parcel', false],
    ['AU', '2900', 'standard-parcel', true],
    ['AU', '6797', 'standard-parcel', true],
    ['AU', '6798', 'standard-parcel', false],
    ['AU', '6799', 'express-parcel', false],
    ['AU', '6800', 'standard-parcel', true],
    ['AU', '2540', 'standard-parcel', true],
    ['NF', '2899', 'standard-parcel', false],
    ['cx', '6798', 'standard-parcel', false],
    ['CC', '6799', 'express-parcel', false],
    ['NZ', '2899', 'international-tracked', false],
    ['NZ', '6011', 'studio-collection', true],
    ['AU', '2899', 'studio-collection', true],
    ['NF', '2899', 'studio-collection', true],
  ])('%s %s by %s: taxed is %s', (country, postcode, method, taxed) => {
    const { totalCents, gstCents, breakdown } = quoteTo({ country, postcode }, method);
    expect([gstCents, (breakdown as Breakdown).gst?.cents ?? 0]).toEqual(
      taxed ? [Math.round(totalCents / 11), Math.round(totalCents / 11)] : [0, 0],
    );
  });

  it.each([
    ['NF', '2899'],
    ['CX', '6798'],
    ['CC', '6799'],
  ])('%s has the deliveries and total of postcode %s', (country, postcode) => {
    const optionsTo = (to: Destination) => basketPrice([anItem('custom-framing')], to).shippingOptions;
    expect(optionsTo({ country, postcode })).toEqual(optionsTo({ country: 'AU', postcode }));
    expect(quoteTo({ country, postcode }, 'standard-parcel').totalCents).toBe(quoteTo({ postcode }, 'standard-parcel').totalCents);
  });
});
