import { ACTION_TYPES, type OrderAction } from '../../../../src/domain/order-actions';
import { aToken, findEventTypes, OrderFactory, sendMilestone } from './support';
import { anEndpoint } from '../../../support/endpoints';
import type { Reply } from '../../../support/client';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';

/** The messages that lead to each state. */
const STATES: Record<string, string[]> = {
  received: [],
  started: ['production_started'],
  'in production, printed, paid and shipped': ['production_started', 'printed', 'payment', 'parcel'],
  cancelled: ['cancelled'],
  held: ['held'],
};

describe('additional fields of GET /orders/{id}', () => {
  const service = useSharedService();
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  const orders = useFixture(() => new OrderFactory(service));
  let endpointId: string;
  beforeAll(async () => {
    ({ id: endpointId } = await anEndpoint(service.deps.database, service.account.accountId, 'https://receiver.invalid/', 'live'));
  });

  const readOrder = async (orderId: string) => (await office.get(`/orders/${orderId}`)).json.data;
  let last = 0;
  const addParcel = (orderId: string) =>
    office.post(`/orders/${orderId}/parcels`, { parcelId: `p-${(last += 1)}`, trackingNumber: `AP-${last}` });
  const recordPayment = (orderId: string) =>
    office.post(`/orders/${orderId}/payments`, { paymentId: `pay-${(last += 1)}`, amountCents: 1 });

  async function orderInState(state: string): Promise<string> {
    const { orderId } = await orders.place();
    for (const step of STATES[state] ?? []) {
      const reply =
        step === 'parcel'
          ? await addParcel(orderId)
          : step === 'payment'
            ? await recordPayment(orderId)
            : await sendMilestone(office, orderId, step);
      expect(reply.status).toBe(200);
    }
    return orderId;
  }

  /** The request of an action on this order; null if the order has no object to name. */
  async function performAction(type: OrderAction['type'], orderId: string): Promise<Reply | null> {
    const { parcels, payments, timeline } = await readOrder(orderId);
    switch (type) {
      case 'corrected': {
        const latest = timeline.findLast(
          (entry: { type: string }) => !['cancelled', 'parcel_added', 'payment_recorded'].includes(entry.type),
        );
        const path = `/orders/${orderId}/milestones/${encodeURIComponent(latest?.milestoneId)}/correct`;
        return latest === undefined ? null : office.post(path, { reason: 'by mistake' });
      }
      case 'parcel_added':
        return addParcel(orderId);
      case 'parcel_voided':
        return parcels.length === 0 ? null : office.send('DELETE', `/orders/${orderId}/parcels/${parcels[0].parcelId}`);
      case 'payment_recorded':
        return recordPayment(orderId);
      case 'payment_reversed':
        return payments.length === 0
          ? null
          : office.post(`/orders/${orderId}/payments/${payments[0].paymentId}/reverse`, { reason: 'bounced' });
      case 'credit_noted':
      case 'credit_note_reversed':
        return null; // tested separately with an invoice and a note
      case 'changed':
        return office.post(`/orders/${orderId}/changes`, { changeId: 'c', specialInstructions: 'ring' });
      case 'remake':
        return office.post(`/orders/${orderId}/remakes`, { remakeId: 'r', lines: [{ line: 0, quantity: 1 }], reason: 'torn' });
      case 'artwork_fitted':
        return office.post(`/orders/${orderId}/lines/0/fit`, { fitId: 'f', fit: 'fill' });
      case 'artwork_rejected':
        return sendMilestone(office, orderId, type, { line: 0, reason: 'cut off' });
      default:
        return sendMilestone(office, orderId, type);
    }
  }

  describe('actions', () => {
    it.each(['in production, printed, paid and shipped', 'cancelled'])(
      'of an order that is %s: allowed actions work with the announced event, and others are refused with the given reason',
      async (state) => {
        const judged = await orderInState(state);
        const actions: OrderAction[] = (await readOrder(judged)).actions;
        expect(actions.map(({ type }) => type)).toEqual([...ACTION_TYPES]);
        const fresh = await Promise.all(actions.filter(({ allowed }) => allowed).map(() => orderInState(state)));
        for (const { type, allowed, reason, eventType } of actions) {
          const orderId = allowed ? String(fresh.pop()) : judged; // a refused action does not change the order
          const before = await findEventTypes(service, orderId);
          const reply = await performAction(type, orderId);
          if (reply === null) continue;
          const news = (await findEventTypes(service, orderId)).slice(before.length);
          expect([type, reply.status < 300, news]).toEqual([type, allowed, eventType === null ? [] : [eventType]]);
          if (!allowed) expect(reply.json.error?.message).toContain(reason);
        }
      },
    );
    it('mark actions without effect, and name no trial data', async () => {
      const actionsInState = async (state: string): Promise<Record<string, OrderAction>> =>
        Object.fromEntries((await readOrder(await orderInState(state))).actions.map((action: OrderAction) => [action.type, action]));
      const shipped = await actionsInState('in production, printed, paid and shipped');
      expect(shipped.production_started).toEqual({
        type: 'production_started',
        allowed: true,
        reason: 'nothing would change',
        eventType: null,
      });
      expect(shipped.parcel_voided).toMatchObject({ allowed: true, reason: null, eventType: 'order.in_production' });
      expect(shipped.parcel_added).toMatchObject({ allowed: true, eventType: 'order.shipped' });
      expect((await actionsInState('received')).parcel_voided).toMatchObject({
        allowed: false,
        reason: 'there is no parcel to void on this order',
      });
      const held = await orderInState('received');
      for (const reason of ['first', 'second']) await sendMilestone(office, held, 'held', { reason });
      const { actions, issues } = await readOrder(held);
      expect(issues).toMatchObject([{ code: 'ON_HOLD', message: 'second' }]);
      const tried = Object.fromEntries(actions.map((action: OrderAction) => [action.type, action]));
      expect([tried.held, tried.corrected]).toMatchObject([
        { allowed: true, reason: null },
        { allowed: true, reason: null },
      ]);
      expect((await actionsInState('cancelled')).remake).toMatchObject({ allowed: false, reason: expect.stringMatching(/is cancelled$/) });
    });
    it('of a remake send no event, and exclude payments and credit notes', async () => {
      const { orderId } = await orders.place();
      const remake = (await performAction('remake', orderId))?.json.data;
      const actions: OrderAction[] = (await readOrder(remake.orderId)).actions;
      expect(actions.map(({ eventType }) => eventType)).toEqual(actions.map(() => null));
      expect(actions.filter(({ allowed }) => !allowed).map(({ type, reason }) => [type, reason])).toEqual([
        ...['framed', 'checked', 'ready', 'released'].map((type) => [type, expect.any(String)]),
        ['artwork_rejected', expect.stringContaining('is a remake')],
        ['completed', expect.any(String)],
        ['corrected', 'there is no milestone to undo on this order'],
        ['parcel_voided', expect.any(String)],
        ['payment_recorded', 'nothing is charged for this order, so there is nothing to pay'],
        ['payment_reversed', 'there is no payment to reverse on this order'],
        ['credit_noted', 'the credit note is 0.01, but only 0.00 of the invoice can be credited'],
        ['credit_note_reversed', 'there is no credit note to reverse on this order'],
        ['changed', expect.stringContaining('is a remake')],
        ['remake', expect.stringContaining('is itself a remake')],
      ]);
      const rejected = await performAction('artwork_rejected', remake.orderId);
      expect([rejected?.status, rejected?.json.error?.code]).toEqual([409, 'MILESTONE_REFUSED']);
      expect(rejected?.json.error?.message).toContain(actions.find(({ type }) => type === 'artwork_rejected')?.reason);
    });
  });

  it('webhookEndpoints: the endpoints of the account in this environment, with the events that each gets', async () => {
    const { accountId } = service.account;
    const [live, test] = [await orders.place(), await new OrderFactory(service, 'test').place()];
    const readEndpoints = async ({ orderId }: { orderId: string }) =>
      (await service.studio(await aToken(service, 'floor')).get(`/orders/${orderId}`)).json.data.webhookEndpoints;
    const all = { state: 'enabled', eventTypes: null };
    expect([await readEndpoints(live), await readEndpoints(test)]).toEqual([[all], []]);
    const [listed] = (await office.get(`/orders?q=${live.orderNumber}`)).json.data;
    expect(listed.webhookEndpoints).toEqual([all]);
    const other = await anEndpoint(service.deps.database, accountId, 'https://other.invalid/', 'live');
    await office.send('PATCH', `/webhook-endpoints/${other.id}`, { eventTypes: ['order.on_hold'] });
    expect(await readEndpoints(live)).toEqual([all, { state: 'enabled', eventTypes: ['order.on_hold'] }]);
    await office.post(`/webhook-endpoints/${other.id}/disable`, {});
    expect(await readEndpoints(live)).toEqual([all, { state: 'disabled', eventTypes: ['order.on_hold'] }]);
    await sendMilestone(office, live.orderId, 'held');
    const { deliveries } = (await readOrder(live.orderId)).events.find(({ type }: { type: string }) => type === 'order.on_hold');
    expect(deliveries.map(({ endpointId: id, state }: { endpointId: string; state: string }) => [id, state])).toEqual(
      expect.arrayContaining([[endpointId, expect.not.stringMatching('held')], [other.id, 'held']]), // prettier-ignore
    );
    await office.send('DELETE', `/webhook-endpoints/${other.id}`);
    expect(await readEndpoints(live)).toEqual([all]);
  });

  describe('events', () => {
    it('are newest first, each with its deliveries', async () => {
      const orderId = await orderInState('started'); // without an issue, whose event has no delivery
      const deliveries = [{ id: expect.stringMatching(/^dlv_/), endpointId, state: expect.any(String), attemptCount: expect.any(Number), nextAttemptAt: null, completedAt: null }]; // prettier-ignore
      const { events } = await waitFor('the attempts', async () => {
        const view = await readOrder(orderId);
        return (
          view.events.every((event: { deliveries: { attemptCount: number }[] }) => Number(event.deliveries[0]?.attemptCount) >= 1) && view
        );
      });
      expect(events).toEqual([
        { id: expect.stringMatching(/^evt_/), type: 'order.in_production', sequence: 2, createdAt: expect.any(String), deliveries: [{ ...deliveries[0], nextAttemptAt: expect.any(String) }] }, // prettier-ignore
        { id: expect.stringMatching(/^evt_/), type: 'order.received', sequence: 1, createdAt: expect.any(String), deliveries: [{ ...deliveries[0], nextAttemptAt: expect.any(String) }] }, // prettier-ignore
      ]);
    });
    it('are limited to fifty', async () => {
      const { orderId } = await orders.place();
      await service.deps.database.run(
        `INSERT INTO order_events SELECT (jsonb_populate_record(NULL::order_events, to_jsonb(e) || jsonb_build_object('id', e.id || n, 'sequence', 1 + n, 'feed_position', NULL))).*
           FROM order_events e, generate_series(1, 60) n WHERE e.order_id = $1`,
        [orderId],
      );
      const { events } = await readOrder(orderId);
      expect([events.length, events[0].sequence, events.at(-1).sequence]).toEqual([50, 61, 12]);
    });
  });

  describe('the timeline', () => {
    it('shows the content of each entry and the reason of a refusal', async () => {
      const { orderId } = await orders.place();
      const lines = [{ line: 0, quantity: 1 }];
      await office.post(`/orders/${orderId}/parcels`, {
        parcelId: 'box',
        trackingNumber: 'AP-1',
        carrier: 'Post',
        trackingUrl: 'https://post.example/AP-1',
        lines,
      });
      await office.post(`/orders/${orderId}/payments`, { paymentId: 'bank-1', amountCents: 7, reference: 'EFT 9' });
      await sendMilestone(office, orderId, 'held', { note: 'paper is late' });
      const handle = service.deps.temporal.client.workflow.getHandle(`order/${orderId}`);
      await handle.signal('milestone', { type: 'parcel_added', parcelId: 'box', trackingNumber: 'AP-2', carrier: 17 });
      const timeline = await waitFor('the refusal', async () => {
        const view = await readOrder(orderId);
        return view.timeline.length === 4 && view.timeline;
      });
      expect(timeline).toMatchObject([
        { type: 'parcel_added', reason: null, carried: { parcelId: 'box', trackingNumber: 'AP-1', carrier: 'Post', trackingUrl: 'https://post.example/AP-1', lines } }, // prettier-ignore
        { type: 'payment_recorded', carried: { paymentId: 'bank-1', amountCents: 7, reference: 'EFT 9' } },
        { type: 'held', note: 'paper is late' },
        { outcome: 'refused', reason: expect.any(String) },
      ]);
      expect(timeline.map((entry: { carried: object }) => Object.keys(entry.carried).toSorted()).slice(2)).toEqual([
        [],
        ['parcelId', 'trackingNumber'],
      ]);
    });
  });
});
