import { newId } from '../../../../src/security/ids';
import { orderWorkflowId } from '../../../../workflows/messages';
import { aLine, anIdempotencyKeyHeader, aQuoteRequest, uploadArtwork } from '../../../support/baskets';
import { Random } from '../../../support/random';
import { StageOracle } from '../../../support/stage-oracle';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';
import { anItem } from '../../../unit/domain/pricing/basket';
import { aToken, findAuditEntries, findEventTypes, sendMilestone, validationPathsOf } from './support';

describe('stages of production (ruling 105)', () => {
  const service = useSharedService();
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor')));
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  const trade = () => service.trade(service.account.testKey);

  /** A test order with a line for each entry, framed if the entry is true. */
  async function placeOrder(...frames: boolean[]): Promise<string> {
    const imageUrl = await uploadArtwork(trade());
    const items = frames.map((framed) => (framed ? { ...anItem('custom-framing'), imageUrl } : aLine(imageUrl)));
    const quote = await trade().post('/quotes', await aQuoteRequest(trade(), { items }));
    const order = await trade().post('/orders', { quoteId: quote.json.data?.quoteId }, anIdempotencyKeyHeader());
    if (order.status !== 201) throw new Error(`${quote.text} ${order.text}`);
    return order.json.data.orderId;
  }
  async function startOrder(...frames: boolean[]): Promise<string> {
    const orderId = await placeOrder(...frames);
    expect((await sendMilestone(floor, orderId, 'production_started')).status).toBe(200);
    return orderId;
  }
  const report = async (orderId: string, type: string, lines?: number[], milestoneId = newId('req')): Promise<any> => {
    const reply = await sendMilestone(floor, orderId, type, { milestoneId, ...(lines && { lines }) });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.json.data;
  };

  it('each stage counts its lines, and the order reaches it with the last one', async () => {
    const orderId = await startOrder(true, false, true);
    expect(await report(orderId, 'printed', [2, 0])).toMatchObject({
      facts: { printed: false },
      stage: null,
      stageLines: { printed: [0, 2], framed: [], checked: [], ready: [] },
      cancellable: { now: false, blockers: ['printed'] },
    });
    expect(await report(orderId, 'printed', [1])).toMatchObject({ facts: { printed: true }, stage: 'printed' });
    expect(await report(orderId, 'framed', [0])).toMatchObject({ stage: 'printed', stageLines: { framed: [0] } });
    const framed = await report(orderId, 'framed');
    expect(framed).toMatchObject({ stage: 'framed', stageLines: { framed: [0, 2] } });
    expect(framed.job.lines.map(({ hasFrame, stages }: any) => [hasFrame, stages])).toEqual([
      [true, ['printed', 'framed']],
      [false, ['printed']],
      [true, ['printed', 'framed']],
    ]);
    expect(framed.timeline.map(({ type, lines }: any) => [type, lines])).toEqual([
      ['production_started', null],
      ['printed', [0, 2]],
      ['printed', [1]],
      ['framed', [0]],
      ['framed', null],
    ]);
    await report(orderId, 'checked');
    expect(await report(orderId, 'ready')).toMatchObject({ status: 'in_production', stage: 'ready' });
    expect(await findEventTypes(service, orderId)).toEqual(['order.received', 'order.in_production']);
  });

  it('a correction takes back only its own lines', async () => {
    const orderId = await startOrder(false, false);
    await report(orderId, 'printed', [0], 'sheet-1');
    await report(orderId, 'printed', [0, 1], 'sheet-2');
    await report(orderId, 'checked');
    const correct = async (milestoneId: string) =>
      (await office.post(`/orders/${orderId}/milestones/${milestoneId}/correct`, { reason: 'another sheet' })).json.data;
    expect(await correct('sheet-2')).toMatchObject({ facts: { printed: false }, stage: 'checked', stageLines: { printed: [0] } });
    expect(await correct('sheet-1')).toMatchObject({ stageLines: { printed: [], checked: [0, 1] }, cancellable: { now: true } });
  });

  it('the client can replace the artwork of the lines that are not printed', async () => {
    const orderId = await startOrder(false, false);
    await report(orderId, 'printed', [0]);
    const replacing = async (line: number) => {
      const imageUrl = await uploadArtwork(trade());
      return trade().post(`/orders/${orderId}/lines/${line}/artwork`, { imageUrl });
    };
    expect((await replacing(0)).json.error).toMatchObject({
      code: 'ORDER_NOT_CHANGEABLE',
      message: expect.stringContaining('line 0 (the 1st) is printed'),
    });
    expect((await replacing(1)).status).toBe(200);
  });

  it('the issues of a printed line end, and come back with its correction', async () => {
    const orderId = await startOrder(false, false);
    for (const line of [0, 1])
      expect((await sendMilestone(floor, orderId, 'artwork_rejected', { line, reason: 'cut off' })).status).toBe(200);
    const issues = async () => (await trade().get(`/orders/${orderId}`)).json.data.issues.map(({ line }: any) => line);
    expect(await issues()).toEqual([0, 1]);
    await report(orderId, 'printed', [0], 'sheet');
    expect(await issues()).toEqual([1]);
    await office.post(`/orders/${orderId}/milestones/sheet/correct`, { reason: 'another sheet' });
    expect(await issues()).toEqual([0, 1]);
  });

  it.each([
    ['a line that does not exist', 'printed', [2], 'the order has 2 lines; there is no line 2 (the 3rd)'],
    ['a line without a frame', 'framed', [0, 1], 'line 1 (the 2nd) has no frame'],
  ])('refuses %s', async (_title, type, lines, message) => {
    const orderId = await startOrder(true, false);
    const reply = await sendMilestone(floor, orderId, type, { lines });
    expect([reply.status, reply.json.error]).toEqual([409, expect.objectContaining({ code: 'MILESTONE_REFUSED', message })]);
  });

  it('refuses framing an order without frames', async () => {
    const reply = await sendMilestone(floor, await startOrder(false), 'framed');
    expect(reply.json.error?.message).toBe('no line of this order has a frame');
  });

  it('lines are different numbers, and only stages have them', async () => {
    const orderId = await startOrder(false);
    for (const lines of [[], [1, 1], [200], ['0'], 0])
      expect(validationPathsOf(await sendMilestone(floor, orderId, 'checked', { lines }))).toEqual([expect.stringMatching(/^lines/)]);
    expect(validationPathsOf(await sendMilestone(floor, orderId, 'held', { lines: [0] }))).toEqual(['lines']);
  });

  it('a signal may name lines, in any order', async () => {
    const orderId = await startOrder(false, false, false);
    const { client } = service.deps.temporal;
    await client.workflow.getHandle(orderWorkflowId(orderId)).signal('milestone', { milestoneId: 'cam-1', type: 'checked', lines: [2, 0] });
    const order = await waitFor('the signal', async () => {
      const { data } = (await floor.get(`/orders/${orderId}`)).json;
      return data.stageLines.checked.length > 0 && data;
    });
    expect(order.stageLines.checked).toEqual([0, 2]);
    await report(orderId, 'checked', [0, 2], 'cam-1'); // the same message again
  });

  it('the list filters unshipped orders by stage', async () => {
    const orderId = await startOrder(false, false);
    const listed = async (stage: string) => {
      const { data } = (await floor.get(`/orders?environment=test&stage=${stage}&limit=100`)).json;
      return data.some((order: any) => order.orderId === orderId);
    };
    expect([await listed('none'), await listed('printed')]).toEqual([true, false]);
    await report(orderId, 'printed');
    expect([await listed('none'), await listed('printed'), await listed('checked')]).toEqual([false, true, false]);
    await report(orderId, 'checked');
    await report(orderId, 'completed');
    expect(await listed('checked')).toBe(false);
  });

  it('an admin chooses the stages that the screens offer', async () => {
    const admin = service.studio(await aToken(service, 'admin'));
    expect((await floor.get('/stage-settings')).json.data).toEqual({ framedEnabled: false, checkedEnabled: false, readyEnabled: false });
    const stages = { framedEnabled: true, checkedEnabled: false, readyEnabled: true };
    expect((await office.send('PUT', '/stage-settings', stages)).status).toBe(403);
    expect(validationPathsOf(await admin.send('PUT', '/stage-settings', { ...stages, readyEnabled: 1 }))).toEqual(['readyEnabled']);
    expect((await admin.send('PUT', '/stage-settings', stages)).json.data).toEqual(stages);
    expect((await floor.get('/stage-settings')).json.data).toEqual(stages);
    expect((await findAuditEntries(service, 'settings')).at(-1)).toMatchObject({ action: 'stages.change', after: stages });
    await admin.send('PUT', '/stage-settings', { ...stages, framedEnabled: false, readyEnabled: false });
  });

  it('random lives with stages, lines and corrections agree with the oracle', async () => {
    const random = new Random(105);
    const counts = { applied: 0, refused: 0, corrected: 0, stuck: 0 };
    for (let life = 0; life < 4; life += 1) {
      const frames = Array.from({ length: random.between(1, 4) }, () => random.chance(0.5));
      const [orderId, oracle] = [await placeOrder(...frames), new StageOracle(frames)];
      const ids: string[] = [];
      for (let step = 0; step < 15; step += 1) {
        let reply;
        if (ids.length > 0 && random.chance(0.25)) {
          const corrected = random.pick(ids);
          reply = await office.post(`/orders/${orderId}/milestones/${corrected}/correct`, { reason: 'life' });
          const isCorrected = oracle.correct(corrected);
          expect(reply.status).toBe(isCorrected ? 200 : 409);
          if (isCorrected) ids.splice(ids.indexOf(corrected), 1);
          counts[isCorrected ? 'corrected' : 'stuck'] += 1;
        } else {
          const type = random.pick([
            'production_started',
            'printed',
            'framed',
            'checked',
            'ready',
            'printed',
            'held',
            'released',
            'completed',
          ]);
          const isStage = ['printed', 'framed', 'checked', 'ready'].includes(type);
          const lines = isStage && random.chance(0.7) ? [...frames.keys(), frames.length].filter(() => random.chance(0.4)) : [];
          const [milestoneId, named] = [`life-${step}`, lines.length === 0 ? null : lines];
          reply = await sendMilestone(office, orderId, type, { milestoneId, ...(named && { lines: named }) });
          const isApplied = oracle.send(milestoneId, type, named);
          expect(reply.status).toBe(isApplied ? 200 : 409);
          if (isApplied) ids.push(milestoneId);
          counts[isApplied ? 'applied' : 'refused'] += 1;
        }
        const { data } = (await office.get(`/orders/${orderId}`)).json;
        const { status, printed, stage, lines, isCancellable } = oracle.state;
        expect([data.baseStatus, data.facts.printed, data.stage, data.stageLines, data.cancellable.now]).toEqual([
          status,
          printed,
          stage,
          lines,
          isCancellable,
        ]);
      }
    }
    expect(Object.values(counts).every((count) => count > 0)).toBe(true);
  });
});
