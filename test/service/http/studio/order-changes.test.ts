import { anAddress, anIdempotencyKeyHeader, anOrder } from '../../../support/baskets';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { aTrader, expectRefusal, expectValidationPaths, type Trader } from '../support';
import { aToken, findAuditEntries, findEventTypes, sendMilestone } from './support';

const NEW_ADDRESS = anAddress({ name: 'Grace Newhome', line1: '9 Moved Road', city: 'Carlton', postcode: '3053' });
const DARWIN = anAddress({ city: 'Darwin', state: 'NT', postcode: '0800' });

describe('POST /studio/v1/orders/{id}/changes', () => {
  const service = useSharedService();
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Olive Office' })));
  let trader: Trader;
  let order: any;
  beforeEach(async () => {
    trader = await aTrader(service);
    order = await anOrder(trader.trade, { reference: 'PO-1' });
  });

  const change = (changeId: string, body: object, orderId: string = order.orderId) =>
    office.post(`/orders/${orderId}/changes`, { changeId, ...body });
  const changeAsClient = (body: object) => trader.trade.send('PATCH', `/orders/${order.orderId}`, body, anIdempotencyKeyHeader());
  const readOrder = async () => {
    const { status, reference, timeline, job } = (await office.get(`/orders/${order.orderId}`)).json.data;
    return { status, reference, timeline, shippingAddress: job.shippingAddress };
  };

  it('changes recipient, address, reference and instructions without an event, and keeps the address out of the audit log', async () => {
    const changed = await change('phone-1', { shippingAddress: NEW_ADDRESS, reference: 'PO-2', specialInstructions: 'ring twice' });
    expect(changed.status).toBe(200);
    expect(changed.json.data).toMatchObject({
      reference: 'PO-2',
      job: { shippingAddress: NEW_ADDRESS, specialInstructions: 'ring twice' },
      timeline: [
        {
          type: 'changed',
          actor: 'Olive Office',
          correctable: false,
          change: {
            before: { shippingAddress: anAddress(), reference: 'PO-1', specialInstructions: null },
            after: { shippingAddress: NEW_ADDRESS, reference: 'PO-2', specialInstructions: 'ring twice' },
          },
        },
      ],
    });
    expect((await trader.trade.get(`/orders/${order.orderId}`)).json.data).toEqual({ ...order, reference: 'PO-2' });
    expect(await findEventTypes(service, order.orderId)).toEqual(['order.received']);
    const entries = await findAuditEntries(service, order.orderId);
    expect(entries).toMatchObject([{ action: 'order.change', actor: 'Olive Office', after: { changeId: expect.stringMatching(/^chg_/) } }]);
    expect(JSON.stringify(entries)).not.toMatch(/Moved Road|Grace|PO-2/);
  });

  it('repeats an id with the same fields without effect, and refuses it with others', async () => {
    const body = { reference: 'PO-2' };
    await change('again', body);
    await change('later', { reference: 'PO-3' });
    const repeats = await Promise.all(Array.from({ length: 4 }, () => change('again', body)));
    expect(repeats.map(({ status, json }) => [status, json.data.reference])).toEqual(repeats.map(() => [200, 'PO-3']));
    expect((await readOrder()).timeline).toHaveLength(2);
    const reused = await change('again', { reference: 'PO-9' });
    expectRefusal(reused, 409, 'MILESTONE_ID_REUSED');
    expect(reused.json.error?.message).toContain('the id again was used for another change of this order');
    const other = await anOrder(trader.trade);
    expect((await change('again', { reference: 'PO-9' }, other.orderId)).json.data.reference).toBe('PO-9');
  });

  it('is one change for many equal concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => change('at-once', { shippingAddress: NEW_ADDRESS })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await readOrder()).timeline).toHaveLength(1);
  });

  it.each<[string, () => Promise<object>]>([
    ['an address with another price', () => Promise.resolve({ shippingAddress: DARWIN })],
    [
      'an order in production',
      async () => {
        await sendMilestone(office, order.orderId, 'production_started');
        return { shippingAddress: NEW_ADDRESS };
      },
    ],
    ['an undeliverable address', () => Promise.resolve({ shippingAddress: { ...NEW_ADDRESS, postcode: '305' } })],
    ['a long reference', () => Promise.resolve({ reference: 'x'.repeat(129) })],
    ['an unknown line', () => Promise.resolve({ lines: [{ line: 1, externalReference: 'x' }] })],
  ])('refuses %s with the words of PATCH /v1/orders/{id}, and changes nothing', async (_what, prepare) => {
    const body = await prepare();
    const before = await readOrder();
    const [ofStudio, ofClient] = [await change('refused', body), await changeAsClient(body)];
    expect(ofStudio.status).toBeGreaterThanOrEqual(400);
    expect([ofStudio.status, ofStudio.json]).toEqual([ofClient.status, ofClient.json]);
    expect(await readOrder()).toEqual(before);
    expect((await change('refused', { specialInstructions: 'x' })).status).toBe(before.status === 'received' ? 200 : 409); // the id is free
  });

  it('names the difference in price, also to a cheaper place', async () => {
    const refused = await change('darwin', { shippingAddress: DARWIN });
    const { differenceCents, newTotalCents } = refused.json.error?.details ?? {};
    expect(differenceCents).toBe(newTotalCents - order.totalCents);
    expect(refused.json.error?.message).toContain(`(${(differenceCents / 100).toFixed(2)} more); cancel the order`);
    const far = await anOrder(trader.trade, { shippingAddress: DARWIN });
    expect((await change('melbourne', { shippingAddress: anAddress() }, far.orderId)).json.error?.message).toContain(
      `(${(differenceCents / 100).toFixed(2)} less); cancel the order`,
    );
  });

  it('refuses a remake, and says what works', async () => {
    const remake = { remakeId: 'r1', lines: [{ line: 0, quantity: 1 }], reason: 'scratched' };
    const { orderId, actions } = (await office.post(`/orders/${order.orderId}/remakes`, remake)).json.data;
    const reason = `this order is a remake; cancel it, and remake ${order.orderNumber} again with the other address`;
    expect((await change('c', { reference: 'PO-2' }, orderId)).json.error).toMatchObject({ code: 'ORDER_NOT_CHANGEABLE', message: reason });
    expect(actions).toContainEqual({ type: 'changed', allowed: false, reason, eventType: null });
  });

  it('needs an id and a field, the role office and an order', async () => {
    expectValidationPaths(await change('x', {}), ['']);
    expectValidationPaths(await office.post(`/orders/${order.orderId}/changes`, { reference: 'x' }), ['changeId']);
    expectValidationPaths(await change('x', { reference: 'x', refrence: 'y' }), ['refrence']);
    const floor = service.studio(await aToken(service, 'floor'));
    expectRefusal(await floor.post(`/orders/${order.orderId}/changes`, { changeId: 'x', reference: 'y' }), 403, 'FORBIDDEN');
    expectRefusal(await change('x', { reference: 'y' }, 'ord_00'), 404, 'NOT_FOUND');
  });
});
