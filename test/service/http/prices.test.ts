import { aLine, anAddress, aQuoteRequest } from '../../support/baskets';
import { useSharedService } from '../../support/fixtures';
import { aTrader, expectValidationPaths, expectRefusal, expectNothingStored, type Trader } from './support';

type Json = Record<string, any>;

describe('POST /prices', () => {
  const service = useSharedService({ worker: false });
  let trader: Trader;
  beforeEach(async () => {
    trader = await aTrader(service, { tradeDiscountBps: 2000 });
  });

  const { postcode, country } = anAddress();
  const anItem = (overrides: Json = {}): Json => {
    const { imageUrl: _, ...item } = aLine('');
    return { ...item, ...overrides };
  };
  const send = (baskets: unknown) => trader.trade.post('/prices', { baskets });
  const requestPrices = async (...baskets: unknown[]): Promise<[Json, ...Json[]]> => {
    const reply = await send(baskets);
    expect([reply.status, reply.json.error]).toEqual([200, null]);
    return reply.json.data.baskets;
  };

  it('prices each basket as a quote without artwork and delivery, and stores nothing', async () => {
    const request: Json = await aQuoteRequest(trader.trade, { rushTier: 'express' });
    const quote = (await trader.trade.post('/quotes', request)).json.data;
    let promisedReadyDate: unknown;
    await expectNothingStored(service, trader.accountId, async () => {
      const items = [anItem({ externalReference: 'page-1' })];
      const { data } = (await send([{ items }, { items, rushTier: 'express', shippingAddress: { postcode, country } }])).json;
      expect(data).toMatchObject({ currency: quote.currency, pricingVersion: quote.pricingVersion });
      const [plain, express] = data.baskets as Json[];
      expect(plain).toMatchObject({ issues: [], price: { rushFeeCents: 0, promisedReadyDate: null, shippingOptions: null } });
      expect(plain?.price.lines).toEqual([{ ...quote.lines[0], externalReference: 'page-1', artworkChecks: null }]);
      const { subtotalCents, discountCents, discountReason, discountLabel, rushFeeCents } = quote;
      expect(express?.price).toMatchObject({
        subtotalCents,
        discountCents,
        discountReason,
        discountLabel,
        rushFeeCents,
      });
      const option = express?.price.shippingOptions.find(({ id }: { id: string }) => id === quote.shippingMethod);
      expect(express?.price.totalCents + option.priceCents).toBe(quote.totalCents);
      promisedReadyDate = express?.price.promisedReadyDate;
    });
    const later = (await trader.trade.post('/quotes', request)).json.data; // the cut-off of the day may pass
    expect([quote.promisedReadyDate, later.promisedReadyDate]).toContain(promisedReadyDate);
  });

  it('accepts the basket of a quote unchanged', async () => {
    const basket = await aQuoteRequest(trader.trade);
    const [found] = await requestPrices(basket);
    expect(found.price.shippingOptions.map(({ id }: { id: string }) => id)).toContain(basket.shippingMethodId);
  });

  it('an invalid basket has all its issues, and the others have prices', async () => {
    const wrong = {
      items: [
        anItem({ productSlug: 'custom-framing', variantSelections: { mediaId: 'x' } }),
        anItem({ quantity: 990, productSlug: 'scanning' }),
      ],
      shippingAddress: { postcode: '3', country },
      rushTier: 'critical',
    };
    const [good, ...rest] = await requestPrices({ items: [anItem()] }, wrong, {
      items: [anItem()],
      shippingAddress: { postcode: '1', country: 'AQ' },
    });
    const [bad, faraway] = rest as [Json, Json];
    expect(good.price.totalCents).toBeGreaterThan(0);
    expect(faraway.price.shippingOptions).toEqual([]);
    expect(bad.price).toBeNull();
    const told = (bad.issues as Json[]).map(({ code, line, path }) => [code, line, path.replace('variantSelections.', '')]);
    expect(told).toEqual([
      ['VALIDATION_ERROR', null, 'rushTier'],
      ['SHIPPING_ADDRESS_INCOMPLETE', null, 'shippingAddress.postcode'],
      ['VALIDATION_ERROR', 0, 'items.0.artworkWidthMm'],
      ['VALIDATION_ERROR', 0, 'items.0.artworkHeightMm'],
      ['VALIDATION_ERROR', 0, 'items.0.mouldingId'],
      ['VALIDATION_ERROR', 0, 'items.0.glazingId'],
      ['PRODUCT_UNAVAILABLE', 0, 'items.0.mediaId'],
      ['PRODUCT_UNSUPPORTED', 1, 'items.1.productSlug'],
    ]);
    for (const { message } of bad.issues as Json[]) expect(message).toMatch(/\S/);
  });

  it('accepts 1 to 10 baskets of 1 to 10 lines', async () => {
    const basketOfLines = (count: number) => ({ items: Array.from({ length: count }, () => anItem()) });
    const found = await requestPrices(...Array.from({ length: 10 }, () => basketOfLines(10)));
    expect(found.map(({ price }) => price.lines.length)).toEqual(Array.from({ length: 10 }, () => 10));
    expectValidationPaths(await send(Array.from({ length: 11 }, () => basketOfLines(1))), ['baskets']);
    expectValidationPaths(await send([]), ['baskets']);
    expectValidationPaths(await send([basketOfLines(1), basketOfLines(11), basketOfLines(0)]), ['baskets.1.items', 'baskets.2.items']);
  });

  it('a body that violates its schema is refused together with all other issues', async () => {
    const reply = await send([
      { items: [anItem({ quantity: '2' }), anItem({ productSlug: 'gift-card' })], shippingAddress: { country } },
      { items: [{ productSlug: 'fine-art-printing', quantity: 1 }] },
      7,
    ]);
    expectRefusal(reply, 400, 'VALIDATION_ERROR', {
      paths: ['baskets.0.items.0.quantity', 'baskets.0.shippingAddress.postcode', 'baskets.1.items.0.variantSelections', 'baskets.2'],
      issues: expect.any(Array),
      others: [
        expect.objectContaining({ code: 'PRODUCT_UNSUPPORTED', line: 1, path: 'baskets.0.items.1.productSlug' }),
        ...['artworkWidthMm', 'artworkHeightMm', 'mediaId'].map((key) =>
          expect.objectContaining({ code: 'VALIDATION_ERROR', line: 0, path: `baskets.1.items.0.variantSelections.${key}` }),
        ),
      ],
    });
    expectValidationPaths(await trader.trade.post('/prices', {}), ['baskets']);
  });
});
