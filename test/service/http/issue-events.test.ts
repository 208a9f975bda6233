import { aLine, anOrder, declareArtwork, sendArtwork, uploadArtwork } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { useSharedService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { sendMilestone } from './studio/support';
import { aTrader, expectValidationPaths, sql, type Trader } from './support';

type Shown = [type: string, sequence: number, issues: string[]];

describe('events about issues (ruling 94)', () => {
  const service = useSharedService();
  let trader: Trader;
  beforeEach(async () => {
    trader = await aTrader(service);
  });

  const milestone = async (orderId: string, type: string, fields: object = {}): Promise<void> =>
    expect((await sendMilestone(service.studio(), orderId, type, { ...fields })).status).toBe(200);
  async function readFeed(query = '?issues=true'): Promise<Shown[]> {
    const { data } = (await trader.trade.get(`/events${query}`)).json;
    return data.map(({ type, sequence, data: { issues } }: any) => [
      type.replace('order.', ''),
      sequence,
      issues.map(({ code, line }: any) => (line === null ? code : `${code}/${line}`)),
    ]);
  }
  /** Asks the database until the events are there, because the feed has a rate limit. */
  async function untilFeed(expected: Shown[]): Promise<void> {
    const countEvents = () =>
      sql(service, 'SELECT 1 FROM order_events WHERE account_id = $1', [trader.accountId]).then(({ length }) => length);
    await expectSoon(countEvents).toBe(expected.length);
    expect(await readFeed()).toEqual(expected);
  }

  /** Its deliveries are held. */
  async function aDisabledEndpoint(eventTypes: string[] | null): Promise<string> {
    const office = service.studio();
    const { id } = await anEndpoint(service.deps.database, trader.accountId, 'https://shop.example/hooks', 'test');
    expect((await office.send('PATCH', `/webhook-endpoints/${id}`, { eventTypes })).status).toBe(200);
    expect((await office.post(`/webhook-endpoints/${id}/disable`, { reason: 'not yet' })).status).toBe(200);
    return id;
  }
  const deliveredTypes = (endpointId: string): Promise<string[]> =>
    sql<{ type: string }>(
      service,
      `SELECT e.type FROM webhook_deliveries d JOIN order_events e ON e.id = d.event_id WHERE d.endpoint_id = $1 ORDER BY e.sequence, e.part`,
      [endpointId],
    ).then((rows) => rows.map(({ type }) => type));

  it('report each issue that clients see, with the sequence of the last status, only to endpoints that name them', async () => {
    const [unnamed, named] = [
      await aDisabledEndpoint(null),
      await aDisabledEndpoint(['order.issue_raised', 'order.issue_resolved', 'order.cancelled']),
    ];
    const late = await declareArtwork(trader.trade);
    const items = [aLine(late.url), aLine(await uploadArtwork(trader.trade)), aLine(late.url)];
    const { orderId } = await anOrder(trader.trade, { items });
    const missing = ['ARTWORK_MISSING/0', 'ARTWORK_MISSING/2'];
    const feed: Shown[] = [['received', 1, missing], ['issue_raised', 1, missing]]; // prettier-ignore
    await untilFeed(feed);
    await sendArtwork(late.uploadUrl);
    feed.push(['issue_resolved', 1, []]);
    await untilFeed(feed);
    await milestone(orderId, 'held', { reason: 'Which of the two papers?' });
    feed.push(['on_hold', 2, ['ON_HOLD']], ['issue_raised', 2, ['ON_HOLD']]);
    await untilFeed(feed);
    await milestone(orderId, 'artwork_rejected', { line: 1, reason: 'it is cut off' });
    feed.push(['issue_raised', 2, ['ON_HOLD', 'ARTWORK_REJECTED/1']]);
    await untilFeed(feed);
    await milestone(orderId, 'cancelled');
    feed.push(['cancelled', 3, []], ['issue_resolved', 3, []]);
    await untilFeed(feed);

    const isStatus = ([type]: Shown): boolean => !type.startsWith('issue');
    expect(await readFeed('')).toEqual(feed.filter(isStatus));
    const latest = (await trader.trade.get('/events/latest')).json.data.id;
    for (const query of ['?issues=true&', '?']) expect(await readFeed(`${query}after=${latest}`)).toEqual([]);
    const types = feed.map(([type]) => `order.${type}`);
    expect(await deliveredTypes(unnamed)).toEqual(types.filter((type) => !type.includes('issue')));
    expect(await deliveredTypes(named)).toEqual(types.filter((type) => type.includes('issue') || type === 'order.cancelled'));
  });

  it('printing ends the issues of artwork, and its correction raises them again', async () => {
    const { orderId } = await anOrder(trader.trade);
    await milestone(orderId, 'artwork_rejected', { line: 0, reason: 'it is blurred' });
    const feed: Shown[] = [['received', 1, []], ['issue_raised', 1, ['ARTWORK_REJECTED/0']]]; // prettier-ignore
    await untilFeed(feed);
    await milestone(orderId, 'printed', { milestoneId: 'press-1' });
    feed.push(['issue_resolved', 1, []]);
    await untilFeed(feed);
    await service.studio().post(`/orders/${orderId}/milestones/press-1/correct`, { reason: 'another order' });
    feed.push(['issue_raised', 1, ['ARTWORK_REJECTED/0']]);
    await untilFeed(feed);
  });

  it('a new message of the same issue sends nothing', async () => {
    const { orderId } = await anOrder(trader.trade);
    await milestone(orderId, 'held', { reason: 'Which paper?', milestoneId: 'hold-1' });
    const feed: Shown[] = [['received', 1, []], ['on_hold', 2, ['ON_HOLD']], ['issue_raised', 2, ['ON_HOLD']]]; // prettier-ignore
    await untilFeed(feed);
    await milestone(orderId, 'held', { reason: 'Matt or gloss?', milestoneId: 'hold-2' });
    await waitFor('the checks', async () => (await sql(service, 'SELECT 1 FROM issue_checks WHERE order_id = $1', [orderId])).length === 0);
    expect(await readFeed()).toEqual(feed);
  });

  it('an unknown value is refused', async () => {
    expectValidationPaths(await trader.trade.get('/events?issues=false'), ['query.issues']);
  });
});
