import { aLine, anAddress, anOrder, aQuoteRequest, placeOrder, uploadArtwork } from '../../support/baskets';
import { useSharedService } from '../../support/fixtures';
import { aTrader, expectRefusal } from './support';

describe('GET /orders/{id}/details', () => {
  const service = useSharedService();

  it('shows the sent address, selections, artwork and instructions, which the order omits', async () => {
    const { trade } = await aTrader(service);
    const imageUrl = await uploadArtwork(trade);
    const line = aLine(imageUrl, { quantity: 2, externalReference: 'A-17' });
    const items = [{ ...line, variantSelections: { ...line.variantSelections, unknownKey: 'x' } }, aLine(imageUrl)];
    const shippingAddress = anAddress({ company: 'Dune Gallery', country: 'au', somethingElse: 'x' });
    const basket = await aQuoteRequest(trade, { items, shippingAddress, rushTier: 'express', whiteLabel: false });
    const { quoteId } = (await trade.post('/quotes', basket)).json.data;
    const placed = await placeOrder(trade, quoteId, undefined, { specialInstructions: 'flat, please' });
    const reply = await trade.get(`/orders/${placed.json.data.orderId}/details`);
    const artworkChecks = expect.objectContaining({ state: 'pending', warnings: [] });
    expect(reply.json.data).toEqual({
      orderId: placed.json.data.orderId,
      shippingAddress: { ...anAddress({ company: 'Dune Gallery' }), line2: null, phone: null },
      lines: [
        {
          externalReference: 'A-17',
          quantity: 2,
          productSlug: line.productSlug,
          variantSelections: line.variantSelections,
          imageUrl,
          artworkChecks,
        },
        {
          externalReference: null,
          quantity: 1,
          productSlug: line.productSlug,
          variantSelections: line.variantSelections,
          imageUrl,
          artworkChecks,
        },
      ],
      rushTier: 'express',
      whiteLabel: false,
      specialInstructions: 'flat, please',
    });
    expect(placed.text).not.toMatch(/Hanging Lane|artworkWidthMm|flat, please/);
    const events = await trade.get('/events');
    expect(events.text).toContain(placed.json.data.orderId);
    expect(events.text).not.toMatch(/Hanging Lane|artworkWidthMm|flat, please/);
  });

  it("is 404 for another account's or an unknown order", async () => {
    const { liveKey, trade } = await aTrader(service);
    const target = `/orders/${(await anOrder(trade)).orderId}/details`;
    for (const other of [(await aTrader(service)).trade, service.trade(liveKey)]) expectRefusal(await other.get(target), 404, 'NOT_FOUND');
    for (const id of ['ord_00', 'x', '%00']) expectRefusal(await trade.get(`/orders/${id}/details`), 404, 'NOT_FOUND');
  });
});
