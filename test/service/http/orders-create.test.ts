import { newId } from '../../../src/security/ids';
import { anIdempotencyKeyHeader, aLine, aQuote, aQuoteRequest, placeOrder, uploadArtwork } from '../../support/baskets';
import { sendAsStudio } from '../../support/order-messages';
import { useSharedService } from '../../support/fixtures';
import {
  aTrader,
  anotherKey,
  astralText,
  copyQuoteAs,
  expectValidationPaths,
  expectRefusal,
  countRows,
  sql,
  expectNothingStored,
} from './support';

/** Orders show their lines without the checks of the pictures. */
const withoutChecks = ({ artworkChecks: _, ...line }: { artworkChecks: unknown }) => line;

describe('POST /orders', () => {
  const service = useSharedService();

  const changeQuote = (quoteId: string, set: string) => sql(service, `UPDATE quotes SET ${set} WHERE id = $1`, [quoteId]);

  describe('Validation', () => {
    it('names every wrong field and stores nothing', async () => {
      const { trade, accountId } = await aTrader(service);
      await expectNothingStored(service, accountId, async () => {
        const reply = await trade.post('/orders', { quoteId: 1, specialInstructions: 1 }, anIdempotencyKeyHeader());
        expectValidationPaths(reply, ['quoteId', 'specialInstructions']);
      });
    });

    it('returns 404 for an unknown quoteId', async () => {
      const { trade, accountId } = await aTrader(service);
      const none = ['x', 'x'.repeat(64), astralText(64), '   ', 'ord_00', ' quo_00 ', `quo_' OR 1=1`, 'QUO_00', newId('quo')];
      await expectNothingStored(service, accountId, async () => {
        for (const quoteId of none) expectRefusal(await placeOrder(trade, quoteId), 404, 'NOT_FOUND');
      });
    });

    test.each<[string, unknown, string | null]>([
      ['absent', undefined, null],
      ['null', null, null],
      ['empty', '', ''],
      ['of 2000 characters', ` a\r\n\tb ${astralText(1993)}`, ` a\r\n\tb ${astralText(1993)}`],
    ])('stores specialInstructions %s unchanged', async (_name, specialInstructions, stored) => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const reply = await trade.post('/orders', { quoteId, specialInstructions }, anIdempotencyKeyHeader());
      expect(reply.status).toBe(201);
      expect(reply.json.data).not.toHaveProperty('specialInstructions');
      expect(await sql(service, 'SELECT special_instructions AS stored FROM orders WHERE account_id = $1', [accountId])).toEqual([
        { stored },
      ]);
    });
  });

  describe('Errors', () => {
    it('a quote of the other environment is 400 QUOTE_ENVIRONMENT_MISMATCH, both ways', async () => {
      const { trade, liveKey, accountId } = await aTrader(service);
      const live = service.trade(liveKey);
      const [testQuote, liveQuote] = [await aQuote(trade), await aQuote(live)];
      await expectNothingStored(service, accountId, async () => {
        expectRefusal(await placeOrder(live, testQuote.quoteId), 400, 'QUOTE_ENVIRONMENT_MISMATCH');
        expectRefusal(await placeOrder(trade, liveQuote.quoteId), 400, 'QUOTE_ENVIRONMENT_MISMATCH');
      });
      expect((await placeOrder(trade, testQuote.quoteId)).status).toBe(201);
      expect((await placeOrder(live, liveQuote.quoteId)).status).toBe(201);
    });

    it('a quote already ordered is 409 QUOTE_ALREADY_ORDERED with its order', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const { orderId } = (await placeOrder(trade, quoteId)).json.data;
      await expectNothingStored(service, accountId, async () => {
        expectRefusal(await placeOrder(trade, quoteId), 409, 'QUOTE_ALREADY_ORDERED', { orderId });
        expectRefusal(await placeOrder(await anotherKey(service, accountId), quoteId), 409, 'QUOTE_ALREADY_ORDERED', { orderId });
      });
    });

    it('a quote whose order was cancelled stays consumed: 409 with that order', async () => {
      const { trade } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const { orderId } = (await placeOrder(trade, quoteId)).json.data;
      await trade.post(`/orders/${orderId}/cancel`);
      expectRefusal(await placeOrder(trade, quoteId), 409, 'QUOTE_ALREADY_ORDERED', { orderId });
      expect((await trade.get(`/quotes/${quoteId}`)).json.data.consumedAt).toEqual(expect.any(String));
    });

    it('an expired quote is 409 QUOTE_EXPIRED with expiresAt, and can still be read', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      await changeQuote(quoteId, `expires_at = now() - interval '1 millisecond'`);
      const { expiresAt } = (await trade.get(`/quotes/${quoteId}`)).json.data;
      await expectNothingStored(service, accountId, async () => {
        expectRefusal(await placeOrder(trade, quoteId), 409, 'QUOTE_EXPIRED', { expiresAt });
      });
      expect((await trade.get(`/quotes/${quoteId}`)).json.data.consumedAt).toBeNull();
    });

    it('the order of the checks: environment, consumed, expired, credit', async () => {
      const { trade, liveKey, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const { orderId } = (await placeOrder(trade, quoteId)).json.data;
      await sql(service, 'UPDATE accounts SET credit_limit_cents = 0 WHERE id = $1', [accountId]);
      await changeQuote(quoteId, `expires_at = now() - interval '1 hour'`);
      expectRefusal(await placeOrder(service.trade(liveKey), quoteId), 400, 'QUOTE_ENVIRONMENT_MISMATCH');
      expectRefusal(await placeOrder(trade, quoteId), 409, 'QUOTE_ALREADY_ORDERED', { orderId });
      const unspent = newId('quo');
      await copyQuoteAs(service, quoteId, unspent);
      expect((await placeOrder(trade, unspent)).json.error?.code).toBe('QUOTE_EXPIRED');
      await changeQuote(unspent, `expires_at = now() + interval '1 hour'`);
      expect((await placeOrder(trade, unspent)).json.error?.code).toBe('CREDIT_LIMIT_EXCEEDED');
    });

    it('a failed submission emits no event and leaves the quote unspent', async () => {
      const { trade, accountId } = await aTrader(service, { creditLimitCents: 0 });
      const { quoteId } = await aQuote(trade);
      expect((await placeOrder(trade, quoteId)).status).toBe(402);
      expect(await countRows(service, accountId)).toMatchObject({ orders: 0, invoices: 0, order_events: 0, idempotency_records: 0 });
      expect((await trade.get(`/quotes/${quoteId}`)).json.data.consumedAt).toBeNull();
    });
  });

  describe('Success', () => {
    const ORDER_FIELDS = [
      'orderId',
      'orderNumber',
      'status',
      'environment',
      'isTest',
      'quoteId',
      'reference',
      'currency',
      'lines',
      'subtotalCents',
      'shippingCents',
      'discountCents',
      'totalCents',
      'gstCents',
      'promisedReadyDate',
      'estimatedDeliveryDates',
      'metadata',
      'shipments',
      'remakes',
      'cancellable',
      'issues',
      'createdAt',
      'cancelledAt',
      'shippingMethod',
      'rushFeeCents',
    ];

    it('returns 201 with the order and the amounts of the quote, and later reads are the same', async () => {
      const { trade } = await aTrader(service);
      const quote = await aQuote(trade, { rushTier: 'express' });
      const reply = await placeOrder(trade, quote.quoteId);
      expect(reply.status).toBe(201);
      const order = reply.json.data;
      expect(Object.keys(order).sort()).toEqual([...ORDER_FIELDS].sort());
      expect(order).toEqual({
        orderId: `ord_${quote.quoteId.slice(4)}`,
        orderNumber: expect.stringMatching(/^T-[0-9]+$/),
        status: 'received',
        environment: 'test',
        isTest: true,
        quoteId: quote.quoteId,
        reference: null,
        currency: quote.currency,
        lines: quote.lines.map(withoutChecks),
        subtotalCents: quote.subtotalCents,
        shippingCents: quote.shippingCents,
        shippingMethod: quote.shippingMethod,
        discountCents: quote.discountCents,
        rushFeeCents: quote.rushFeeCents,
        totalCents: quote.totalCents,
        gstCents: quote.gstCents,
        promisedReadyDate: quote.promisedReadyDate,
        estimatedDeliveryDates: quote.estimatedDeliveryDates,
        metadata: {},
        shipments: [],
        remakes: [],
        cancellable: { now: true, blockers: [] },
        issues: [],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        cancelledAt: null,
      });
      expect((await trade.get(`/orders/${order.orderId}`)).text).toBe(reply.text);
      expect((await trade.get('/orders')).json.data).toEqual([order]);
    });

    it('live and test orders have separate number series', async () => {
      const { trade, liveKey } = await aTrader(service);
      const live = service.trade(liveKey);
      const liveOrder = (await placeOrder(live, (await aQuote(live)).quoteId)).json.data;
      const testOrder = (await placeOrder(trade, (await aQuote(trade)).quoteId)).json.data;
      expect(liveOrder).toMatchObject({
        environment: 'live',
        isTest: false,
        orderNumber: expect.stringMatching(/^[A-SU-Z][A-Z]*-[0-9]+$/),
      });
      expect(testOrder).toMatchObject({ environment: 'test', isTest: true, orderNumber: expect.stringMatching(/^T-[0-9]+$/) });
    });

    it('consumes the quote when the order is created', async () => {
      const { trade } = await aTrader(service);
      const quote = await aQuote(trade);
      const order = (await placeOrder(trade, quote.quoteId)).json.data;
      expect((await trade.get(`/quotes/${quote.quoteId}`)).json.data).toEqual({ ...quote, consumedAt: order.createdAt });
    });

    it("issues one invoice for the order with the account's terms, in its environment", async () => {
      const { trade, accountId } = await aTrader(service);
      await sql(service, 'UPDATE accounts SET payment_terms_days = 14 WHERE id = $1', [accountId]);
      const order = (await placeOrder(trade, (await aQuote(trade)).quoteId)).json.data;
      const invoices = await sql(
        service,
        `SELECT order_id, environment, amount_cents, gst_cents, paid_cents, voided_at, (due_at AT TIME ZONE 'Australia/Melbourne')::date - (issued_at AT TIME ZONE 'Australia/Melbourne')::date = 14 AS on_terms FROM invoices WHERE account_id = $1`,
        [accountId],
      );
      expect(invoices).toEqual([
        {
          order_id: order.orderId,
          environment: 'test',
          amount_cents: order.totalCents,
          gst_cents: order.gstCents,
          paid_cents: 0,
          voided_at: null,
          on_terms: true,
        },
      ]);
    });

    it('charges the price of the quote after changes of catalogue, price book and discount', async () => {
      const { trade, accountId } = await aTrader(service);
      const quote = await aQuote(trade);
      await sql(service, 'UPDATE accounts SET trade_discount_bps = 0 WHERE id = $1', [accountId]);
      await sql(service, `UPDATE catalogue_rows SET withdrawn = true WHERE id = 'media-cotton-rag-310'`);
      try {
        expect((await placeOrder(trade, quote.quoteId)).json.data).toMatchObject({
          totalCents: quote.totalCents,
          discountCents: quote.discountCents,
          lines: quote.lines.map(withoutChecks),
        });
      } finally {
        await sql(service, `UPDATE catalogue_rows SET withdrawn = false WHERE id = 'media-cotton-rag-310'`);
      }
    });

    it('keeps the sequence of the lines, with their references', async () => {
      const { trade } = await aTrader(service);
      const imageUrl = await uploadArtwork(trade);
      const references = ['z', null, 'a', '', 'ünï 🖼', ' b '];
      const request = await aQuoteRequest(trade, {
        items: references.map((externalReference, index) => aLine(imageUrl, { externalReference, quantity: index + 1 })),
      });
      const quote = (await trade.post('/quotes', request)).json.data;
      const order = (await placeOrder(trade, quote.quoteId)).json.data;
      expect(order.lines.map((line: { externalReference: string; quantity: number }) => [line.externalReference, line.quantity])).toEqual(
        references.map((reference, index) => [reference, index + 1]),
      );
      expect(Object.keys(order.lines[0])).toEqual([
        'externalReference',
        'productSlug',
        'productName',
        'quantity',
        'unitPriceCents',
        'amountCents',
      ]);
    });

    it('two quotes of the same basket give two orders', async () => {
      const { trade, accountId } = await aTrader(service);
      const request = await aQuoteRequest(trade);
      const quotes = [(await trade.post('/quotes', request)).json.data, (await trade.post('/quotes', request)).json.data];
      for (const { quoteId } of quotes) expect((await placeOrder(trade, quoteId)).status).toBe(201);
      expect(await countRows(service, accountId)).toMatchObject({ orders: 2, invoices: 2, order_events: 2 });
    });
  });

  describe('Events', () => {
    it('stores order.received with the body of GET /orders/{id} at that time', async () => {
      const { trade } = await aTrader(service);
      const order = (await placeOrder(trade, (await aQuote(trade)).quoteId)).json.data;
      const events = await sql<{ id: string; type: string; sequence: number; body: string }>(
        service,
        'SELECT id, type, sequence, body FROM order_events WHERE order_id = $1',
        [order.orderId],
      );
      expect(events).toHaveLength(1);
      const [event] = events;
      const body = JSON.parse(event?.body ?? '');
      expect(body).toEqual({
        id: event?.id,
        type: 'order.received',
        createdAt: order.createdAt,
        environment: 'test',
        apiVersion: 'v1',
        sequence: 1,
        data: order,
      });
      expect(Object.keys(body)).toEqual(['id', 'type', 'createdAt', 'environment', 'apiVersion', 'sequence', 'data']);
      expect(event).toMatchObject({ id: expect.stringMatching(/^evt_[0-9a-f]+$/), type: 'order.received', sequence: 1 });
    });

    it('each further event has the order at its time and the next sequence, and earlier bodies do not change', async () => {
      const { trade } = await aTrader(service);
      const order = (await placeOrder(trade, (await aQuote(trade)).quoteId)).json.data;
      const seen = [order];
      for (const message of [
        { milestoneId: 'm1', type: 'production_started' as const },
        { milestoneId: 'm2', type: 'held' as const },
        { milestoneId: 'm3', type: 'released' as const },
        {
          milestoneId: 'm4',
          type: 'parcel_added' as const,
          parcelId: 'p1',
          trackingNumber: 'TRACK-1',
          carrier: 'AusPost',
          trackingUrl: 'https://track.example/1',
          shippedAt: '2026-01-02T03:04:05Z',
        },
        { milestoneId: 'm5', type: 'parcel_added' as const, parcelId: 'p2', trackingNumber: 'TRACK-2' },
      ]) {
        await sendAsStudio(service, order.orderId, message);
        seen.push((await trade.get(`/orders/${order.orderId}`)).json.data);
      }
      const events = await sql<{ type: string; body: string }>(
        service,
        'SELECT type, body FROM order_events WHERE order_id = $1 AND part = 0 ORDER BY sequence',
        [order.orderId],
      );
      expect(events.map(({ type }) => type)).toEqual([
        'order.received',
        'order.in_production',
        'order.on_hold',
        'order.in_production',
        'order.shipped',
        'order.shipped',
      ]);
      expect(events.map(({ body }) => JSON.parse(body).sequence)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(events.map(({ body }) => JSON.parse(body).data)).toEqual(seen);
    });

    it('refused submissions store none', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      await placeOrder(trade, quoteId);
      await placeOrder(trade, quoteId);
      await placeOrder(trade, newId('quo'));
      expect(await countRows(service, accountId)).toMatchObject({ order_events: 1 });
    });
  });

  it('an Idempotency-Key is required even for an unknown quote', async () => {
    const { trade } = await aTrader(service);
    expectRefusal(await trade.post('/orders', { quoteId: newId('quo') }), 400, 'IDEMPOTENCY_KEY_REQUIRED');
  });
});
