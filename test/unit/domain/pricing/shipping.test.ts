import fc from 'fast-check';
import { ISO_COUNTRIES, isoCountry } from '../../../../src/domain/iso-countries';
import type { DeliveryDays, PriceBook } from '../../../../src/domain/price-book/price-book';
import { pack } from '../../../../src/domain/shipping/parcels';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { FIRST_SHIPPING_TERMS } from '../../../../src/db/seed/shipping-terms';
import type { QuoteItem, ShippingAddress } from '../../../../src/domain/basket/quote-request';
import type { ShippingOption } from '../../../../src/domain/shipping/options';
import { anAddress, anItem, refusalOutcome, priceItems, refusal, type InputOverrides } from './basket';
import { propertyRuns } from '../../../support/property-runs';

const print = anItem('fine-art-printing');
const discover = (items: QuoteItem[], address: Partial<ShippingAddress> = {}, over: InputOverrides = {}): ShippingOption[] => {
  const error = refusal(items, { ...over, request: { shippingMethodId: null, shippingAddress: anAddress(address) } });
  expect(error.code).toBe('SHIPPING_UNAVAILABLE');
  return error.details?.['shippingOptions'] as ShippingOption[];
};
const ids = (options: ShippingOption[]): string[] => options.map(({ id }) => id);

describe('destination', () => {
  it.each([
    ['a country that is not assigned', { country: 'XX' }],
    ['a name in place of the code', { country: 'Au ' }],
    ['a sharp s, which is SS in upper case', { country: 'ß' }],
    ['a dotless i', { country: 'ıN' }],
    ['the code UK', { country: 'UK' }],
    ['the code EU', { country: 'EU' }],
    ['the code ZZ', { country: 'ZZ' }],
    ['no country', { country: '' }],
    ['one letter', { country: 'A' }],
    ['a code of three letters', { country: 'AUS' }],
    ['a name', { country: 'Australia' }],
    ['a letter and a digit', { country: 'A1' }],
    ['a blank before the code', { country: ' AU' }],
    ['a blank after the code', { country: 'AU ' }],
    ['a letter with an accent', { country: 'ÅU' }],
    ['a flag', { country: '🇦🇺' }],
    ['a blank city', { city: '   ' }],
    ['a city of tab and line break', { city: '\t\n' }],
    ['a blank street', { line1: ' ' }],
    ['an Australian postcode of three digits', { postcode: '300' }],
    ['an Australian postcode with a space', { postcode: '3000 ' }],
    ['an Australian postcode in other digits', { postcode: '३०००' }],
    ['an Australian postcode in wide digits', { postcode: '３０００' }],
    ['an Australian postcode of five digits', { postcode: '30000' }],
    ['an Australian postcode with a letter', { postcode: '3O00' }],
    ['an Australian postcode after a space', { postcode: ' 3000' }],
  ])('%s is SHIPPING_ADDRESS_INCOMPLETE before the lines are checked', (_title, address) => {
    expect(refusalOutcome([anItem('scanning')], { request: { shippingAddress: anAddress(address) } }).code).toBe(
      'SHIPPING_ADDRESS_INCOMPLETE',
    );
  });
  it('lower case is accepted and kept in upper case', () => {
    expect(priceItems([print], { request: { shippingAddress: anAddress({ country: 'au' }) } }).shippingAddress.country).toBe('AU');
  });
  it('knows the 249 assigned codes', () => {
    expect([ISO_COUNTRIES.size, isoCountry('nz'), isoCountry('UK'), isoCountry('')]).toEqual([249, 'NZ', null, null]);
  });
  it('any text is a postcode abroad', () => {
    const request = { shippingMethodId: 'international-tracked', shippingAddress: anAddress({ country: 'GB', postcode: 'EC1A 1BB' }) };
    expect(priceItems([print], { request })).toMatchObject({ gstCents: 0, shippingMethod: 'international-tracked' });
  });
});

describe('discovery', () => {
  it.each<[string, QuoteItem, Partial<ShippingAddress>, string[]]>([
    ['one small print at home', print, {}, ['standard-parcel', 'express-parcel', 'art-courier', 'studio-collection']],
    ['fifty prints', { ...print, quantity: 50 }, {}, ['standard-parcel', 'express-parcel', 'art-courier', 'studio-collection']],
    ['New Zealand', print, { country: 'NZ', postcode: '6011' }, ['international-tracked', 'international-express']],
    ['Germany', print, { country: 'DE', postcode: '10115' }, ['international-tracked', 'international-express']],
  ])('lists every available method with the price of the quote: %s', (_title, item, address, expected) => {
    const options = discover([item], address);
    expect(ids(options)).toEqual(expected);
    for (const { id, priceCents } of options) {
      const request = { shippingMethodId: id, shippingAddress: anAddress(address) };
      expect(priceItems([item], { request })).toMatchObject({ shippingCents: priceCents, shippingMethod: id });
    }
  });
  it.each([
    [undefined],
    [null],
    [''],
    ['no-such'],
    ['STANDARD-PARCEL'],
    ['standard-parcel '],
    ['__proto__'],
    ['international-tracked'],
    ['quoted-freight'],
  ])('method %p gives the options', (id) => {
    const error = refusal([print], { request: { shippingMethodId: id } });
    expect(error.code).toBe('SHIPPING_UNAVAILABLE');
    expect(error.details).toEqual({ shippingOptions: discover([print]) });
  });
  it('an option has exactly the documented fields', () => {
    expect(discover([print]).at(-1)).toEqual({
      id: 'studio-collection',
      name: 'Collect from the studio',
      description: 'Free; bring the order number',
      estimatedDelivery: 'As soon as the work is ready',
      estimatedDeliveryDates: { earliest: expect.any(String), latest: expect.any(String) },
      isCollection: true,
      priceCents: 0,
      requiresQuote: false,
    });
  });
  it('a basket that is not valid receives no options', () => {
    const error = refusal([print, anItem('fine-art-printing', { mediaId: 'nope' })], { request: { shippingMethodId: null } });
    expect([error.code, error.details]).toEqual([
      'PRODUCT_UNAVAILABLE',
      expect.not.objectContaining({ shippingOptions: expect.anything() }),
    ]);
  });
});

describe('zones', () => {
  const standard = (postcode: string): number | undefined =>
    discover([print], { postcode }).find(({ id }) => id === 'standard-parcel')?.priceCents;
  it.each([
    ['3000', 950],
    ['2000', 950],
    ['0200', 950],
    ['3207', 950],
    ['3208', 1210],
    ['2250', 1210],
    ['7999', 1210],
    ['0800', 1510],
    ['0872', 1510],
    ['6743', 1510],
  ])('postcode %s costs %i', (postcode, cents) => {
    expect(standard(postcode)).toBe(cents);
  });
  it('an Australian postcode and a country without a zone have no options', () => {
    expect(discover([print], { postcode: '0001' })).toEqual([]);
    expect(discover([print], { country: 'AQ' })).toEqual([]);
    expect(refusal([print], { request: { shippingAddress: anAddress({ country: 'AQ' }) } }).details).toEqual({ shippingOptions: [] });
  });
  it.each([
    ['NZ', 2200 + 650],
    ['JP', 2800 + 950],
    ['US', 3200 + 1400],
    ['FR', 3400 + 1500],
  ])('tracked to %s costs %i', (country, cents) => {
    expect(discover([print], { country })[0]).toMatchObject({ id: 'international-tracked', priceCents: cents });
  });
  it('collection is not available abroad', () => {
    expect(discover([print], { country: 'NZ' }).some(({ isCollection }) => isCollection)).toBe(false);
  });
});

describe('an order that no method accepts', () => {
  const huge = anItem('canvas-printing', { artworkWidthMm: '1100', artworkHeightMm: '3000' });
  it('gets a manual quote next to free collection', () => {
    const options = discover([huge]);
    expect(ids(options)).toEqual(['studio-collection', 'quoted-freight']);
    expect(options[1]).toMatchObject({ requiresQuote: true, priceCents: 0, isCollection: false });
    expect(refusal([huge], { request: { shippingMethodId: 'quoted-freight' } }).details).toEqual({ shippingOptions: options });
    expect(priceItems([huge]).shippingCents).toBe(0);
  });
  it('abroad offers only a manual quote', () => {
    expect(ids(discover([huge], { country: 'FR' }))).toEqual(['quoted-freight']);
  });
  it('oversize frames go by courier with a surcharge', () => {
    const large = anItem('custom-framing', {
      artworkWidthMm: '900',
      artworkHeightMm: '1200',
      mouldingId: 'moulding-ayous-black-20',
      matSizeMm: '50',
    });
    const options = discover([large]);
    expect(ids(options)).toEqual(['art-courier', 'studio-collection']);
    // Outer 1120 × 1420 × 113 mm with padding: 45 kg cubic, past the first step.
    expect(options[0]?.priceCents).toBe(8500 + 45 * 120 + 4500);
  });
});

describe('parcels', () => {
  const box = { kind: 'box', longMm: 800, shortMm: 600, thicknessMm: 30, grams: 4000 } as const;
  it('fills boxes by weight and thickness and counts equal ones', () => {
    const parcels = pack(FIRST_SHIPPING_TERMS, [{ piece: box, quantity: 10 }]);
    expect(parcels.map(({ count, pieces }) => [count, pieces])).toEqual([
      [2, 4],
      [1, 2],
    ]);
  });
  it('mixes lines in one parcel and keeps kinds apart', () => {
    const sheet = { kind: 'flat', longMm: 300, shortMm: 200, thicknessMm: 1, grams: 20 } as const;
    const parcels = pack(FIRST_SHIPPING_TERMS, [
      { piece: box, quantity: 1 },
      { piece: sheet, quantity: 1 },
      { piece: { ...box, longMm: 400 }, quantity: 1 },
    ]);
    expect(parcels.map(({ kind, pieces, longMm }) => [kind, pieces, longMm])).toEqual([
      ['flat', 1, 320],
      ['box', 2, 880],
    ]);
  });
  it('a piece above the weight limit gets its own parcel', () => {
    const parcels = pack(FIRST_SHIPPING_TERMS, [{ piece: { ...box, grams: 40_000 }, quantity: 3 }]);
    expect(parcels.map(({ count, pieces, grams }) => [count, pieces, grams])).toEqual([[3, 1, 40_900]]);
  });
  it('packs every piece of any basket', () => {
    for (const quantity of [1, 19, 20, 21, 990]) {
      const lots = [1, 2, 7].map((thicknessMm) => ({ piece: { ...box, thicknessMm, grams: 700 * thicknessMm }, quantity }));
      expect(pack(FIRST_SHIPPING_TERMS, lots).reduce((sum, { count, pieces }) => sum + count * pieces, 0)).toBe(3 * quantity);
    }
  });
  it('charges the greater of actual and cubic weight', () => {
    const book: PriceBook = { ...FIRST_PRICE_BOOK, shipping: { ...FIRST_SHIPPING_TERMS, cubicKgPerCubicMetre: 0 } };
    const [cubic, actual] = [discover([anItem('custom-framing')]), discover([anItem('custom-framing')], {}, { book })];
    expect([cubic[0]?.priceCents, actual[0]?.priceCents]).toEqual([3800, 2700]);
  });
});

describe('one price for one basket (ruling 40)', () => {
  const framed = (quantity: number) =>
    anItem(
      'canvas-printing',
      { artworkWidthMm: '400', artworkHeightMm: '500', depth: '30mm', mouldingId: 'moulding-float-black-12' },
      { quantity },
    );
  const small = (quantity: number) =>
    anItem('canvas-printing', { artworkWidthMm: '200', artworkHeightMm: '250', depth: '18mm' }, { quantity });
  const bar = (depth: string, quantity: number) =>
    anItem('canvas-printing', { artworkWidthMm: '400', artworkHeightMm: '500', depth }, { quantity });
  const prices = (items: QuoteItem[]) => discover(items).map(({ id, priceCents }) => [id, priceCents]);

  it('splitting a line does not change the cost', () => {
    expect(prices([framed(2), framed(1), small(1)])).toEqual(prices([framed(3), small(1)]));
  });
  it('lines of equal area cost the same in any order', () => {
    expect(prices([bar('38mm', 8), bar('18mm', 6)])).toEqual(prices([bar('18mm', 6), bar('38mm', 8)]));
  });

  const piece = fc.record({
    slug: fc.constantFrom('fine-art-printing', 'canvas-printing', 'custom-framing', 'print-and-mat'),
    width: fc.constantFrom(150, 300, 400, 700),
    height: fc.constantFrom(150, 300, 400, 700),
    depth: fc.constantFrom('18mm', '30mm', '38mm'),
    quantity: fc.integer({ min: 1, max: 12 }),
  });
  const itemOf = ({
    slug,
    width,
    height,
    depth,
    quantity,
  }: {
    slug: string;
    width: number;
    height: number;
    depth: string;
    quantity: number;
  }) =>
    anItem(
      slug,
      { artworkWidthMm: String(width), artworkHeightMm: String(height), ...(slug === 'canvas-printing' ? { depth } : {}) },
      { quantity },
    );

  it('any split of the lines, in any order, has one price', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.infiniteStream(fc.nat()), (pieces, numbers) => {
        const next = (below: number): number => (numbers.next().value ?? 0) % below;
        const parts = pieces.flatMap((whole) => {
          const first = next(whole.quantity + 1);
          return [first, whole.quantity - first].filter((quantity) => quantity > 0).map((quantity) => ({ ...whole, quantity }));
        });
        const shuffled = parts
          .map((part) => [next(1_000_000), part] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, part]) => part);
        expect(prices(shuffled.map(itemOf))).toEqual(prices(pieces.map(itemOf)));
      }),
      propertyRuns(300),
    );
  });

  it('every piece is packed once, and no parcel of several pieces exceeds its limits', () => {
    const lot = fc.record({
      piece: fc.record({
        kind: fc.constantFrom('flat' as const, 'tube' as const, 'box' as const),
        longMm: fc.integer({ min: 200, max: 900 }),
        shortMm: fc.integer({ min: 100, max: 200 }),
        thicknessMm: fc.integer({ min: 1, max: 60 }),
        grams: fc.integer({ min: 10, max: 9000 }),
      }),
      quantity: fc.integer({ min: 1, max: 990 }),
    });
    fc.assert(
      fc.property(fc.array(lot, { minLength: 1, maxLength: 20 }), (lots) => {
        const parcels = pack(FIRST_SHIPPING_TERMS, lots);
        expect(parcels.reduce((sum, { pieces, count }) => sum + pieces * count, 0)).toBe(
          lots.reduce((sum, { quantity }) => sum + quantity, 0),
        );
        for (const { kind, pieces, grams } of parcels) {
          const { maxContentGrams, packagingGrams } = FIRST_SHIPPING_TERMS.packing[kind];
          if (pieces > 1) expect(grams - packagingGrams).toBeLessThanOrEqual(maxContentGrams);
        }
      }),
      propertyRuns(200),
    );
  });
});

describe('estimated delivery dates', () => {
  /** A Wednesday before the cut-off. */
  const now = new Date('2026-12-09T00:00:00Z');
  const shipping = (deliveryDays: DeliveryDays | null): PriceBook['shipping'] => ({
    ...FIRST_SHIPPING_TERMS,
    methods: FIRST_SHIPPING_TERMS.methods.map((method) => ({
      ...method,
      zones: method.zones.map((rate) => ({ ...rate, deliveryDays })),
    })),
  });
  const book = (over: Partial<PriceBook>): PriceBook => ({ ...FIRST_PRICE_BOOK, holidays: ['2026-12-25', '2026-12-28'], ...over });

  it.each<[string, Partial<PriceBook>, DeliveryDays, { earliest: string; latest: string }]>([
    ['the ready day itself for no days', { standardBusinessDays: 2 }, { min: 0, max: 0 }, { earliest: '2026-12-11', latest: '2026-12-11' }],
    ['over a weekend', { standardBusinessDays: 2 }, { min: 1, max: 6 }, { earliest: '2026-12-14', latest: '2026-12-21' }],
    ['over holidays', { standardBusinessDays: 10 }, { min: 1, max: 3 }, { earliest: '2026-12-24', latest: '2026-12-30' }],
    ['from a ready day at once', { standardBusinessDays: 0 }, { min: 2, max: 4 }, { earliest: '2026-12-11', latest: '2026-12-15' }],
  ])('count business days of the book from the day it is ready: %s', (_title, over, days, dates) => {
    const priced = priceItems([print], { now, book: book({ ...over, shipping: shipping(days) }) });
    expect(priced.estimatedDeliveryDates).toEqual(dates);
    for (const option of discover([print], {}, { now, book: book({ ...over, shipping: shipping(days) }) }))
      expect(option.estimatedDeliveryDates).toEqual(dates);
  });
  it('start from the promised day of a faster tier', () => {
    const rush = { ...FIRST_PRICE_BOOK.rush, express: { ...FIRST_PRICE_BOOK.rush.express, businessDays: 1 } };
    const over = { now, book: book({ rush, shipping: shipping({ min: 1, max: 1 }) }), request: { rushTier: 'express' as const } };
    expect(priceItems([print], over)).toMatchObject({
      promisedReadyDate: '2026-12-10',
      estimatedDeliveryDates: { earliest: '2026-12-11', latest: '2026-12-11' },
    });
  });
  it('are null if the book or the freight has no estimate', () => {
    expect(priceItems([print], { book: book({ shipping: shipping(null) }) }).estimatedDeliveryDates).toBeNull();
    const huge = anItem('canvas-printing', { artworkWidthMm: '1100', artworkHeightMm: '3000' });
    const options = discover([huge], { country: 'FR' });
    expect(options).toMatchObject([{ requiresQuote: true, estimatedDeliveryDates: null }]);
  });
  it('match the texts of the first book', () => {
    for (const { zones, isCollection } of FIRST_SHIPPING_TERMS.methods)
      for (const { estimatedDelivery, deliveryDays } of zones)
        expect(isCollection ? '0 to 0 business days' : estimatedDelivery).toBe(
          `${deliveryDays?.min} to ${deliveryDays?.max} business days`,
        );
  });
});
