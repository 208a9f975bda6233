import { orderState, orderWorkflowId } from '../../../workflows/messages';
import { SEARCH_ATTRIBUTES } from '../../../workflows/search-attributes';
import { findFreePort } from '../../../scripts/start/ports';
import { aLine, aQuote, declareArtwork } from '../../support/baskets';
import { waitFor } from '../../support/wait-for';
import { startOnDevServer, type OwnEnvironment } from './environment';
import { aMilestone, aParcel, OrderDriver, refusalCodeOf } from './order-driver';

/** A separate server, which suggests continue-as-new at 60 events instead of 4,096. */
describe('an order that continues as new', () => {
  let environment: OwnEnvironment;
  let desk: OrderDriver;
  beforeAll(async () => {
    environment = await startOnDevServer(['limit.historyCount.suggestContinueAsNew=60']);
    desk = new OrderDriver(environment.service);
  });
  afterAll(() => environment?.stop());

  it('loses and duplicates none of eighty messages sent during it', async () => {
    const ref = await desk.placeOrder();
    const first = (await desk.handle(ref).describe()).runId;
    await desk.apply(ref, aMilestone('production_started'));
    const indexes = Array.from({ length: 40 }, (_, index) => index);
    for (let start = 0; start < indexes.length; start += 4) {
      await Promise.all(
        indexes.slice(start, start + 4).flatMap((index) => [desk.signal(ref, aParcel(`s${index}`)), desk.apply(ref, aParcel(`u${index}`))]),
      );
    }
    const expected = ['production_started', ...indexes.flatMap((index) => [`s${index}`, `u${index}`])].length;
    await waitFor('all applied', async () => (await desk.timeline(ref)).length === expected);
    const timeline = await desk.timeline(ref);
    expect(new Set(timeline.map(({ milestone_id }) => milestone_id)).size).toBe(expected);
    expect(timeline.every(({ outcome }) => outcome === 'applied')).toBe(true);
    expect(await desk.row(ref)).toMatchObject({
      version: expected + 1,
      event_sequence: expected + 1,
      status: 'shipped',
      base_status: 'in_production',
    });
    const runs = await desk.client.workflow.getHandle(orderWorkflowId(ref.orderId), first).fetchHistory();
    expect(runs.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();

    // The latest run has the state of the first.
    expect((await desk.handle(ref).query(orderState))?.facts).toMatchObject({
      baseStatus: 'in_production',
      liveParcels: expect.arrayContaining(['s0', 'u39']),
    });
    await desk.apply(ref, aParcel('s0'));
    expect(await refusalCodeOf(desk.apply(ref, aParcel('s0', { trackingNumber: 'OTHER' })))).toBe('MILESTONE_ID_REUSED');
    expect(await desk.timeline(ref)).toHaveLength(expected);
    // The server does not pass the static summary to the next run. Operators see search attributes, memo and details.
    const { typedSearchAttributes: searchAttributes, memo } = await desk.handle(ref).describe();
    expect(searchAttributes.get(SEARCH_ATTRIBUTES.orderStatus)).toBe('shipped');
    expect(searchAttributes.get(SEARCH_ATTRIBUTES.orderNumber)).toBe(ref.orderNumber);
    expect(memo).toMatchObject({ orderId: ref.orderId });
  });

  it('also with refused signals only, and records each of them', async () => {
    const ref = await desk.placeOrder();
    const first = (await desk.handle(ref).describe()).runId;
    for (let index = 0; index < 60; index += 1) await desk.signal(ref, { milestoneId: `bad-${index}`, type: 'completed' });
    await waitFor('sixty refusals', async () => (await desk.timeline(ref)).length === 60);
    await desk.apply(ref, aMilestone('printed'));
    await waitFor('another run', async () => (await desk.handle(ref).describe()).runId !== first);
    expect(await desk.row(ref)).toMatchObject({ printed: true, version: 2 });
  });
});

describe('an order that continues as new while the artwork store is away', () => {
  let environment: OwnEnvironment;
  let desk: OrderDriver;
  beforeAll(async () => {
    environment = await startOnDevServer(['limit.historyCount.suggestContinueAsNew=60'], {
      S3_BUCKET: 'artwork',
      S3_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    });
    desk = new OrderDriver(environment.service);
  });
  afterAll(() => environment?.stop());

  it('does not wait for it, and the next run checks the artwork', async () => {
    const { service } = environment;
    const trade = service.trade(service.account.testKey);
    const { url } = await declareArtwork(trade);
    const { quoteId } = await aQuote(trade, { items: [aLine(url)] });
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const ref = await desk.placeOrderOf(quoteId, 'test', service.account.accountId, () => anHourAgo);
    const describeRun = () => desk.handle(ref).describe();
    const isCheckingArtwork = async () =>
      ((await describeRun()).raw.pendingActivities ?? []).some(({ activityType }) => activityType?.name === 'checkMissingArtwork');
    await waitFor('the check of the store', isCheckingArtwork);
    const first = (await describeRun()).runId;
    for (let index = 0; index < 40; index += 1) await desk.apply(ref, aParcel(`p${index}`));
    expect((await describeRun()).runId).not.toBe(first);
    expect((await desk.handle(ref).query(orderState))?.artworkDue).toEqual(expect.any(String));
    await waitFor('the next check of the store', isCheckingArtwork);
  });
});
