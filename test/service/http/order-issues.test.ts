import { declareArtwork, aLine, anOrder, sendArtwork, uploadArtwork } from '../../support/baskets';
import { useSharedService } from '../../support/fixtures';
import { sendMilestone } from './studio/support';
import { aTrader, sql, type Trader } from './support';

describe('issues of an order (ruling 69)', () => {
  const service = useSharedService();
  let trader: Trader;
  beforeEach(async () => {
    trader = await aTrader(service);
  });

  const readIssues = async (orderId: string) => (await trader.trade.get(`/orders/${orderId}`)).json.data.issues;
  const readEvents = async () =>
    (await trader.trade.get('/events')).json.data.map((event: any) => [
      event.type,
      event.data.issues.map(({ code, line }: any) => [code, line]),
    ]);
  const sendFloorMilestone = (orderId: string, type: string, fields: object = {}) =>
    sendMilestone(service.studio(), orderId, type, { ...fields });

  it('missing artwork is an issue of each of its lines, from the 201 until its bytes arrive', async () => {
    const late = await declareArtwork(trader.trade);
    const items = [aLine(late.url), aLine(await uploadArtwork(trader.trade)), aLine(late.url)];
    const order = await anOrder(trader.trade, { items });
    const missing = [0, 2].map((line) => ({
      code: 'ARTWORK_MISSING',
      line,
      message: expect.stringMatching(new RegExp(`^line ${line} .*has not arrived`)),
    }));
    expect(order.issues).toEqual(missing);
    expect(await readIssues(order.orderId)).toEqual(missing);
    expect((await trader.trade.get('/orders')).json.data[0].issues).toEqual(missing);
    expect((await service.studio().get(`/orders/${order.orderId}`)).json.data.issues).toEqual(missing);
    await sendArtwork(late.uploadUrl);
    expect(await readIssues(order.orderId)).toEqual([]);
    await sendFloorMilestone(order.orderId, 'production_started');
    expect(await readEvents()).toEqual([
      ['order.received', [
        ['ARTWORK_MISSING', 0],
        ['ARTWORK_MISSING', 2],
      ]],
      ['order.in_production', []],
    ]); // prettier-ignore
  });

  it('a hold shows the reason for the client and not the note', async () => {
    const { orderId } = await anOrder(trader.trade);
    const onHoldIssue = (message: string) => [{ code: 'ON_HOLD', line: null, message }];
    await sendFloorMilestone(orderId, 'held', { reason: 'Which of the two papers?', note: 'the client mixes them up' });
    expect(await readIssues(orderId)).toEqual(onHoldIssue('Which of the two papers?'));
    const [, event] = (await trader.trade.get('/events')).json.data;
    expect([event.type, event.data.issues]).toEqual(['order.on_hold', onHoldIssue('Which of the two papers?')]);
    await sendFloorMilestone(orderId, 'released');
    expect(await readIssues(orderId)).toEqual([]);
    await sendFloorMilestone(orderId, 'held', { milestoneId: 'press-9/1' });
    expect(await readIssues(orderId)).toEqual(onHoldIssue('the order is on hold without a reason; contact the studio'));
    await service.studio().post(`/orders/${orderId}/milestones/press-9%2F1/correct`, { reason: 'another order' });
    expect(await readIssues(orderId)).toEqual([]);
  });

  it('only the current hold shows its reason', async () => {
    const { orderId } = await anOrder(trader.trade);
    await sendFloorMilestone(orderId, 'held', { reason: 'the first' });
    await sendFloorMilestone(orderId, 'held', { reason: 'the second', milestoneId: 'press-9/2' });
    expect(await readIssues(orderId)).toMatchObject([{ message: 'the second' }]);
    await service.studio().post(`/orders/${orderId}/milestones/press-9%2F2/correct`, { reason: 'a mistake' });
    expect(await readIssues(orderId)).toMatchObject([{ message: 'the first' }]);
  });

  it('a repeated hold without a reason keeps the reason, and a later hold does not take an old one', async () => {
    const { orderId } = await anOrder(trader.trade);
    await sendFloorMilestone(orderId, 'held', { reason: 'Which of the two papers?' });
    await sendFloorMilestone(orderId, 'held', { milestoneId: 'press-9/3' });
    expect(await readIssues(orderId)).toMatchObject([{ code: 'ON_HOLD', message: 'Which of the two papers?' }]);
    expect((await trader.trade.get('/events')).json.data.at(-1).data.issues).toMatchObject([{ message: 'Which of the two papers?' }]);
    await sendFloorMilestone(orderId, 'released', { milestoneId: 'press-9/4' });
    await sendFloorMilestone(orderId, 'held', { milestoneId: 'press-9/5' });
    expect(await readIssues(orderId)).toMatchObject([{ message: expect.stringContaining('without a reason') }]);
    for (const id of ['press-9%2F5', 'press-9%2F4'])
      await service.studio().post(`/orders/${orderId}/milestones/${id}/correct`, { reason: 'a mistake' });
    expect(await readIssues(orderId)).toMatchObject([{ message: 'Which of the two papers?' }]);
  });

  it('the studio sees the reason in the timeline, and only holds accept one', async () => {
    const { orderId } = await anOrder(trader.trade);
    const refused = await sendFloorMilestone(orderId, 'printed', { reason: 'done' });
    expect(refused.json.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { paths: ['reason'] } });
    const { timeline } = (await sendFloorMilestone(orderId, 'held', { reason: 'a flaw' })).json.data;
    expect(timeline.at(-1)).toMatchObject({ type: 'held', outcome: 'applied', reason: 'a flaw' });
  });

  it('rejected artwork gives attention and an issue without an event, and a correction removes both', async () => {
    const [first, second] = [await uploadArtwork(trader.trade), await uploadArtwork(trader.trade)];
    const { orderId } = await anOrder(trader.trade, { items: [aLine(first), aLine(second)] });
    const rejected = await sendFloorMilestone(orderId, 'artwork_rejected', { milestoneId: 'press-9/7', line: 1, reason: 'it is cut off' });
    const message = 'line 1 (the 2nd): the artwork was rejected: it is cut off';
    expect(rejected.json.data).toMatchObject({
      status: 'received',
      attention: [{ code: 'ARTWORK_REJECTED', message }],
      actions: expect.arrayContaining([{ type: 'artwork_rejected', allowed: true, reason: null, eventType: null }]),
    });
    expect(rejected.json.data.timeline).toMatchObject([
      { type: 'artwork_rejected', reason: 'it is cut off', carried: { line: 1 }, correctable: true },
    ]);
    await sendFloorMilestone(orderId, 'artwork_rejected', { milestoneId: '7', line: 0, reason: 'it is blurred' });
    expect(await readIssues(orderId)).toEqual([
      { code: 'ARTWORK_REJECTED', line: 0, message: 'line 0 (the 1st): the artwork was rejected: it is blurred' },
      { code: 'ARTWORK_REJECTED', line: 1, message },
    ]);
    expect(await readEvents()).toEqual([['order.received', []]]);
    expect((await service.studio().post(`/orders/${orderId}/milestones/7/correct`, { reason: 'a mistake' })).status).toBe(200);
    expect(await readIssues(orderId)).toEqual([{ code: 'ARTWORK_REJECTED', line: 1, message }]);
    await sendFloorMilestone(orderId, 'cancelled');
    expect((await service.studio().get(`/orders/${orderId}`)).json.data.attention).toEqual([]);
  });

  it.each<[string, object, string, RegExp]>([
    ['without a line and a reason', {}, 'VALIDATION_ERROR', /line.*reason/],
    ['of an unknown line', { line: 2, reason: 'r' }, 'MILESTONE_REFUSED', /has 2 lines; there is no line 2 \(the 3rd\)/],
    ['of a line without artwork', { line: 1, reason: 'r' }, 'MILESTONE_REFUSED', /line 1 \(the 2nd\) has no artwork/],
  ])('a rejection %s is refused', async (_what, fields, code, message) => {
    const items = [aLine(await uploadArtwork(trader.trade)), aLine(await uploadArtwork(trader.trade))];
    const { orderId, quoteId } = await anOrder(trader.trade, { items });
    await sql(service, `UPDATE quotes SET jobs = jsonb_set(jobs, '{1,imageUrl}', 'null') WHERE id = $1`, [quoteId]);
    const refused = await sendFloorMilestone(orderId, 'artwork_rejected', fields);
    expect(refused.json.error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await readIssues(orderId)).toEqual([]);
  });

  it('a printed or cancelled order has no issues for the client', async () => {
    const items = [aLine((await declareArtwork(trader.trade)).url)];
    for (const type of ['printed', 'cancelled']) {
      const { orderId } = await anOrder(trader.trade, { items });
      await sendFloorMilestone(orderId, type);
      expect(await readIssues(orderId)).toEqual([]);
    }
  });
});
