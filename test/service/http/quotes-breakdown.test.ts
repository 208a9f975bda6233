import { newId } from '../../../src/security/ids';
import { aLine, aQuote, uploadArtwork } from '../../support/baskets';
import { useFixture, useSharedService } from '../../support/fixtures';
import { aTrader, expectRefusal, sql } from './support';

describe('GET /quotes/{id}/breakdown', () => {
  const service = useSharedService({ worker: false });
  const trader = useFixture(() => aTrader(service, { tradeDiscountBps: 2000 }));

  const readBreakdown = (id: string) => trader.trade.get(`/quotes/${id}/breakdown`);
  const quoteFiveBordered = async () => {
    const selections = { artworkWidthMm: '420', artworkHeightMm: '594', borderMm: '20', mediaId: 'media-cotton-rag-310' };
    const items = [aLine(await uploadArtwork(trader.trade), { quantity: 5, variantSelections: selections, externalReference: 'A-1' })];
    return aQuote(trader.trade, { items });
  };

  it("an unknown quote, another account's or environment's quote and a malformed id are 404", async () => {
    const { quoteId } = await aQuote(trader.trade);
    for (const id of [newId('quo'), 'quo_X', 'ord_00']) expectRefusal(await readBreakdown(id), 404, 'NOT_FOUND');
    expectRefusal(await (await aTrader(service)).trade.get(`/quotes/${quoteId}/breakdown`), 404, 'NOT_FOUND');
    expectRefusal(await service.trade(trader.liveKey).get(`/quotes/${quoteId}/breakdown`), 404, 'NOT_FOUND');
  });

  it('golden case A: each component with quantity, rate, exact amount, rounding and rule', async () => {
    const quote = await quoteFiveBordered();
    const reply = await readBreakdown(quote.quoteId);
    expect(reply.status).toBe(200);
    const { lines, parcels, ...told } = reply.json.data;
    expect(lines).toEqual([
      {
        externalReference: 'A-1',
        productSlug: 'fine-art-printing',
        productName: 'Fine art print',
        unitPriceCents: 7204,
        quantity: 5,
        amountCents: 36_020,
        components: [
          {
            code: 'print',
            cents: 7583,
            quantity: 460 * 634,
            quantityUnit: 'mm²',
            rate: 26_000,
            rateUnit: 'cents per m²',
            rateAt: '/print/classes/museum/centsPerSqm',
            exactCents: '7582.64',
            minimum: { cents: 1200, at: '/print/classes/museum/minimumCents' },
            rounding: 'half_up',
            rule: "rate × area of the sheet, at least the stock's minimum",
            note: 'media-cotton-rag-310, sheet 460 × 634 mm at 26000 per m²',
          },
          expect.objectContaining({ code: 'ladder', cents: -379, quantity: 7583, rate: 500, exactCents: '-379.15' }),
        ],
      },
    ]);
    const charges = parcels.flatMap(({ components }: { components: { cents: number }[] }) => components);
    expect(charges.length).toBeGreaterThan(0);
    expect(charges.reduce((sum: number, { cents }: { cents: number }) => sum + cents, 0)).toBe(quote.shippingCents);
    expect(told).toMatchObject({
      quoteId: quote.quoteId,
      sumCents: 36_020,
      topUp: null,
      discount: {
        code: 'trade-discount',
        cents: 7204,
        quantity: 36_020,
        rate: 2000,
        rateUnit: 'basis points',
        rateAt: null,
        exactCents: '7204',
      },
      rush: null,
      gst: { code: 'gst', cents: quote.gstCents, quantity: quote.totalCents, rate: 11, rateAt: '/tax/divisor' },
    });
    for (const figure of ['subtotalCents', 'discountCents', 'shippingCents', 'rushFeeCents', 'totalCents', 'gstCents'])
      expect(told[figure]).toBe(quote[figure]);
  });

  it('does not change when the quote expires', async () => {
    const { quoteId } = await quoteFiveBordered();
    const before = (await readBreakdown(quoteId)).text;
    await sql(service, `UPDATE quotes SET expires_at = now() - interval '1 day', expired_at = now() WHERE id = $1`, [quoteId]);
    expect((await readBreakdown(quoteId)).text).toBe(before);
  });

  describe('an older quote', () => {
    it('with stored amounts and notes returns these, and null for other fields', async () => {
      const quote = await quoteFiveBordered();
      const kept = {
        lines: [{ components: [{ code: 'print', cents: 7583, note: 'n' }], unitBaseCents: 7583, ladderBps: 500, unitPriceCents: 7204 }],
        parcels: [{ kind: 'tube', count: 1, pieces: 5, longMm: 1, shortMm: 2, thicknessMm: 3, grams: 4, chargeableGrams: 5 }],
        sumCents: 36_020,
        topUpCents: 0,
      };
      await sql(service, 'UPDATE quotes SET breakdown = $2 WHERE id = $1', [quote.quoteId, JSON.stringify(kept)]);
      const { data } = (await readBreakdown(quote.quoteId)).json;
      const unknown = {
        quantity: null,
        quantityUnit: null,
        rate: null,
        rateUnit: null,
        rateAt: null,
        exactCents: null,
        minimum: null,
        rounding: null,
      };
      expect(data.lines[0].components).toEqual([
        { ...unknown, code: 'print', cents: 7583, rule: expect.any(String), note: 'n' },
        { ...unknown, code: 'ladder', cents: -379, rule: expect.any(String), note: '' },
      ]);
      expect(data.parcels).toEqual([{ ...kept.parcels[0], components: null }]);
      expect(data).toMatchObject({ discount: null, discountCents: 7204, totalCents: quote.totalCents });
    });

    it('without a stored breakdown returns its amounts', async () => {
      const quote = await quoteFiveBordered();
      await sql(service, `UPDATE quotes SET breakdown = '{}' WHERE id = $1`, [quote.quoteId]);
      const { data } = (await readBreakdown(quote.quoteId)).json;
      expect(data).toMatchObject({ lines: [{ components: null, unitPriceCents: 7204 }], parcels: null, totalCents: quote.totalCents });
    });
  });
});
