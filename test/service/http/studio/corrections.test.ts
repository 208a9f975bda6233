import { orderWorkflowId } from '../../../../workflows/messages';
import { startService, type TestService } from '../../../support/service';
import type { HttpClient, Reply } from '../../../support/client';
import { waitFor } from '../../../support/wait-for';
import { aToken, findAuditEntries, findEventTypes, validationPathsOf, OrderFactory } from './support';

describe('POST /orders/{id}/milestones/{milestoneId}/correct', () => {
  let service: TestService;
  let floor: HttpClient;
  let office: HttpClient;
  let orders: OrderFactory;
  beforeAll(async () => {
    service = await startService({ env: { ORDER_QUIET_PERIOD: '1s' } });
    floor = service.studio(await aToken(service, 'floor'));
    office = service.studio(await aToken(service, 'office', { name: 'Rosa' }));
    orders = new OrderFactory(service);
  });
  afterAll(() => service?.stop());

  const sendMilestone = (orderId: string, type: string, milestoneId = type) =>
    floor.post(`/orders/${orderId}/milestones`, { milestoneId, type });
  const correct = (orderId: string, milestoneId: string, reason = 'the wrong sheet'): Promise<Reply> =>
    office.post(`/orders/${orderId}/milestones/${encodeURIComponent(milestoneId)}/correct`, { reason });
  const addParcel = (orderId: string) => floor.post(`/orders/${orderId}/parcels`, { parcelId: 'box', trackingNumber: 'T' });

  async function orderWith(...steps: string[]): Promise<string> {
    const { orderId } = await orders.place();
    for (const step of steps) {
      const reply = await (step === 'parcel' ? addParcel(orderId) : sendMilestone(orderId, step, step));
      expect([step, reply.status]).toEqual([step, 200]);
    }
    return orderId;
  }
  /** Links to artwork are signed anew each second. */
  const withoutJob = ({ json: { data } }: Reply) => ({ ...data, job: null });
  const order = async (orderId: string) => withoutJob(await office.get(`/orders/${orderId}`));
  const outcomeOf = ({ status, json }: Reply) =>
    status === 200 ? [json.data.status, json.data.baseStatus, json.data.facts.printed] : [status, json.error?.code];

  it.each<[steps: string[], corrected: string, after: unknown[], told: string[]]>([
    [['production_started', 'held', 'released'], 'released', ['on_hold', 'on_hold', false], ['order.on_hold']],
    [['production_started', 'parcel', 'completed'], 'completed', ['shipped', 'in_production', false], []],
    [['printed', 'cancelled'], 'printed', ['cancelled', 'cancelled', false], []],
  ])('after %j, correcting %s gives %j and emits %j', async (steps, corrected, after, told) => {
    const orderId = await orderWith(...steps);
    const before = await findEventTypes(service, orderId);
    expect(outcomeOf(await correct(orderId, corrected))).toEqual(after);
    expect((await findEventTypes(service, orderId)).slice(before.length)).toEqual(told);
  });

  it('the timeline shows which milestones can be corrected now', async () => {
    const orderId = await orderWith('production_started', 'held', 'released', 'printed');
    const correctable = (after: { timeline: { milestoneId: string; correctable: boolean }[] }) =>
      after.timeline.filter((entry) => entry.correctable).map(({ milestoneId }) => milestoneId);
    expect(correctable(await order(orderId))).toEqual(['production_started', 'released', 'printed']);
    expect(correctable((await correct(orderId, 'released')).json.data)).toEqual(['production_started', 'held', 'printed']);
  });

  it('keeps both entries and the actor and is in the audit log, and a repeat changes nothing', async () => {
    const orderId = await orderWith('printed');
    const first = await correct(orderId, 'printed');
    const second = await correct(orderId, 'printed', 'in other words');
    expect([second.status, withoutJob(second)]).toEqual([200, withoutJob(first)]);
    expect(first.json.data.timeline).toMatchObject([
      { milestoneId: 'printed', type: 'printed', corrects: null, reason: null },
      { milestoneId: 'correct:printed', type: 'corrected', corrects: 'printed', reason: 'the wrong sheet', actor: 'Rosa' },
    ]);
    expect((await findAuditEntries(service, orderId)).slice(1)).toMatchObject([
      {
        action: 'milestone.correct',
        actor: 'Rosa',
        before: { facts: { printed: true } },
        after: { facts: { printed: false }, corrects: 'printed', reason: 'the wrong sheet' },
      },
    ]);
  });

  it('the corrected id cannot be used again, and the same milestone with a new id is applied', async () => {
    const orderId = await orderWith('printed');
    await correct(orderId, 'printed');
    const again = await sendMilestone(orderId, 'printed');
    expect([outcomeOf(again), again.json.error?.message]).toEqual([[409, 'MILESTONE_REFUSED'], expect.stringContaining('new milestoneId')]);
    expect(outcomeOf(await sendMilestone(orderId, 'printed', 'printed-2'))).toEqual(['received', 'received', true]);
  });

  it('an id of maximum length can be corrected', async () => {
    const orderId = await orderWith();
    const longest = '🖼'.repeat(200);
    expect(outcomeOf(await sendMilestone(orderId, 'printed', longest))).toEqual(['received', 'received', true]);
    expect(outcomeOf(await correct(orderId, longest))).toEqual(['received', 'received', false]);
  });

  it('a remaining milestone of the same type still counts', async () => {
    const orderId = await orderWith('production_started');
    await sendMilestone(orderId, 'production_started', 'other/press 2');
    expect(outcomeOf(await correct(orderId, 'production_started'))).toEqual(['in_production', 'in_production', false]);
    expect(outcomeOf(await correct(orderId, 'other/press 2'))).toEqual(['received', 'received', false]);
  });

  it.each<[steps: string[], corrected: string, why: RegExp]>([
    [['production_started', 'completed'], 'production_started', /completed \(completed\) came after it/],
    [['cancelled'], 'cancelled', /not taken back/],
    [['parcel'], 'parcel:box', /a parcel is voided/],
  ])('after %j, correcting %s is refused: %p', async (steps, corrected, why) => {
    const orderId = await orderWith(...steps);
    const before = await order(orderId);
    const reply = await correct(orderId, corrected);
    expect(reply.json.error).toMatchObject({ code: 'CORRECTION_REFUSED', message: expect.stringMatching(why) });
    expect([reply.status, await order(orderId)]).toEqual([409, before]);
  });

  it('a correction cannot be corrected, an unknown id is 404, the floor gets 403, and a reason is required', async () => {
    const orderId = await orderWith('printed');
    await correct(orderId, 'printed');
    expect(outcomeOf(await correct(orderId, 'correct:printed'))).toEqual([409, 'CORRECTION_REFUSED']);
    expect(outcomeOf(await correct(orderId, 'nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(outcomeOf(await correct(orderId, 'x\u0000'))).toEqual([404, 'NOT_FOUND']);
    expect(outcomeOf(await floor.post(`/orders/${orderId}/milestones/printed/correct`, { reason: 'x' }))).toEqual([403, 'FORBIDDEN']);
    expect(validationPathsOf(await office.post(`/orders/${orderId}/milestones/printed/correct`, {}))).toEqual(['reason']);
  });

  it('after correcting a print the client can cancel again', async () => {
    const trade = service.trade(service.account.liveKey);
    const orderId = await orderWith('printed');
    expect((await trade.post(`/orders/${orderId}/cancel`)).json.error?.code).toBe('ORDER_NOT_CANCELLABLE');
    await correct(orderId, 'printed');
    expect((await trade.post(`/orders/${orderId}/cancel`)).json.data.status).toBe('cancelled');
  });

  it('reopens the workflow of a closed order and updates its search attributes', async () => {
    const orderId = await orderWith('production_started', 'completed');
    const describeRun = () => service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId)).describe();
    await waitFor('closed', async () => (await describeRun()).status.name === 'COMPLETED');
    expect(outcomeOf(await correct(orderId, 'completed'))).toEqual(['in_production', 'in_production', false]);
    const [row] = await service.deps.database.rows('SELECT settled_at, base_status FROM orders WHERE id = $1', [orderId]);
    const { status, searchAttributes } = await describeRun();
    expect([row, status.name, searchAttributes.OrderStatus]).toEqual([
      { settled_at: null, base_status: 'in_production' },
      'RUNNING',
      ['in_production'],
    ]);
    expect(outcomeOf(await sendMilestone(orderId, 'completed', 'done'))).toEqual(['completed', 'completed', false]);
  });

  it('a test order continues to advance from the corrected status', async () => {
    const trade = service.trade(service.account.testKey);
    const { orderId } = await new OrderFactory(service, 'test').place();
    const advanceTo = async (to: string) => (await trade.post(`/test/orders/${orderId}/advance`, { to })).json.data?.status;
    expect(await advanceTo('completed')).toBe('completed');
    const { timeline } = (await office.get(`/orders/${orderId}`)).json.data;
    expect(outcomeOf(await correct(orderId, timeline.at(-1).milestoneId))).toEqual(['in_production', 'in_production', false]);
    expect(await advanceTo('completed')).toBe('completed');
  });

  it('signals and external updates cannot correct, with any claimed actor', async () => {
    const orderId = await orderWith('printed');
    const handle = service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));
    const plain = { type: 'corrected', milestoneId: 'correct:printed', corrects: 'printed', reason: 'I say so' };
    const [token] = await service.deps.database.rows<{ id: string }>(`SELECT id FROM studio_tokens WHERE name = 'Rosa'`);
    const forged = { ...plain, tokenId: token?.id, requestId: 'req_1', seal: 'f'.repeat(64) };
    for (const args of [plain, forged]) {
      const answered = handle.executeUpdate('applyMessage', { args: [args] });
      await expect(answered).rejects.toMatchObject({
        cause: { type: 'MILESTONE_REFUSED', message: expect.stringContaining('studio API') },
      });
      await handle.signal('milestone', args);
    }
    const refused = await waitFor('both signals refused', async () => {
      const { data } = (await office.get(`/orders/${orderId}`)).json;
      return data.timeline.length === 3 ? data : null;
    });
    expect([refused.facts.printed, refused.attention.map(({ code }: { code: string }) => code)]).toEqual([
      true,
      ['SIGNAL_REFUSED', 'SIGNAL_REFUSED'],
    ]);
  });
});
