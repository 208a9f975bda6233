import { nextDay } from '../../../../src/domain/pricing/ready-date';
import { MAX_REMAKES } from '../../../../src/domain/remakes';
import { remakeOrder } from '../../../../src/orders/remake-order';
import { aLine, anAddress, unknownId, uploadArtwork } from '../../../support/baskets';
import { anEndpoint } from '../../../support/endpoints';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';
import { aToken, findAuditEntries, findEventTypes, validationPathsOf, OrderFactory, sendMilestone } from './support';

describe('POST /orders/{id}/remakes', () => {
  const service = useSharedService();
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Ines' })));
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor')));
  let orders: OrderFactory;
  beforeAll(async () => {
    const trade = service.trade(service.account.liveKey);
    const [first, second] = [await uploadArtwork(trade), await uploadArtwork(trade)];
    const items = [
      aLine(first, { quantity: 3, externalReference: 'A-1' }),
      aLine(second, {
        quantity: 1,
        externalReference: 'A-2',
        variantSelections: { ...aLine(second).variantSelections, artworkWidthMm: '200' },
      }),
    ];
    orders = new OrderFactory(service, 'live', { items, whiteLabel: false, rushTier: 'express' });
    await anEndpoint(service.deps.database, service.account.accountId, 'https://receiver.invalid/', 'live');
  });

  const body = (changes: object = {}) => ({
    remakeId: 'complaint-1',
    lines: [{ line: 0, quantity: 2 }],
    reason: 'scratched in transit',
    ...changes,
  });
  const remake = (orderId: string, changes: object = {}) => office.post(`/orders/${orderId}/remakes`, body(changes));
  const readOrder = async (orderId: string) => (await floor.get(`/orders/${orderId}`)).json.data;
  const readArtwork = (orderId: string) =>
    service.deps.database.rows<{ upload_id: string; checksum: string | null }>(
      'SELECT upload_id, size_bytes, checksum, fixed_at IS NOT NULL AS fixed, next_check_at FROM order_artwork WHERE order_id = $1 ORDER BY upload_id',
      [orderId],
    );

  describe('Auth', () => {
    it('the floor gets 403', async () => {
      const { orderId } = await orders.place();
      expect((await floor.post(`/orders/${orderId}/remakes`, body())).json.error?.code).toBe('FORBIDDEN');
    });
  });

  describe('Validation', () => {
    let orderId: string;
    beforeAll(async () => void ({ orderId } = await orders.place()));
    it.each<[string, object, string[]]>([
      ['an unknown line', { lines: [{ line: 2, quantity: 1 }] }, ['lines.0.line']],
      ['a line twice', { lines: [{ line: 0, quantity: 1 }, { line: 0, quantity: 2 }] }, ['lines.1.line']], // prettier-ignore
      ['more than the ordered quantity', { lines: [{ line: 0, quantity: 3 }, { line: 1, quantity: 2 }] }, ['lines.1.quantity']], // prettier-ignore
    ])('%s is refused, and nothing is created', async (_title, changes, paths) => {
      const reply = await remake(orderId, changes);
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, paths]);
      expect((await readOrder(orderId)).remakes).toEqual([]);
    });
    it('an undeliverable address is refused as in a quote', async () => {
      const reply = await remake(orderId, { shippingAddress: anAddress({ postcode: 'north' }) });
      expect([reply.status, reply.json.error?.code]).toEqual([400, 'SHIPPING_ADDRESS_INCOMPLETE']);
    });
  });

  describe('Statistics', () => {
    it('count placed orders without remakes', async () => {
      const today = await service.deps.calendar.today(service.deps.database, new Date());
      const readPlacedCounts = async () => {
        const { orders: counted, days } = (await office.get(`/stats?from=${today}&to=${nextDay(today)}`)).json.data; // midnight may pass
        return [counted.placed, counted.byStatus.received, days[0].orders + days[1].orders];
      };
      const { orderId } = await orders.place();
      const before = await readPlacedCounts();
      expect((await remake(orderId)).status).toBe(201);
      expect(await readPlacedCounts()).toEqual(before);
      await orders.place();
      expect(await readPlacedCounts()).toEqual(before.map((count) => count + 1));
    });
  });

  describe('Errors', () => {
    it('an unknown order is 404', async () => {
      expect((await remake(unknownId('ord'))).status).toBe(404);
    });
    it('the same id with another content is 409', async () => {
      const { orderId } = await orders.place();
      await remake(orderId);
      for (const changes of [{ reason: 'torn' }, { lines: [{ line: 0, quantity: 1 }] }, { shippingAddress: anAddress() }])
        expect((await remake(orderId, changes)).json.error?.code).toBe('REMAKE_ID_REUSED');
      expect((await readOrder(orderId)).remakes).toHaveLength(1);
    });
    it('a cancelled order cannot be remade, and earlier remakes are still returned', async () => {
      const { orderId } = await orders.place();
      await remake(orderId);
      await sendMilestone(floor, orderId, 'cancelled');
      const refused = await remake(orderId, { remakeId: 'complaint-2' });
      expect([refused.status, refused.json.error]).toMatchObject([
        409,
        { code: 'REMAKE_REFUSED', message: expect.stringMatching(/is cancelled$/) },
      ]);
      expect((await remake(orderId)).status).toBe(200);
    });
    it('a remake cannot be remade, but its original can', async () => {
      const { orderId, orderNumber } = await orders.place();
      const first = (await remake(orderId)).json.data;
      const refused = await remake(first.orderId, { lines: [{ line: 0, quantity: 1 }] });
      expect(refused.json.error).toMatchObject({ code: 'REMAKE_REFUSED', message: expect.stringContaining(`remake ${orderNumber}`) });
      expect((await remake(orderId, { remakeId: 'complaint-2' })).json.data.orderNumber).toBe(`${orderNumber}-R2`);
    });
    it(`an order can be remade ${MAX_REMAKES} times at most`, async () => {
      const { orderId } = await orders.place();
      await remake(orderId);
      await service.deps.database.run(
        `
        WITH copies AS (
          INSERT INTO orders SELECT (jsonb_populate_record(NULL::orders, to_jsonb(o) || jsonb_build_object('id', 'ord_c' || n || substr(o.id, 5), 'order_number', o.order_number || n))).*
            FROM orders o JOIN remakes m ON m.order_id = o.id, generate_series(2, $2::int) n WHERE m.original_id = $1 RETURNING id)
        INSERT INTO remakes SELECT (jsonb_populate_record(NULL::remakes, to_jsonb(m) || jsonb_build_object('order_id', c.id, 'sequence', 1 + row_number() OVER (), 'remake_id', c.id))).*
          FROM remakes m, copies c WHERE m.original_id = $1`,
        [orderId, MAX_REMAKES],
      );
      const refused = await remake(orderId, { remakeId: 'one-more' });
      expect(refused.json.error).toMatchObject({ code: 'REMAKE_REFUSED', message: expect.stringContaining(`${MAX_REMAKES} times`) });
    });
    it('a remake has no invoice to pay', async () => {
      const { orderId } = await orders.place();
      const made = (await remake(orderId)).json.data;
      const refused = await office.post(`/orders/${made.orderId}/payments`, { paymentId: 'p-1', amountCents: 100 });
      expect(refused.json.error).toMatchObject({ code: 'MILESTONE_REFUSED', message: expect.stringContaining('nothing to pay') });
    });
  });

  describe('Success', () => {
    it('remakes the selected lines as a separate free order for the same customer and artwork', async () => {
      const order = await orders.place({ specialInstructions: 'Ring twice' });
      const original = await readOrder(order.orderId);
      const reply = await remake(order.orderId, { lines: [{ line: 1, quantity: 1 }, { line: 0, quantity: 2 }] }); // prettier-ignore
      const made = reply.json.data;
      expect(reply.status).toBe(201);
      expect(made.dueDate).toBe(await service.deps.calendar.standardDueDate(service.deps.database, new Date(made.createdAt)));
      const freeLine = (line: object, quantity: number) => ({ ...line, quantity, unitPriceCents: 0, amountCents: 0 });
      const { orderId, orderNumber } = order;
      const lines = [
        { line: 0, quantity: 2 },
        { line: 1, quantity: 1 },
      ];
      expect(made).toMatchObject({
        orderId: expect.stringMatching(/^ord_[0-9a-f]{32}$/),
        orderNumber: `${orderNumber}-R1`,
        status: 'received',
        environment: 'live',
        quoteId: null,
        lines: [freeLine(order.lines[0], 2), freeLine(order.lines[1], 1)],
        subtotalCents: 0,
        shippingCents: 0,
        discountCents: 0,
        rushFeeCents: 0,
        totalCents: 0,
        gstCents: 0,
        promisedReadyDate: null,
        rushTier: 'standard',
        whiteLabel: false,
        invoice: null,
        timeline: [],
        payments: [],
        remakeOf: { orderId, orderNumber, remakeId: 'complaint-1', reason: 'scratched in transit', lines },
        remakes: [],
        job: {
          remake: `REMAKE of ${orderNumber}: scratched in transit`,
          shippingAddress: original.job.shippingAddress,
          specialInstructions: 'Ring twice',
          shippingMethod: original.job.shippingMethod,
        },
      });
      const jobs = (await readOrder(made.orderId)).job.lines;
      const remadeLine = (line: object, quantity: number) => ({ ...line, quantity, artworkUrl: expect.any(String) });
      expect(jobs).toEqual([remadeLine(original.job.lines[0], 2), remadeLine(original.job.lines[1], 1)]);
      expect(await readArtwork(made.orderId)).toEqual(await readArtwork(orderId));
      expect((await readArtwork(orderId)).map(({ checksum }) => checksum)).toEqual([expect.any(String), expect.any(String)]);
      expect((await readOrder(orderId)).remakes).toEqual([
        { orderId: made.orderId, orderNumber: `${orderNumber}-R1`, remakeId: 'complaint-1', status: 'received', reason: 'scratched in transit', lines, shipments: [] }, // prettier-ignore
      ]);
      expect(await findAuditEntries(service, made.orderId)).toMatchObject([
        {
          actor: 'Ines',
          action: 'order.remake',
          before: null,
          after: {
            remakeOf: orderId,
            orderNumber: `${orderNumber}-R1`,
            remakeId: 'complaint-1',
            lines: expect.any(Array),
            reason: 'scratched in transit',
            otherAddress: false,
          },
        },
      ]);
    });
    it('a repeat, also with lines in another order, is 200 with the current remake', async () => {
      const { orderId } = await orders.place();
      const lines = [
        { line: 0, quantity: 1 },
        { line: 1, quantity: 1 },
      ];
      const first = await remake(orderId, { lines, shippingAddress: anAddress({ country: 'au', city: 'Perth', postcode: '6000' }) });
      await sendMilestone(floor, first.json.data.orderId, 'production_started');
      const second = await remake(orderId, {
        lines: lines.toReversed(),
        shippingAddress: anAddress({ country: 'au', city: 'Perth', postcode: '6000', company: null }),
      });
      expect([first.status, second.status, second.json.data.orderId, second.json.data.status]).toEqual([
        201,
        200,
        first.json.data.orderId,
        'in_production',
      ]);
      expect(first.json.data.job.shippingAddress).toMatchObject({ city: 'Perth', country: 'AU' });
      expect(await findAuditEntries(service, first.json.data.orderId)).toHaveLength(2);
    });
    it('two concurrent remakes get R1 and R2, and a concurrent repeat is one remake', async () => {
      const { orderId, orderNumber } = await orders.place();
      const ids = ['a', 'b', 'a', 'b'];
      const replies = await Promise.all(ids.map((remakeId) => remake(orderId, { remakeId })));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 201, 201]);
      expect((await readOrder(orderId)).remakes.map((one: { orderNumber: string }) => one.orderNumber)).toEqual([
        `${orderNumber}-R1`,
        `${orderNumber}-R2`,
      ]);
    });
    it('has its own workflow in production, and clients see it only on the original order, without a webhook', async () => {
      const order = await orders.place();
      const { orderId, orderNumber } = (await remake(order.orderId, { lines: [{ line: 1, quantity: 1 }] })).json.data;
      const run = service.deps.temporal.client.workflow.getHandle(`order/${orderId}`);
      const described = await waitFor('the start of its workflow', () => run.describe().catch(() => null));
      expect(described.typedSearchAttributes.getAll().map(({ value }) => value)).toContain(orderNumber);
      for (const type of ['production_started', 'printed', 'completed'])
        expect((await sendMilestone(floor, orderId, type)).status).toBe(200);
      const parcel = { parcelId: 'p-1', trackingNumber: 'TRACK-R', carrier: 'Post', lines: [{ line: 0, quantity: 1 }] };
      expect((await floor.post(`/orders/${orderId}/parcels`, parcel)).json.data).toMatchObject({
        status: 'shipped',
        facts: { liveParcels: 1 },
      });

      const trade = service.trade(service.account.liveKey);
      const told = {
        status: 'shipped',
        shipments: [
          {
            carrier: 'Post',
            trackingNumber: 'TRACK-R',
            trackingUrl: null,
            shippedAt: expect.any(String),
            lines: [{ line: 1, quantity: 1 }],
          },
        ],
      };
      expect((await trade.get(`/orders/${order.orderId}`)).json.data).toMatchObject({ status: 'received', shipments: [], remakes: [told] });
      expect((await trade.get('/orders?limit=1')).json.data).toMatchObject([{ orderId: order.orderId, remakes: [told] }]);
      expect(await findEventTypes(service, orderId)).toEqual([]);
      expect(await service.deps.database.rows('SELECT 1 FROM webhook_deliveries WHERE order_id = $1', [orderId])).toEqual([]);
      expect(await service.deps.database.rows('SELECT event_sequence, confirmation_sent_at FROM orders WHERE id = $1', [orderId])).toEqual([
        { event_sequence: 0, confirmation_sent_at: null },
      ]);

      await sendMilestone(floor, order.orderId, 'production_started');
      const [event] = await service.deps.database.rows<{ body: string }>(
        'SELECT body FROM order_events WHERE order_id = $1 ORDER BY sequence DESC LIMIT 1',
        [order.orderId],
      );
      expect(JSON.parse(event?.body ?? '')).toMatchObject({
        sequence: 2,
        data: { status: 'in_production', remakes: [{ status: 'shipped' }] },
      });
    });
    it('gets its workflow after a lost start, and is found by its number', async () => {
      const { orderId, orderNumber } = await orders.place();
      const wanted = { ...body(), originalId: orderId, shippingAddress: null };
      const made = await service.deps.database.transaction((sql) => remakeOrder(sql, wanted, { dueDate: '2026-12-01', now: new Date() })); // the API dies here
      await service.deps.database.run('UPDATE orders SET workflow_claimed_until = now() WHERE id = $1', [made?.orderId]);
      const run = service.deps.temporal.client.workflow.getHandle(`order/${made?.orderId}`);
      await waitFor('the start of its workflow', () => run.describe().catch(() => null));
      expect((await floor.get(`/orders/${orderNumber}-R1`)).json.data).toMatchObject({ orderId: made?.orderId, status: 'received' });
    });
    it('is not visible in the trade API: not read, listed, cancelled or advanced', async () => {
      const tests = new OrderFactory(service, 'test');
      const order = await tests.place();
      const { orderId, orderNumber } = (await remake(order.orderId, { lines: [{ line: 0, quantity: 1 }] })).json.data;
      expect(orderNumber).toBe(`${order.orderNumber}-R1`);
      expect(orderNumber).toMatch(/^T-/);
      const trade = service.trade(service.account.testKey);
      const replies = [
        await trade.get(`/orders/${orderId}`),
        await trade.post(`/orders/${orderId}/cancel`),
        await trade.post(`/test/orders/${orderId}/advance`, { to: 'completed' }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
      for (const query of ['', '?status=received', '?createdAfter=2020-01-01T00:00:00Z'])
        expect(JSON.stringify((await trade.get(`/orders${query}`)).json.data)).not.toContain(orderId);
      expect((await floor.get('/orders?environment=test')).json.data.map((row: { orderId: string }) => row.orderId)).toContain(orderId);
      expect((await floor.get(`/orders?environment=test&q=${orderNumber}`)).json.data).toMatchObject([{ orderId, remakeOf: { orderNumber: order.orderNumber } }]); // prettier-ignore
    });
    it("compares the artwork with the original's fixed bytes when its production starts", async () => {
      const { orderId } = await orders.place();
      const made = (await remake(orderId, { lines: [{ line: 1, quantity: 1 }] })).json.data;
      const [artwork] = await readArtwork(made.orderId);
      await service.deps.database.run(`UPDATE order_artwork SET checksum = 'sha256:other' WHERE order_id = $1`, [made.orderId]);
      await sendMilestone(floor, made.orderId, 'production_started');
      const attention = await waitFor('attention', async () => (await readOrder(made.orderId)).attention.at(0));
      expect(attention).toMatchObject({ code: 'ARTWORK_CHANGED', message: expect.stringContaining(artwork?.upload_id ?? '') });
    });
  });

  describe('Erasing', () => {
    it('of the original keeps artwork that an open remake needs, and an erased remake has no customer data and cannot be remade', async () => {
      const sql = <T>(text: string, parameters: unknown[]) => service.deps.database.rows<T>(text, parameters);
      const own = new OrderFactory(service, 'live');
      const order = await own.place();
      const secret = anAddress({ name: 'Wilhelmina Q', email: 'wilhelmina@quux.example' });
      const made = (await remake(order.orderId, { lines: [{ line: 0, quantity: 1 }], reason: 'Wilhelmina rang', shippingAddress: secret }))
        .json.data;
      const [{ url }] = (await sql<{ url: string }>(`SELECT u.url FROM order_artwork a JOIN uploads u ON u.id = a.upload_id WHERE a.order_id = $1`, [made.orderId])) as [{ url: string }]; // prettier-ignore
      const readErasedAt = async () =>
        (await sql<{ erased_at: Date | null }>('SELECT erased_at FROM uploads WHERE url = $1', [url]))[0]?.erased_at;
      const eraseAccount = async () =>
        (await service.studio().post(`/accounts/${service.account.accountId}/erase`, { before: '2999-01-01' })).json.data;
      for (const type of ['production_started', 'completed']) await sendMilestone(floor, order.orderId, type);
      await eraseAccount();
      expect([(await readOrder(order.orderId)).erasedAt, await readErasedAt()]).toEqual([expect.any(String), null]);
      expect((await readOrder(made.orderId)).job.lines[0].artworkReceived).toBe(true);
      const refused = await remake(order.orderId, { remakeId: 'complaint-2', lines: [{ line: 0, quantity: 1 }] });
      expect(refused.json.error).toMatchObject({ code: 'REMAKE_REFUSED', message: expect.stringContaining('erased') });

      for (const type of ['production_started', 'completed']) await sendMilestone(floor, made.orderId, type);
      expect(await eraseAccount()).toMatchObject({ orders: 1, artwork: 1 });
      const after = await readOrder(made.orderId);
      expect(after.job).toMatchObject({ shippingAddress: { name: '[erased]', country: 'AU' }, lines: [{ artworkUrl: null }] });
      expect([after.remakeOf.reason, (await readOrder(order.orderId)).remakes[0].reason]).toEqual(['[erased]', '[erased]']);
      expect(await readErasedAt()).not.toBeNull();
      expect(JSON.stringify(await findAuditEntries(service, made.orderId))).not.toContain('Wilhelmina');
    });
  });
});
