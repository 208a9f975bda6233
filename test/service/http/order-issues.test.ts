import { declareArtwork, aLine, anOrder, sendArtwork, uploadArtwork } from '../../support/baskets';
import { sharedService, type TestService } from '../../support/service';
import { sendMilestone } from './studio/support';
import { aTrader, type Trader } from './support';

describe('issues of an order (ruling 69)', () => {
  let service: TestService;
  let trader: Trader;
  beforeAll(async () => {
    service = await sharedService();
  });
  beforeEach(async () => {
    trader = await aTrader(service);
  });
  afterAll(() => service.stop());

  const issuesOf = async (orderId: string) => (await trader.trade.get(`/orders/${orderId}`)).json.data.issues;
  const told = async () =>
    (await trader.trade.get('/events')).json.data.map((event: any) => [
      event.type,
      event.data.issues.map(({ code, line }: any) => [code, line]),
    ]);
  const floor = (orderId: string, type: string, fields: object = {}) => sendMilestone(service.studio(), orderId, type, { ...fields });

  it('artwork that has not arrived is an issue of each of its lines, from the 201 on, until its bytes are there', async () => {
    const late = await declareArtwork(trader.trade);
    const items = [aLine(late.url), aLine(await uploadArtwork(trader.trade)), aLine(late.url)];
    const order = await anOrder(trader.trade, { items });
    const missing = [0, 2].map((line) => ({
      code: 'ARTWORK_MISSING',
      line,
      message: expect.stringMatching(new RegExp(`^line ${line} .*has not arrived`)),
    }));
    expect(order.issues).toEqual(missing);
    expect(await issuesOf(order.orderId)).toEqual(missing);
    expect((await trader.trade.get('/orders')).json.data[0].issues).toEqual(missing);
    expect((await service.studio().get(`/orders/${order.orderId}`)).json.data.issues).toEqual(missing);
    await sendArtwork(late.uploadUrl);
    expect(await issuesOf(order.orderId)).toEqual([]);
    await floor(order.orderId, 'production_started');
    expect(await told()).toEqual([
      ['order.received', [
        ['ARTWORK_MISSING', 0],
        ['ARTWORK_MISSING', 2],
      ]],
      ['order.in_production', []],
    ]); // prettier-ignore
  });

  it('a hold tells the reason that the studio gave for the client, and no note', async () => {
    const { orderId } = await anOrder(trader.trade);
    const on = (message: string) => [{ code: 'ON_HOLD', line: null, message }];
    await floor(orderId, 'held', { reason: 'Which of the two papers?', note: 'the client mixes them up' });
    expect(await issuesOf(orderId)).toEqual(on('Which of the two papers?'));
    const [, event] = (await trader.trade.get('/events')).json.data;
    expect([event.type, event.data.issues]).toEqual(['order.on_hold', on('Which of the two papers?')]);
    await floor(orderId, 'released');
    expect(await issuesOf(orderId)).toEqual([]);
    await floor(orderId, 'held', { milestoneId: 'press-9/1' });
    expect(await issuesOf(orderId)).toEqual(on('the studio holds the order and gave no reason; ask the studio'));
    await service.studio().post(`/orders/${orderId}/milestones/press-9%2F1/correct`, { reason: 'another order' });
    expect(await issuesOf(orderId)).toEqual([]);
  });

  it('only the hold that stands gives the reason', async () => {
    const { orderId } = await anOrder(trader.trade);
    await floor(orderId, 'held', { reason: 'the first' });
    await floor(orderId, 'held', { reason: 'the second', milestoneId: 'press-9/2' });
    expect(await issuesOf(orderId)).toMatchObject([{ message: 'the second' }]);
    await service.studio().post(`/orders/${orderId}/milestones/press-9%2F2/correct`, { reason: 'a mistake' });
    expect(await issuesOf(orderId)).toMatchObject([{ message: 'the first' }]);
  });

  it('the studio sees the reason in the timeline, and gives it to holds alone', async () => {
    const { orderId } = await anOrder(trader.trade);
    const refused = await floor(orderId, 'printed', { reason: 'done' });
    expect(refused.json.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { paths: ['reason'] } });
    const { timeline } = (await floor(orderId, 'held', { reason: 'a flaw' })).json.data;
    expect(timeline.at(-1)).toMatchObject({ type: 'held', outcome: 'applied', reason: 'a flaw' });
  });

  it('nothing is left to do for the client once its artwork is printed, or the order cancelled', async () => {
    const items = [aLine((await declareArtwork(trader.trade)).url)];
    for (const type of ['printed', 'cancelled']) {
      const { orderId } = await anOrder(trader.trade, { items });
      await floor(orderId, type);
      expect(await issuesOf(orderId)).toEqual([]);
    }
  });
});
