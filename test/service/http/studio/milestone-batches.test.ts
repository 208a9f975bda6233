import { hashKey } from '../../../../src/security/api-keys';
import { TEMPORAL_TIMEOUTS } from '../../../../src/temporal/options';
import type { Reply } from '../../../support/client';
import { holdLock } from '../../../support/held-lock';
import { useFixture, useService } from '../../../support/fixtures';
import { LONG_TEMPORAL_TIMEOUTS } from '../../../support/service';
import { unknownId } from '../../../support/baskets';
import { aToken, findAuditEntries, findEventTypes, OrderFactory, sendMilestone, validationPathsOf } from './support';

const itemsOf = (orderIds: readonly string[]) => orderIds.map((orderId) => ({ orderId, milestoneId: `sheet-12/${orderId}` }));
const outcomesOf = ({ json }: Reply): string[] => json.data.map(({ outcome }: { outcome: string }) => outcome);

describe('POST /milestone-batches', () => {
  const temporalTimeouts = { ...LONG_TEMPORAL_TIMEOUTS };
  const service = useService(() => ({ temporalTimeouts }));
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor', { name: 'Press 4' })));
  const orders = useFixture(() => new OrderFactory(service));

  const send = (type: string, orderIds: readonly string[], fields: Record<string, unknown> = {}) =>
    floor.post('/milestone-batches', { type, items: itemsOf(orderIds), ...fields });
  const placeMany = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push((await orders.place()).orderId);
    return ids;
  };

  it('lists the outcome of each order in the order of the items, and one stuck order does not stop the others', async () => {
    const [fresh = '', started = '', cancelled = '', stuck = ''] = await placeMany(4);
    await sendMilestone(floor, started, 'production_started');
    await sendMilestone(floor, cancelled, 'cancelled');
    const unknown = unknownId('ord');
    const orderIds = [cancelled, stuck, fresh, unknown, started];
    const lock = await holdLock(service.deps.database, 'SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [stuck]);
    temporalTimeouts.responseMs = TEMPORAL_TIMEOUTS.responseMs;
    let reply: Reply;
    try {
      reply = await send('production_started', orderIds);
    } finally {
      Object.assign(temporalTimeouts, LONG_TEMPORAL_TIMEOUTS);
      await lock.release();
    }
    expect([reply.status, reply.json.data]).toEqual([
      200,
      [
        { orderId: cancelled, outcome: 'refused', error: { code: 'MILESTONE_REFUSED', message: 'the order is cancelled' } },
        { orderId: stuck, outcome: 'failed', error: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('repeat') } },
        { orderId: fresh, outcome: 'applied' },
        { orderId: unknown, outcome: 'refused', error: { code: 'NOT_FOUND', message: 'there is no such order' } },
        { orderId: started, outcome: 'unchanged' },
      ],
    ]);
    expect(await findEventTypes(service, fresh)).toEqual(['order.received', 'order.in_production']);
    // The stuck order was sent and may be applied before or by the repeat, once in any case.
    expect(outcomesOf(await send('production_started', [stuck]))).toEqual([expect.stringMatching(/^(applied|unchanged)$/)]);
    expect(await findEventTypes(service, stuck)).toEqual(['order.received', 'order.in_production']);
  });

  it('a repeat changes nothing, also at the same time', async () => {
    const orderIds = await placeMany(12);
    const replies = await Promise.all([send('printed', orderIds, { note: 'sheet 12' }), send('printed', orderIds, { note: 'sheet 12' })]);
    const outcomes = orderIds.map((_, at) => replies.map((reply) => outcomesOf(reply)[at]).toSorted());
    expect(outcomes).toEqual(orderIds.map(() => ['applied', 'unchanged']));
    expect(outcomesOf(await send('printed', orderIds, { note: 'sheet 12' }))).toEqual(orderIds.map(() => 'unchanged'));
    for (const orderId of orderIds) {
      const { timeline } = (await floor.get(`/orders/${orderId}`)).json.data;
      expect(timeline).toMatchObject([{ milestoneId: `sheet-12/${orderId}`, type: 'printed', note: 'sheet 12', actor: 'Press 4' }]);
    }
  });

  it('an id that has other content is refused', async () => {
    const [orderId = ''] = await placeMany(1);
    await send('printed', [orderId]);
    expect((await send('held', [orderId])).json.data).toMatchObject([{ outcome: 'refused', error: { code: 'MILESTONE_ID_REUSED' } }]);
  });

  it('each order has one audit entry with the request, refused items are counted', async () => {
    const orderIds = await placeMany(2);
    const clerk = service.studio(await aToken(service, 'floor', { name: 'Press 5' }));
    const body = { type: 'production_started', items: itemsOf([...orderIds, unknownId('ord')]) };
    await clerk.post('/milestone-batches', body, { 'service-request-id': 'batch-1' });
    for (const orderId of orderIds)
      expect(await findAuditEntries(service, orderId)).toMatchObject([
        { action: 'milestone.production_started', actor: 'Press 5', request_id: 'batch-1', after: { status: 'in_production' } },
      ]);
    const refused = (await findAuditEntries(service, 'POST /milestone-batches')).filter(({ actor }) => actor === 'Press 5');
    expect(refused).toMatchObject([{ action: 'write.refused', after: { code: 'NOT_FOUND' } }]);
  });

  it.each([
    ['held', { reason: 'paper is late' }, { status: 'on_hold', issues: [expect.objectContaining({ code: 'ON_HOLD' })] }],
    ['artwork_rejected', { line: 0, reason: 'it is cut off' }, { issues: [expect.objectContaining({ code: 'ARTWORK_REJECTED' })] }],
  ])('%s takes its reason for the client', async (type, fields, after) => {
    const orderIds = await placeMany(2);
    expect(outcomesOf(await send(type, orderIds, fields))).toEqual(['applied', 'applied']);
    for (const orderId of orderIds) expect((await floor.get(`/orders/${orderId}`)).json.data).toMatchObject(after);
  });

  it('live and test orders together are refused as a whole, with the test orders', async () => {
    const [live = ''] = await placeMany(1);
    const test = await new OrderFactory(service, 'test').place();
    const reply = await send('production_started', [live, test.orderId]);
    expect([reply.status, reply.json.error?.details.issues]).toEqual([
      400,
      [
        {
          path: 'items',
          message: `must be orders of one environment; send these test orders separately from the live ones: ${test.orderNumber}`,
        },
      ],
    ]);
    for (const orderId of [live, test.orderId]) expect((await floor.get(`/orders/${orderId}`)).json.data.status).toBe('received');
    expect(outcomesOf(await send('production_started', [test.orderId]))).toEqual(['applied']);
  });

  it('ten items count as one request, and a batch beyond the budget records nothing', async () => {
    const token = await aToken(service, 'floor');
    const studio = service.studio(token);
    const spend = (hits: number) =>
      service.deps.database.run(
        `
        INSERT INTO rate_windows (subject, endpoint, hits)
        SELECT 'token:' || (SELECT id FROM studio_tokens WHERE token_hash = $1), 'studio POST /milestone-batches',
          array_agg((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM generate_series(1, $2)
        ON CONFLICT (subject, endpoint) DO UPDATE SET hits = EXCLUDED.hits`,
        [hashKey(token), hits],
      );
    const sendItems = (count: number, orderId = unknownId('ord')) =>
      studio.post('/milestone-batches', {
        type: 'printed',
        items: itemsOf([orderId, ...Array.from({ length: count - 1 }, () => unknownId('ord'))]),
      });
    await spend(589);
    expect([(await sendItems(100)).status, (await sendItems(10)).status, (await sendItems(1)).status]).toEqual([200, 200, 429]);
    await spend(598);
    const [orderId = ''] = await placeMany(1);
    const refused = await sendItems(21, orderId);
    expect([refused.status, refused.json.error?.code, Number(refused.headers['retry-after']) >= 1]).toEqual([429, 'RATE_LIMITED', true]);
    expect((await floor.get(`/orders/${orderId}`)).json.data.timeline).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['nothing', {}, ['type', 'items']],
    ['a cancel', { type: 'cancelled', items: itemsOf(['ord_0a']) }, ['type']],
    ['no items', { type: 'printed', items: [] }, ['items']],
    ['101 items', { type: 'printed', items: itemsOf(Array.from({ length: 101 }, (_, at) => `ord_${at}`)) }, ['items']],
    ['an order twice', { type: 'printed', items: itemsOf(['ord_0a', 'ord_0b', 'ord_0a']) }, ['items.2']],
    ['a malformed item', { type: 'printed', items: [{ orderId: 'P-1', milestoneId: '..' }] }, ['items.0.orderId', 'items.0.milestoneId']],
    ['an unknown field', { type: 'printed', items: [{ ...itemsOf(['ord_0a'])[0], note: 'x' }] }, ['items.0.note']],
    ['rejected artwork without line and reason', { type: 'artwork_rejected', items: itemsOf(['ord_0a']) }, ['line', 'reason']],
    ['the line of a print', { type: 'printed', line: 0, items: itemsOf(['ord_0a']) }, ['line']],
  ])('%s is refused', async (_title, body, paths) => {
    const reply = await floor.post('/milestone-batches', body);
    expect([reply.status, validationPathsOf(reply)]).toEqual([400, paths]);
  });
});
