import { useFixture, useSharedService } from '../../../support/fixtures';
import { aToken, findAuditEntries, findEventTypes, OrderFactory, sendMilestone } from './support';
/** The messages that lead to each state. */
const STATES: Record<string, string[]> = {
  received: [],
  in_production: ['production_started'],
  'on_hold from received': ['held'],
  cancelled: ['cancelled'],
  'shipped, base received': ['parcel'],
  'shipped, base in_production': ['production_started', 'parcel'],
};
// One case of each kind. `test/unit/domain/order-status.test.ts` has every state and milestone.
const TRANSITIONS: [state: string, milestone: string, status: string, baseStatus: string, events: string[]][] = [
  ['received', 'production_started', 'in_production', 'in_production', ['order.in_production']],
  ['in_production', 'printed', 'in_production', 'in_production', []],
  ['on_hold from received', 'released', 'received', 'received', ['order.received']],
  ['cancelled', 'cancelled', 'cancelled', 'cancelled', []],
  ['shipped, base in_production', 'cancelled', 'shipped', 'cancelled', []],
];
const REFUSALS: [state: string, milestone: string, reason: RegExp][] = [
  ['received', 'released', /not on hold/],
  ['cancelled', 'printed', /is cancelled/],
  ['shipped, base received', 'completed', /has not started production/],
];

describe('POST /orders/{id}/milestones', () => {
  const service = useSharedService();
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor', { name: 'Press 2' })));
  const orders = useFixture(() => new OrderFactory(service));

  async function orderInState(state: string): Promise<string> {
    const { orderId } = await orders.place();
    for (const step of STATES[state] ?? []) {
      const reply =
        step === 'parcel'
          ? await floor.post(`/orders/${orderId}/parcels`, { parcelId: 'box-1', trackingNumber: 'TRACK-1' })
          : await sendMilestone(floor, orderId, step);
      expect(reply.status).toBe(200);
    }
    return orderId;
  }

  describe('States', () => {
    it.each(TRANSITIONS)('%s: %s gives %s, base %s, and emits %j', async (state, type, status, baseStatus, events) => {
      const orderId = await orderInState(state);
      const before = await findEventTypes(service, orderId);
      const reply = await sendMilestone(floor, orderId, type);
      const news = (await findEventTypes(service, orderId)).slice(before.length);
      expect([reply.status, reply.json.data.status, reply.json.data.baseStatus, news]).toEqual([200, status, baseStatus, events]);
    });
    it.each(REFUSALS)('%s: %s is refused, %p, and emits nothing', async (state, type, reason) => {
      const orderId = await orderInState(state);
      const before = await findEventTypes(service, orderId);
      const reply = await sendMilestone(floor, orderId, type);
      expect(reply.json).toMatchObject({ data: null, error: { code: 'MILESTONE_REFUSED', message: expect.stringMatching(reason) } });
      expect([reply.status, await findEventTypes(service, orderId)]).toEqual([409, before]);
    });
  });

  describe('Auth', () => {
    it('a floor token is sufficient, and no token is 401', async () => {
      const { orderId } = await orders.place();
      expect((await sendMilestone(service.studio('lps_unknown'), orderId, 'printed')).status).toBe(401);
      expect((await sendMilestone(floor, orderId, 'printed')).status).toBe(200);
    });
  });

  describe('Errors', () => {
    it.each([
      ['unknown', 'ord_00'],
      ['not hex', 'ord_unknown'],
      ['U+0000', '%00'],
      ['badly encoded', '%zz'],
      ['10 kB', `ord_${'0'.repeat(10_000)}`],
    ])('an order id that is %s is 404', async (_title, id) => {
      expect((await sendMilestone(floor, id, 'printed')).json.error?.code).toBe('NOT_FOUND');
    });
    it('the same id with another content is 409 MILESTONE_ID_REUSED and changes nothing', async () => {
      const { orderId } = await orders.place();
      await sendMilestone(floor, orderId, 'held', { milestoneId: 'one' });
      for (const other of [{ type: 'released' }, { type: 'held', note: 'why' }, { type: 'held', occurredAt: '2026-01-01T00:00:00Z' }]) {
        const reply = await floor.post(`/orders/${orderId}/milestones`, { milestoneId: 'one', ...other });
        expect(reply.json.error?.code).toBe('MILESTONE_ID_REUSED');
        expect(reply.status).toBe(409);
      }
      expect((await floor.get(`/orders/${orderId}`)).json.data.status).toBe('on_hold');
    });
  });

  describe('Success', () => {
    it('a repeat of an id is 200 with the current order, applied and audited once', async () => {
      const { orderId } = await orders.place();
      const body = { milestoneId: 'again', type: 'held', note: 'paper is late', occurredAt: '2026-01-31T10:30:00+10:00' };
      await floor.post(`/orders/${orderId}/milestones`, body);
      await sendMilestone(floor, orderId, 'released');
      const repeats = await Promise.all([1, 2, 3].map(() => floor.post(`/orders/${orderId}/milestones`, body)));
      expect(repeats.map(({ status, json }) => [status, json.data.status])).toEqual([
        [200, 'received'],
        [200, 'received'],
        [200, 'received'],
      ]);
      expect(await findEventTypes(service, orderId)).toEqual(['order.received', 'order.on_hold', 'order.received']);
      expect((await findAuditEntries(service, orderId)).map(({ action }) => action)).toEqual(['milestone.held', 'milestone.released']);
    });
    it('a repeat may omit fields that were null', async () => {
      const { orderId } = await orders.place();
      await floor.post(`/orders/${orderId}/milestones`, { milestoneId: 'n', type: 'held', note: null, occurredAt: null });
      expect((await floor.post(`/orders/${orderId}/milestones`, { milestoneId: 'n', type: 'held', note: '' })).status).toBe(200);
      expect((await floor.post(`/orders/${orderId}/milestones`, { milestoneId: 'n', type: 'held' })).status).toBe(200);
    });
    it('the timeline has actor, time and note, and the audit log has before and after', async () => {
      const { orderId } = await orders.place();
      const reply = await floor.post(
        `/orders/${orderId}/milestones`,
        { milestoneId: 'm-1', type: 'held', note: 'paper is late', occurredAt: '2026-01-31T10:30:00+10:00' },
        { 'service-request-id': 'floor-request-1' },
      );
      expect(reply.json.data.timeline).toEqual([
        {
          milestoneId: 'm-1',
          type: 'held',
          outcome: 'applied',
          sendState: null,
          reason: null,
          note: 'paper is late',
          corrects: null,
          carried: {},
          change: null,
          correctable: true,
          lines: null,
          undoableUntil: expect.stringMatching(/Z$/),
          actor: 'Press 2',
          occurredAt: '2026-01-31T00:30:00.000Z',
          recordedAt: expect.stringMatching(/Z$/),
        },
      ]);
      const facts = { printed: false, liveParcels: 0, paidCents: 0 };
      expect(await findAuditEntries(service, orderId)).toMatchObject([
        {
          actor: 'Press 2',
          actor_id: expect.stringMatching(/^tok_/),
          action: 'milestone.held',
          subject: orderId,
          request_id: 'floor-request-1',
          before: { status: 'received', baseStatus: 'received', facts },
          after: { status: 'on_hold', baseStatus: 'on_hold', facts, milestoneId: 'm-1', type: 'held', note: 'paper is late' },
        },
      ]);
    });
    it('a refused milestone leaves no audit row', async () => {
      const { orderId } = await orders.place();
      await sendMilestone(floor, orderId, 'released');
      expect(await findAuditEntries(service, orderId)).toEqual([]);
    });
    it('a test order accepts milestones', async () => {
      const { orderId } = await new OrderFactory(service, 'test').place();
      expect((await sendMilestone(floor, orderId, 'production_started')).json.data).toMatchObject({
        status: 'in_production',
        isTest: true,
      });
    });
    it("the studio's cancel voids the invoice also of a printed or paid order", async () => {
      const { orderId } = await orders.place();
      await sendMilestone(floor, orderId, 'printed');
      await service.studio().post(`/orders/${orderId}/payments`, { paymentId: 'p-1', amountCents: 100 });
      const reply = await sendMilestone(floor, orderId, 'cancelled');
      expect(reply.json.data).toMatchObject({
        status: 'cancelled',
        invoice: { state: 'void' },
        cancellable: { now: false, blockers: ['printed', 'money', 'cancelled'] },
      });
    });
  });
});
