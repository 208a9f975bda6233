import { request } from 'undici';
import { useFixture, useService } from '../../../support/fixtures';
import { aLine, anAddress, anOrder, anIdempotencyKeyHeader, aQuote, unknownId, uploadArtwork } from '../../../support/baskets';
import type { Reply } from '../../../support/client';
import { startedOrder } from '../support';
import { aToken, validationPathsOf, OrderFactory, sendMilestone } from './support';

describe('GET /orders and GET /orders/{id}', () => {
  const service = useService();
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor')));
  const live = useFixture(() => new OrderFactory(service));

  const idsOf = (reply: { json: { data: { orderId: string }[] } }) => reply.json.data.map(({ orderId }) => orderId);

  describe('Validation', () => {
    it.each([
      ['status=exploded', 'query.status'],
      ['accountId=gallery', 'query.accountId'],
      [`q=${'x'.repeat(201)}`, 'query.q'],
      ['status=received&status=shipped', 'query.status'],
      ['limit=101', 'query.limit'],
      ['cursor=abc', 'query.cursor'],
    ])('%.40s is refused', async (query, path) => {
      const reply = await floor.get(`/orders?${query}`);
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, [path]]);
    });
    it('a cursor of one filter is refused for another', async () => {
      await live.place();
      await live.place();
      const { nextCursor } = (await floor.get('/orders?limit=1')).json;
      expect(validationPathsOf(await floor.get(`/orders?limit=1&environment=test&cursor=${nextCursor}`))).toEqual(['query.cursor']);
      expect((await floor.get(`/orders?limit=1&cursor=${nextCursor}`)).status).toBe(200);
    });
  });

  describe('Errors', () => {
    it.each([
      ['unknown', unknownId('ord')],
      ['an unknown number', 'P-99999999'],
      ['the number of an invoice', 'INV-10001'],
      ['a number and U+0000', 'P-10001%00'],
      ['malformed', 'P-1-0'],
      ['U+0000', '%00'],
      ['badly encoded', '%zz'],
      ['10 kB', 'x'.repeat(10_000)],
    ])('an order id that is %s is 404', async (_title, id) => {
      expect((await floor.get(`/orders/${id}`)).json.error?.code).toBe('NOT_FOUND');
    });
  });

  describe('Success', () => {
    it('lists live orders, and test orders only on request', async () => {
      const test = await new OrderFactory(service, 'test').place();
      const order = await live.place();
      const listed = idsOf(await floor.get('/orders'));
      expect([listed.includes(order.orderId), listed.includes(test.orderId)]).toEqual([true, false]);
      expect(idsOf(await floor.get('/orders?environment=test'))).toEqual([test.orderId]);
    });
    it('a row is the Order with its account and facts', async () => {
      const order = await live.place();
      const [row] = (await floor.get('/orders?limit=1')).json.data;
      expect(row).toEqual({
        ...order,
        accountId: service.account.accountId,
        accountName: 'Gallery North',
        recipientName: 'Ada Customer',
        baseStatus: 'received',
        whiteLabel: true,
        rushTier: 'standard',
        dueDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        late: false,
        facts: { printed: false, liveParcels: 0, paidCents: 0 },
        stage: null,
        stageLines: { printed: [], framed: [], checked: [], ready: [] },
        remakeOf: null,
        remakes: [],
        postcode: '3000',
        hasPreview: false,
        webhookEndpoints: [],
        invoice: expect.objectContaining({ amountCents: order.totalCents, paidCents: 0, state: 'open' }),
        attention: [],
      });
    });
    it('a partly shipped order is found until all pieces are in parcels or it is completed', async () => {
      const trade = service.trade(service.account.liveKey);
      const line = aLine(await uploadArtwork(trade));
      const { orderId } = await anOrder(trade, { items: [{ ...line, quantity: 2 }, line] });
      const found = async () => idsOf(await floor.get('/orders?partShipped=true')).includes(orderId);
      const addParcel = (parcelId: string, lines?: object[]) =>
        floor.post(`/orders/${orderId}/parcels`, { parcelId, trackingNumber: parcelId, lines });
      expect(await found()).toBe(false);
      await addParcel('a', [
        { line: 0, quantity: 1 },
        { line: 1, quantity: 1 },
      ]);
      expect(await found()).toBe(true);
      await addParcel('b', [{ line: 0, quantity: 1 }]);
      expect(await found()).toBe(false);
      await floor.send('DELETE', `/orders/${orderId}/parcels/b`);
      expect(await found()).toBe(true);
      await addParcel('all the rest');
      expect(await found()).toBe(false);
      await floor.send('DELETE', `/orders/${orderId}/parcels/all%20the%20rest`);
      expect(await found()).toBe(true);
      await sendMilestone(floor, orderId, 'production_started');
      await sendMilestone(floor, orderId, 'completed');
      expect(await found()).toBe(false);
    });
    it('a row has the late, paid and attention values of the order', async () => {
      const { orderId, totalCents } = await live.place();
      await service.deps.database.run(`UPDATE orders SET due_date = '2020-01-01' WHERE id = $1`, [orderId]);
      await service.studio().post(`/orders/${orderId}/payments`, { paymentId: 'all', amountCents: totalCents });
      await sendMilestone(service.studio(), orderId, 'cancelled');
      await floor.post(`/orders/${orderId}/parcels`, { parcelId: 'a', trackingNumber: 'T' });
      const row = async () => (await floor.get('/orders?limit=1')).json.data[0];
      expect(await row()).toMatchObject({ orderId, late: false, invoice: { state: 'void', paidCents: totalCents } });
      const { attention, invoice, late } = (await floor.get(`/orders/${orderId}`)).json.data;
      expect(attention.map(({ code }: { code: string }) => code)).toEqual(['PAID_BUT_VOID', 'SHIPPED_AFTER_CANCEL']);
      expect(await row()).toMatchObject({ attention, invoice, late });
      const { orderId: other } = await live.place();
      await service.deps.database.run(`UPDATE orders SET due_date = '2020-01-01' WHERE id = $1`, [other]);
      expect([(await row()).late, (await floor.get(`/orders/${other}`)).json.data.late]).toEqual([true, true]);
    });
    it('filters by status and account', async () => {
      const { orderId } = await live.place();
      await sendMilestone(floor, orderId, 'held');
      expect(idsOf(await floor.get('/orders?status=on_hold'))).toEqual([orderId]);
      expect(idsOf(await floor.get(`/orders?accountId=${service.account.accountId}&status=on_hold`))).toEqual([orderId]);
      expect(idsOf(await floor.get(`/orders?accountId=${unknownId('acc')}`))).toEqual([]);
    });
    it('are listed and counted as completed once completed, although clients read shipped', async () => {
      const { orderId } = await live.place();
      const counts = async () => (await floor.get('/orders/counts')).json.data.byStatus;
      const before = await counts();
      await floor.post(`/orders/${orderId}/parcels`, { parcelId: 'a', trackingNumber: 'TRK-completed' });
      expect(idsOf(await floor.get('/orders?status=shipped'))).toContain(orderId);
      for (const type of ['production_started', 'completed']) await sendMilestone(floor, orderId, type);
      expect(idsOf(await floor.get('/orders?status=shipped'))).not.toContain(orderId);
      expect(idsOf(await floor.get('/orders?status=completed'))).toContain(orderId);
      expect(await counts()).toEqual({ ...before, received: before.received - 1, completed: before.completed + 1 });
      expect((await floor.get(`/orders/${orderId}`)).json.data.status).toBe('shipped');
    });
    it('are counted by status, late and attention, live ones by default', async () => {
      const counts = async (query = '') => (await floor.get(`/orders/counts${query}`)).json.data;
      const before = await counts();
      const orders = [await live.place(), await live.place(), await live.place()].map(({ orderId }) => orderId);
      await sendMilestone(floor, orders[0] ?? '', 'held');
      await service.deps.database.run(`UPDATE orders SET due_date = '2020-01-01' WHERE id = ANY ($1)`, [orders.slice(0, 2)]);
      for (const code of ['SIGNAL_REFUSED', 'DELIVERY_FAILED'])
        await service.deps.database.run(
          `INSERT INTO order_attention (order_id, code, subject, message, raised_at) VALUES ($1, $2, 's', 'm', now())`,
          [orders[0], code],
        );
      const { byStatus } = before;
      expect(await counts('?environment=live')).toEqual({
        environment: 'live',
        byStatus: { ...byStatus, received: byStatus.received + 2, on_hold: byStatus.on_hold + 1 },
        late: before.late + 2,
        attention: before.attention + 1,
      });
      await service.deps.database.run(
        `INSERT INTO order_attention (order_id, code, subject, message, raised_at) VALUES ($1, 'PAID_BUT_VOID', 's', 'm', now())`,
        [orders[1]],
      );
      expect((await counts()).attention - before.attention).toBe(2);
      const [work, money] = [await counts('?about=work'), await counts('?about=money')];
      const found = async (about: string) => new Set(idsOf(await floor.get(`/orders?attention=${about}&limit=100`)));
      expect([(await found('work')).size, (await found('money')).size]).toEqual([work.attention, money.attention]);
      expect([(await found('work')).has(orders[0]), (await found('work')).has(orders[1]), (await found('money')).has(orders[1])]).toEqual([
        true,
        false,
        true,
      ]);
      expect(await counts('?environment=test')).toMatchObject({ byStatus: { received: 1, on_hold: 0 }, late: 0, attention: 0 });
      expect(validationPathsOf(await floor.get('/orders/counts?environment=both'))).toEqual(['query.environment']);
    });
    it('finds by order number, order id, external reference and tracking number, with % and _ as literals', async () => {
      const trade = service.trade(service.account.liveKey);
      const quote = await aQuote(trade, { items: [aLine(await uploadArtwork(trade), { externalReference: 'Job_50%-A' })] });
      const order = (await trade.post('/orders', { quoteId: quote.quoteId }, anIdempotencyKeyHeader())).json.data;
      await floor.post(`/orders/${order.orderId}/parcels`, { parcelId: 'a', trackingNumber: 'TRK\\9' });
      await floor.send('DELETE', `/orders/${order.orderId}/parcels/a`);
      const search = async (q: string) => idsOf(await floor.get(`/orders?q=${encodeURIComponent(q)}`));
      for (const q of [order.orderNumber, order.orderNumber.toLowerCase(), order.orderId, 'job_50%', 'TRK\\9'])
        expect(await search(q)).toEqual([order.orderId]);
      for (const q of ['Job-50%', '50_-A', '%%', "' OR 1=1 --", 'TRK9']) expect(await search(q)).toEqual([]);
    });
    it('pages through every order once while others are placed', async () => {
      const known = new Set(idsOf(await floor.get('/orders?limit=100')));
      const seen: string[] = [];
      for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
        const page: Reply = await floor.get(`/orders?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...idsOf(page));
        cursor = page.json.nextCursor;
        if (seen.length <= 4) await live.place();
      }
      expect(seen).toEqual([...known]);
    });
    it('an order is also addressed by its number, with all paths below its id', async () => {
      const { orderId, orderNumber } = await live.place();
      expect((await floor.get(`/orders/${orderNumber}`)).json.data.orderId).toBe(orderId);
      expect((await sendMilestone(floor, orderNumber, 'printed')).json.data.facts.printed).toBe(true);
      await floor.post(`/orders/${orderNumber}/parcels`, { parcelId: 'a', trackingNumber: 'TRK-1' });
      expect((await floor.send('DELETE', `/orders/${orderNumber}/parcels/a`)).json.data.parcels).toMatchObject([{ parcelId: 'a' }]);
    });
    it('one order shows the job, and the artwork after its arrival', async () => {
      const trade = service.trade(service.account.liveKey);
      const upload = (await trade.post('/uploads', { filename: 'dünes.jpg', contentType: 'image/jpeg', sizeBytes: 4 })).json.data;
      const quote = await aQuote(trade, {
        items: [aLine(upload.url, { quantity: 3, externalReference: 'A-1' })],
        whiteLabel: false,
        rushTier: 'express',
      });
      const order = (await trade.post('/orders', { quoteId: quote.quoteId, specialInstructions: 'Ring twice' }, anIdempotencyKeyHeader()))
        .json.data;
      const waiting = (await floor.get(`/orders/${order.orderId}`)).json.data;
      expect(waiting).toMatchObject({
        ...order,
        rushTier: 'express',
        whiteLabel: false,
        timeline: [],
        parcels: [],
        payments: [],
        cancellable: { now: true, blockers: [] },
        invoice: {
          invoiceNumber: expect.stringMatching(/^INV-/),
          amountCents: order.totalCents,
          gstCents: order.gstCents,
          paidCents: 0,
          state: 'open',
        },
        workflowUrl: `http://127.0.0.1:8233/namespaces/default/workflows/order%2F${order.orderId}`,
        job: {
          lines: [
            {
              externalReference: 'A-1',
              productSlug: 'fine-art-printing',
              productName: 'Fine art print',
              quantity: 3,
              selections: { artworkWidthMm: '300', artworkHeightMm: '400', mediaId: 'media-cotton-rag-310' },
              words: [
                { label: 'Size', value: '300 mm wide × 400 mm high, portrait' },
                { label: 'Printed on', value: 'Cotton rag 310' },
              ],
              artworkFilename: 'dünes.jpg',
              artworkContentType: 'image/jpeg',
              artworkReceived: false,
            },
          ],
          shippingAddress: anAddress(),
          specialInstructions: 'Ring twice',
          whiteLabel: false,
          rushTier: 'express',
          promisedReadyDate: order.promisedReadyDate,
          shippingMethod: order.shippingMethod,
          shippingMethodName: 'Standard parcel',
          isCollection: false,
        },
      });
      await request(upload.uploadUrl, { method: 'PUT', body: 'dune', headers: { 'content-type': 'image/jpeg' } });
      const [line] = (await floor.get(`/orders/${order.orderId}`)).json.data.job.lines;
      expect(line.artworkReceived).toBe(true);
      expect(await (await request(line.artworkUrl)).body.text()).toBe('dune');
    });
    it("shows a signal's refusal in the timeline, with the reason", async () => {
      const { orderId } = await live.place();
      const handle = await startedOrder(service, orderId);
      await handle.signal('milestone', { milestoneId: 's-1', type: 'released', note: 'from the press' });
      await sendMilestone(floor, orderId, 'held', { milestoneId: 's-2' });
      expect((await floor.get(`/orders/${orderId}`)).json.data.timeline).toMatchObject([
        {
          milestoneId: 's-1',
          type: 'released',
          outcome: 'refused',
          reason: expect.stringContaining('not on hold'),
          note: 'from the press',
          actor: 'signal',
        },
        { milestoneId: 's-2', outcome: 'applied', reason: null },
      ]);
    });
  });
});
