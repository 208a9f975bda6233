import type { OrderMessage } from '../../../src/domain/order-messages';
import { anOrder } from '../../support/baskets';
import { sendAsStudio } from '../../support/order-messages';
import { useSharedService } from '../../support/fixtures';
import { aTrader, anotherKey, expectRefusal, countRows, sql, expectNothingStored } from './support';

type StudioMessage = Record<string, unknown> & { type: OrderMessage['type'] };

describe('POST /orders/{id}/cancel', () => {
  const service = useSharedService();

  /** Places an order and sends milestones of the studio in sequence. */
  async function anOrderWith(...messages: StudioMessage[]) {
    const trader = await aTrader(service);
    const order = await anOrder(trader.trade);
    for (const [index, fact] of messages.entries()) {
      await sendAsStudio(service, order.orderId, { milestoneId: `m${index}`, ...fact } as unknown as OrderMessage);
    }
    return { ...trader, order, cancel: () => trader.trade.post(`/orders/${order.orderId}/cancel`) };
  }
  const parcel: StudioMessage = { type: 'parcel_added', parcelId: 'p1', trackingNumber: 'T1' };
  const payment: StudioMessage = { type: 'payment_recorded', paymentId: 'pay1', amountCents: 1 };

  describe('Validation', () => {
    test.each<[string, string | Buffer | undefined, Record<string, string>]>([
      ['no body', undefined, {}],
      ['an empty body', '', {}],
      ['3 MiB', 'x'.repeat(3 * 1024 * 1024), {}],
      [
        'invalid UTF-8 under another content type and encoding',
        Buffer.from([0xff, 0xfe]),
        { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
      ],
    ])('%s is ignored: 200', async (_name, body, headers) => {
      const { trade, order } = await anOrderWith();
      const reply = await trade.send('POST', `/orders/${order.orderId}/cancel`, body, headers);
      expect([reply.status, reply.json.data?.status]).toEqual([200, 'cancelled']);
    });
  });

  it('a repeated Service-Request-Id gets the answer of its own time', async () => {
    const { trade, order } = await anOrderWith();
    const cancel = () => trade.send('POST', `/orders/${order.orderId}/cancel`, undefined, { 'service-request-id': 'my-cancel-1' });
    expect((await cancel()).json.data.status).toBe('cancelled');
    await sendAsStudio(service, order.orderId, parcel as unknown as OrderMessage);
    expectRefusal(await cancel(), 409, 'ORDER_NOT_CANCELLABLE');
  });

  describe('Errors', () => {
    test.each<[string, StudioMessage[], string[]]>([
      ['all three', [{ type: 'production_started' }, { type: 'printed' }, payment, parcel], ['shipped', 'printed', 'money']],
      ['a completed order that was printed', [{ type: 'production_started' }, { type: 'printed' }, { type: 'completed' }], ['printed']],
      ['cancelled by the studio, with a later parcel', [{ type: 'cancelled' }, parcel], ['shipped']],
      ['one of two parcels voided', [parcel, { ...parcel, parcelId: 'p2' }, { type: 'parcel_voided', parcelId: 'p1' }], ['shipped']],
    ])('%s: 409 ORDER_NOT_CANCELLABLE whose message names each', async (_name, facts, named) => {
      const { accountId, trade, order, cancel } = await anOrderWith(...facts);
      const told = (await trade.get(`/orders/${order.orderId}`)).json.data;
      const isCancelled = facts.some(({ type }) => type === 'cancelled'); // earlier, by the studio
      expect(told.cancellable).toEqual({ now: false, blockers: isCancelled ? [...named, 'cancelled'] : named });
      expect((await trade.get('/orders')).json.data).toEqual([told]);
      await expectNothingStored(service, accountId, async () => {
        const reply = await cancel();
        expectRefusal(reply, 409, 'ORDER_NOT_CANCELLABLE');
        const said = ['shipped', 'printed', 'money'].filter((word) => reply.json.error?.message.includes(word));
        expect(said).toEqual(named);
      });
      expect((await trade.get(`/orders/${order.orderId}`)).json.data).toEqual(told);
      expect(await sql(service, 'SELECT voided_at IS NOT NULL AS voided FROM invoices WHERE order_id = $1', [order.orderId])).toEqual([
        { voided: isCancelled },
      ]);
    });

    it('a cancelled order with a live parcel reads shipped, and after voiding the parcel a cancel is 200 without an effect', async () => {
      const { cancel } = await anOrderWith({ type: 'cancelled' }, parcel, { type: 'parcel_voided', parcelId: 'p1' });
      expect((await cancel()).json).toMatchObject({ data: { status: 'cancelled' }, error: null });
    });
  });

  describe('Success', () => {
    it('returns the cancelled order, voids the invoice, emits one event and changes nothing else', async () => {
      const { trade, accountId, order, cancel } = await anOrderWith();
      const reply = await cancel();
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({
        data: {
          ...order,
          status: 'cancelled',
          cancellable: { now: false, blockers: ['cancelled'] },
          cancelledAt: expect.stringMatching(/Z$/),
        },
        error: null,
      });
      expect((await trade.get(`/orders/${order.orderId}`)).text).toBe(reply.text);
      expect(
        await sql(service, 'SELECT voided_at IS NOT NULL AS void, paid_cents FROM invoices WHERE order_id = $1', [order.orderId]),
      ).toEqual([{ void: true, paid_cents: 0 }]);
      const events = await sql<{ type: string; body: string }>(
        service,
        'SELECT type, body FROM order_events WHERE order_id = $1 ORDER BY sequence',
        [order.orderId],
      );
      expect(events.map(({ type }) => type)).toEqual(['order.received', 'order.cancelled']);
      expect(JSON.parse(events[1]?.body ?? '')).toMatchObject({ type: 'order.cancelled', sequence: 2, data: reply.json.data });
      expect(await countRows(service, accountId)).toMatchObject({ orders: 1, invoices: 1 });
    });

    it('a second cancel is 200 without a second event or void', async () => {
      const { accountId, order, cancel } = await anOrderWith();
      const first = await cancel();
      const [invoice] = await sql(service, 'SELECT voided_at FROM invoices WHERE order_id = $1', [order.orderId]);
      await expectNothingStored(service, accountId, async () => {
        const second = await cancel();
        expect([second.status, second.text]).toEqual([200, first.text]);
      });
      expect(await sql(service, 'SELECT voided_at FROM invoices WHERE order_id = $1', [order.orderId])).toEqual([invoice]);
    });

    it('two cancels with one Service-Request-Id are two requests: both 200, each on its own order', async () => {
      const one = await anOrderWith();
      const two = await anOrder(one.trade);
      const headers = { 'service-request-id': 'the-same' };
      for (const { orderId } of [one.order, two])
        expect((await one.trade.post(`/orders/${orderId}/cancel`, undefined, headers)).json.data.status).toBe('cancelled');
    });

    test.each<[string, StudioMessage[]]>([
      ['completed, never printed', [{ type: 'production_started' }, { type: 'completed' }]],
      ['whose only parcel was voided', [parcel, { type: 'parcel_voided', parcelId: 'p1' }]],
      ['whose payment was reversed', [payment, { type: 'payment_reversed', paymentId: 'pay1', reason: 'bounced' }]],
    ])('an order %s can be cancelled, because facts decide and not the status', async (_name, facts) => {
      const { trade, order, cancel } = await anOrderWith(...facts);
      expect((await trade.get(`/orders/${order.orderId}`)).json.data.cancellable).toEqual({ now: true, blockers: [] });
      const reply = await cancel();
      expect([reply.status, reply.json.data?.status]).toEqual([200, 'cancelled']);
    });

    it('an order that the studio cancelled after a parcel left stays shipped, shows cancelledAt and sends no event', async () => {
      const { trade, order } = await anOrderWith(parcel, { type: 'cancelled' });
      const shipped = (await trade.get(`/orders/${order.orderId}`)).json.data;
      expect(shipped).toMatchObject({ status: 'shipped', cancelledAt: expect.stringMatching(/Z$/) });
      const events = await sql<{ type: string }>(service, 'SELECT type FROM order_events WHERE order_id = $1 ORDER BY sequence', [
        order.orderId,
      ]);
      expect(events.map(({ type }) => type)).toEqual(['order.received', 'order.shipped']);
      await sendAsStudio(service, order.orderId, { type: 'parcel_voided', parcelId: 'p1' });
      const voided = (await trade.get(`/orders/${order.orderId}`)).json.data;
      expect(voided).toMatchObject({ status: 'cancelled', cancelledAt: shipped.cancelledAt });
    });

    it('an order that the studio cancelled is 200 without an effect', async () => {
      const { accountId, cancel } = await anOrderWith({ type: 'printed' }, { type: 'cancelled' });
      await expectNothingStored(service, accountId, async () => {
        expect((await cancel()).json).toMatchObject({ data: { status: 'cancelled' }, error: null });
      });
    });

    it('does not release the quote', async () => {
      const { trade, order, cancel } = await anOrderWith();
      await cancel();
      expect((await trade.get(`/quotes/${order.quoteId}`)).json.data.consumedAt).toBe(order.createdAt);
    });

    it('works with any key of the account that has the scope', async () => {
      const { accountId, order } = await anOrderWith();
      const other = await anotherKey(service, accountId, { scopes: ['orders:write'] });
      expect((await other.post(`/orders/${order.orderId}/cancel`)).json.data.status).toBe('cancelled');
    });
  });
});
