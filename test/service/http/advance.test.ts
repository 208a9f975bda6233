import { milestone } from '../../../workflows/messages';
import { newId } from '../../../src/security/ids';
import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { useReceiver, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { findAuditEntries, findEventTypes } from './studio/support';
import { aTrader, anotherKey, expectValidationPaths, expectRefusal, scopesWithout, sql, startedOrder, type Trader } from './support';

describe('POST /test/orders/{id}/advance', () => {
  const receiver = useReceiver();
  const service = useService(() => ({ env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin } }));
  let trader: Trader;
  let orderId: string;
  beforeEach(async () => {
    trader = await aTrader(service);
    ({ orderId } = await anOrder(trader.trade));
  });

  const advance = (body: unknown, id = orderId, trade = trader.trade) => trade.post(`/test/orders/${id}/advance`, body);
  const to = async (status: string) => (await advance({ to: status })).json.data;
  const readEventTypes = () => findEventTypes(service, orderId);
  const timeline = () =>
    sql<{ milestone_id: string; actor: string; type: string }>(
      service,
      'SELECT milestone_id, actor, type FROM order_timeline WHERE order_id = $1 ORDER BY id',
      [orderId],
    );

  describe('Auth', () => {
    it('without a key is 401, without orders:write 403', async () => {
      expectRefusal(await advance({ to: 'completed' }, orderId, service.trade()), 401, 'UNAUTHORIZED');
      const reader = await anotherKey(service, trader.accountId, { scopes: scopesWithout('orders:write') });
      expectRefusal(await advance({ to: 'completed' }, orderId, reader), 403, 'FORBIDDEN');
    });

    it('a live key gets 404 for every scope, order and method, and its order is unchanged', async () => {
      const live = service.trade(trader.liveKey);
      const mine = await anOrder(live);
      const reader = await anotherKey(service, trader.accountId, { environment: 'live', scopes: scopesWithout('orders:write') });
      for (const trade of [live, reader])
        for (const id of [mine.orderId, orderId, 'x']) expectRefusal(await advance({ to: 'completed' }, id, trade), 404, 'NOT_FOUND');
      for (const path of ['test', 'Test', 'TEST'])
        expectRefusal(await live.get(`/${path}/orders/${mine.orderId}/advance`), 404, 'NOT_FOUND');
      expect((await live.get(`/orders/${mine.orderId}`)).json.data.status).toBe('received');
    });
  });

  describe('Validation', () => {
    test.each<[string, unknown, string[]]>([
      ['nothing', {}, ['']],
      ['two at once', { to: 'shipped', parcel: {} }, ['']],
      ['an unknown status', { to: 'printed' }, ['to']],
      ['no status', { to: null }, ['to']],
      ['an invalid parcel', { parcel: 'p1' }, ['parcel']],
      [
        'a parcel with errors',
        { parcel: { parcelId: '', trackingUrl: 'x', shippedAt: 'yesterday' } },
        ['parcel.parcelId', 'parcel.trackingUrl', 'parcel.shippedAt'],
      ],
      ['no parcel to void', { voidParcel: '' }, ['voidParcel']],
      ['printed with another value than true', { printed: false }, ['printed']],
      ['a payment with errors', { payment: { amountCents: 0, paymentId: '..' } }, ['payment.amountCents', 'payment.paymentId']],
      ['no payment to reverse', { reversePayment: '' }, ['reversePayment']],
      ['an unknown line', { remake: { lines: [{ line: 1, quantity: 1 }] } }, ['remake.lines.0.line']],
      ['more than the ordered quantity', { remake: { lines: [{ line: 0, quantity: 2 }] } }, ['remake.lines.0.quantity']],
      ['an unknown remake', { ofRemake: 0, to: 'shipped' }, ['ofRemake']],
      ['a remake without a step', { ofRemake: 0 }, ['']],
      [
        'control characters',
        { parcel: { parcelId: 'p\u0085', trackingNumber: '\tT1', carrier: 'Post\u2028' } },
        ['parcel.parcelId', 'parcel.trackingNumber', 'parcel.carrier'],
      ],
      ['an order number as tracking number', { parcel: { trackingNumber: 'T-10001' } }, ['parcel.trackingNumber']],
    ])('%s is VALIDATION_ERROR at its field', async (_title, body, paths) => {
      expectValidationPaths(await advance(body), paths);
      expect(await readEventTypes()).toEqual(['order.received']);
    });
  });

  describe('Errors', () => {
    it("a live order, another account's order and an unknown order are 404", async () => {
      const live = await anOrder(service.trade(trader.liveKey));
      const theirs = await anOrder((await aTrader(service)).trade);
      for (const id of [live.orderId, theirs.orderId, newId('ord'), 'x', '%00'])
        expectRefusal(await advance({ to: 'completed' }, id), 404, 'NOT_FOUND');
    });

    it('an unreachable status is 409 with the reason, and changes nothing', async () => {
      await to('completed');
      const refused = await advance({ to: 'received' });
      expectRefusal(refused, 409, 'MILESTONE_REFUSED');
      expect(refused.json.error?.message).toContain('cannot return to received');
      await to('shipped');
      const inTheWay = await advance({ to: 'completed' });
      expectRefusal(inTheWay, 409, 'MILESTONE_REFUSED');
      expect(inTheWay.json.error?.message).toContain('voidParcel: TEST-');
      expectRefusal(await advance({ voidParcel: 'p9' }), 409, 'MILESTONE_REFUSED');
      expect(await readEventTypes()).toEqual(['order.received', 'order.in_production', 'order.completed', 'order.shipped']);
    });

    it('an order at its limit of texts refuses more, and names the fields to shorten', async () => {
      await sql(
        service,
        `INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, content, digest, actor, occurred_at, created_at)
         VALUES ($1, 'n', 'n', 'printed', 'applied', $2, 'd', 'floor', now(), now())`,
        [orderId, JSON.stringify({ note: 'x'.repeat(262_000) })],
      );
      const refused = await advance({ parcel: { trackingUrl: `https://track.example/${'9'.repeat(500)}` } });
      expectRefusal(refused, 409, 'MILESTONE_REFUSED');
      expect(refused.json.error?.message).toMatch(/of 262144 bytes.*shorten trackingUrl \(524 bytes\), trackingNumber/);
      expect(await readEventTypes()).toEqual(['order.received']);
      expect((await to('cancelled')).status).toBe('cancelled');
    });

    it('a parcel id with other fields is 409 MILESTONE_ID_REUSED, and a voided one is refused', async () => {
      await advance({ parcel: { parcelId: 'p1', trackingNumber: 'T1' } });
      expectRefusal(await advance({ parcel: { parcelId: 'p1', trackingNumber: 'T2' } }), 409, 'MILESTONE_ID_REUSED');
      await advance({ voidParcel: 'p1' });
      expectRefusal(await advance({ parcel: { parcelId: 'p1', trackingNumber: 'T1' } }), 409, 'MILESTONE_REFUSED');
    });
  });

  describe('Success', () => {
    it('moves an order through every status, with an event and a webhook for each', async () => {
      await anEndpoint(service.deps.database, trader.accountId, receiver.url);
      ({ orderId } = await anOrder(trader.trade));
      const path = ['on_hold', 'received', 'in_production', 'on_hold', 'completed', 'shipped'];
      for (const status of path) expect((await to(status)).status).toBe(status);
      const [{ trackingNumber }] = (await to('shipped')).shipments;
      const back = await advance({ voidParcel: trackingNumber });
      expect(back.json.data).toMatchObject({ status: 'completed', shipments: [] });
      expect((await to('cancelled')).status).toBe('cancelled');
      const expected = [
        'received',
        'on_hold',
        'received',
        'in_production',
        'on_hold',
        'in_production',
        'completed',
        'shipped',
        'completed',
        'cancelled',
      ];
      expect(await readEventTypes()).toEqual(expected.map((status) => `order.${status}`));
      const receivedForOrder = () => receiver.received.filter(({ body }) => body.data.orderId === orderId);
      await waitFor('every webhook', async () => receivedForOrder().length === expected.length);
      expect(
        receivedForOrder()
          .toSorted((a, b) => a.body.sequence - b.body.sequence)
          .map(({ type }) => type),
      ).toEqual(await readEventTypes());
    });

    it('sends missing milestones, and the timeline names the account as the actor', async () => {
      expect((await to('completed')).status).toBe('completed');
      expect(await readEventTypes()).toEqual(['order.received', 'order.in_production', 'order.completed']);
      expect(await timeline()).toEqual([
        { milestone_id: expect.stringMatching(/^advance:/), actor: 'account', type: 'production_started' },
        { milestone_id: expect.stringMatching(/^advance:/), actor: 'account', type: 'completed' },
      ]);
      expect(await findAuditEntries(service, orderId)).toEqual([]);
    });

    it('a status that the order already has is 200 without an event', async () => {
      for (const status of ['received', 'in_production', 'in_production', 'shipped', 'shipped']) {
        const reply = await advance({ to: status });
        expect([reply.status, reply.json.data.status]).toEqual([200, status]);
      }
      expect(await readEventTypes()).toEqual(['order.received', 'order.in_production', 'order.shipped']);
    });

    it('a parcel has the sent or generated fields, and repeating its id adds none', async () => {
      const sent = {
        parcelId: 'p1',
        trackingNumber: 'T1',
        carrier: 'Post',
        trackingUrl: 'https://post.example/T1',
        shippedAt: '2026-03-02T01:02:03Z',
        lines: [{ line: 0, quantity: 1 }],
      };
      const first = await advance({ parcel: sent });
      expect(first.json.data).toMatchObject({
        status: 'shipped',
        shipments: [
          {
            trackingNumber: 'T1',
            carrier: 'Post',
            trackingUrl: 'https://post.example/T1',
            shippedAt: '2026-03-02T01:02:03.000Z',
            lines: [{ line: 0, quantity: 1 }],
          },
        ],
      });
      expect((await advance({ parcel: sent })).json.data).toEqual(first.json.data);
      const second = await advance({ parcel: {} });
      expect(second.json.data.shipments[1]).toMatchObject({ trackingNumber: expect.stringMatching(/^TEST-T-/), carrier: 'Test carrier' });
      expect((await advance({ parcel: { trackingNumber: null } })).json.data.shipments).toHaveLength(3);
      expect((await advance({ voidParcel: second.json.data.shipments[1].trackingNumber })).json.data.shipments).toHaveLength(2);
      expect((await advance({ voidParcel: second.json.data.shipments[1].trackingNumber })).status).toBe(200);
    });

    it('printed artwork prevents a cancel, and repeating it has no effect', async () => {
      for (let time = 0; time < 2; time += 1)
        expect((await advance({ printed: true })).json.data).toMatchObject({
          status: 'received',
          cancellable: { now: false, blockers: ['printed'] },
        });
      expectRefusal(await trader.trade.post(`/orders/${orderId}/cancel`), 409, 'ORDER_NOT_CANCELLABLE');
      expect(await timeline()).toEqual([{ milestone_id: expect.stringMatching(/^advance:/), actor: 'account', type: 'printed' }]);
      await to('cancelled');
      const cancelled = (await anOrder(trader.trade)).orderId;
      await advance({ to: 'cancelled' }, cancelled);
      expectRefusal(await advance({ printed: true }, cancelled), 409, 'MILESTONE_REFUSED');
    });

    it('a payment pays the sent or the open amount and can be reversed, in the test ledger only', async () => {
      const invoice = async () => (await service.studio().get(`/orders/${orderId}`)).json.data.invoice;
      const { amountCents } = await invoice();
      const first = await advance({ payment: { paymentId: 'bank-1', amountCents: 100, reference: 'REF' } });
      expect(first.json.data.cancellable).toEqual({ now: false, blockers: ['money'] });
      expect(await invoice()).toMatchObject({ paidCents: 100, state: 'part_paid' });
      expect((await advance({ payment: { paymentId: 'bank-1', amountCents: 100, reference: 'REF' } })).status).toBe(200);
      await advance({ payment: {} });
      expect(await invoice()).toMatchObject({ paidCents: amountCents, state: 'paid' });
      expectRefusal(await advance({ payment: {} }), 409, 'MILESTONE_REFUSED');
      expectRefusal(await advance({ payment: { paymentId: 'bank-1', amountCents: 101 } }), 409, 'MILESTONE_ID_REUSED');
      for (const paymentId of ['bank-1', 'bank-1', 'TEST-2']) expect((await advance({ reversePayment: paymentId })).status).toBe(200);
      expectRefusal(await advance({ reversePayment: 'bank-9' }), 409, 'MILESTONE_REFUSED');
      expect(await invoice()).toMatchObject({ paidCents: 0, state: 'open' });
      expect((await trader.trade.post(`/orders/${orderId}/cancel`)).json.data.status).toBe('cancelled');
      const entries = await sql(service, 'SELECT DISTINCT environment FROM ledger_entries WHERE account_id = $1', [trader.accountId]);
      expect(entries).toEqual([{ environment: 'test' }]);
      expect(await findAuditEntries(service, orderId)).toEqual([]);
    });

    it('a remake appears on its original, advances independently, and sends no event', async () => {
      await to('shipped');
      expect((await advance({ remake: {} })).json.data).toMatchObject({
        status: 'shipped',
        remakes: [{ status: 'received', shipments: [] }],
      });
      const named = { remakeId: 'complaint-7', lines: [{ line: 0, quantity: 1 }], reason: 'scratched' };
      for (let time = 0; time < 2; time += 1) expect((await advance({ remake: named })).json.data.remakes).toHaveLength(2);
      expectRefusal(await advance({ remake: { ...named, reason: 'bent' } }), 409, 'MILESTONE_ID_REUSED');
      const moved = await advance({ ofRemake: 1, to: 'shipped' });
      expect(moved.json.data).toMatchObject({
        status: 'shipped',
        remakes: [{ status: 'received' }, { status: 'shipped', shipments: [{ carrier: 'Test carrier' }] }],
      });
      expect((await advance({ ofRemake: 1, to: 'shipped' })).json.data).toEqual(moved.json.data);
      const [{ trackingNumber }] = moved.json.data.remakes[1].shipments;
      expect((await advance({ ofRemake: 1, voidParcel: trackingNumber })).json.data.remakes[1]).toEqual({
        status: 'in_production',
        shipments: [],
      });
      expectRefusal(await advance({ ofRemake: 1, payment: {} }), 409, 'MILESTONE_REFUSED');
      expectRefusal(await advance({ ofRemake: 1, remake: {} }), 409, 'MILESTONE_REFUSED');
      expect((await advance({ ofRemake: 0, printed: true })).status).toBe(200);
      expect(await readEventTypes()).toEqual(['order.received', 'order.in_production', 'order.shipped']);
      const studio = (await service.studio().get(`/orders/${orderId}`)).json.data;
      expect(studio.remakes.map(({ remakeId, reason }: any) => [remakeId, reason])).toEqual([
        ['TEST-1', 'test'],
        ['complaint-7', 'scratched'],
      ]);
    });

    it('a cancelled order cannot be remade', async () => {
      await to('cancelled');
      expectRefusal(await advance({ remake: {} }), 409, 'MILESTONE_REFUSED');
    });

    it('eight concurrent requests have one effect, without an error or a second parcel', async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, () => advance({ to: 'shipped' })));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      expect((await trader.trade.get(`/orders/${orderId}`)).json.data.shipments).toHaveLength(1);
      expect(await readEventTypes()).toEqual(['order.received', 'order.in_production', 'order.shipped']);
    });

    it('concurrent requests for different statuses each get the result or a refusal, and no internal error', async () => {
      const wanted = ['on_hold', 'completed', 'in_production', 'cancelled', 'shipped', 'received'];
      const replies = await Promise.all(wanted.map((status) => advance({ to: status })));
      for (const { status, json } of replies)
        expect([status, json.error?.code]).toEqual(status === 200 ? [200, undefined] : [409, 'MILESTONE_REFUSED']);
      expect(replies.some(({ status }) => status === 200)).toBe(true);
    });
  });

  it('signals with such an id are refused, and the studio API refuses it', async () => {
    const handle = await startedOrder(service, orderId);
    await handle.signal(milestone, { milestoneId: 'advance:1:held', type: 'held' });
    const studio = await service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'advance:1:held', type: 'held' });
    expect([studio.status, studio.json.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    const [refused] = await waitFor('the refusal in the timeline', async () => {
      const found = await sql<{ outcome: string; actor: string }>(
        service,
        'SELECT outcome, actor FROM order_timeline WHERE order_id = $1',
        [orderId],
      );
      return found.length > 0 && found;
    });
    expect(refused).toMatchObject({ outcome: 'refused', actor: expect.stringContaining('signal') });
    expect((await trader.trade.get(`/orders/${orderId}`)).json.data.status).toBe('received');
  });
});
