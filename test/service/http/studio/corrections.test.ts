import { orderWorkflowId } from '../../../../workflows/messages';
import type { HttpClient, Reply } from '../../../support/client';
import { useFixture, useService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';
import { aToken, findAuditEntries, findEventTypes, validationPathsOf, OrderFactory } from './support';

describe('POST /orders/{id}/milestones/{milestoneId}/correct', () => {
  const service = useService(() => ({ env: { ORDER_QUIET_PERIOD: '1s' } }));
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor')));
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Rosa' })));
  const orders = new OrderFactory(service);

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
  /** Removes links to artwork, which are signed again each second. */
  const withoutJob = ({ json: { data } }: Reply) => ({ ...data, job: null });
  const order = async (orderId: string) => withoutJob(await office.get(`/orders/${orderId}`));
  const outcomeOf = ({ status, json }: Reply) =>
    status === 200 ? [json.data.status, json.data.baseStatus, json.data.facts.printed] : [status, json.error?.code];

  it.each<[steps: string[], corrected: string, after: unknown[], told: string[]]>([
    [['production_started', 'held', 'released'], 'released', ['on_hold', 'on_hold', false], ['order.on_hold']],
    [['production_started', 'parcel', 'completed'], 'completed', ['shipped', 'in_production', false], []],
    [['printed', 'cancelled'], 'printed', ['cancelled', 'cancelled', false], []],
  ])('after %j, undoing %s leaves %j and emits %j', async (steps, corrected, after, told) => {
    const orderId = await orderWith(...steps);
    const before = await findEventTypes(service, orderId);
    expect(outcomeOf(await correct(orderId, corrected))).toEqual(after);
    expect((await findEventTypes(service, orderId)).slice(before.length)).toEqual(told);
  });

  it('the timeline shows whether each milestone can be undone now', async () => {
    const orderId = await orderWith('production_started', 'held', 'released', 'printed');
    const correctable = (after: { timeline: { milestoneId: string; correctable: boolean }[] }) =>
      after.timeline.filter((entry) => entry.correctable).map(({ milestoneId }) => milestoneId);
    expect(correctable(await order(orderId))).toEqual(['production_started', 'released', 'printed']);
    expect(correctable((await correct(orderId, 'released')).json.data)).toEqual(['production_started', 'held', 'printed']);
  });

  it('keeps both entries with the actor, in the audit log too, and a repeat changes nothing', async () => {
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

  it('accepts a milestone id of the maximum length', async () => {
    const orderId = await orderWith();
    const longest = '🖼'.repeat(200);
    expect(outcomeOf(await sendMilestone(orderId, 'printed', longest))).toEqual(['received', 'received', true]);
    expect(outcomeOf(await correct(orderId, longest))).toEqual(['received', 'received', false]);
  });

  it('another milestone of the same type stays in effect', async () => {
    const orderId = await orderWith('production_started');
    await sendMilestone(orderId, 'production_started', 'other/press 2');
    expect(outcomeOf(await correct(orderId, 'production_started'))).toEqual(['in_production', 'in_production', false]);
    expect(outcomeOf(await correct(orderId, 'other/press 2'))).toEqual(['received', 'received', false]);
  });

  it.each<[steps: string[], corrected: string, why: RegExp]>([
    [['production_started', 'completed'], 'production_started', /completed \(completed\) came later and depends on it/],
    [['cancelled'], 'cancelled', /cannot be undone/],
    [['parcel'], 'parcel:box', /void the parcel/],
  ])('after %j, undoing %s is refused: %p', async (steps, corrected, why) => {
    const orderId = await orderWith(...steps);
    const before = await order(orderId);
    const reply = await correct(orderId, corrected);
    expect(reply.json.error).toMatchObject({ code: 'CORRECTION_REFUSED', message: expect.stringMatching(why) });
    expect([reply.status, await order(orderId)]).toEqual([409, before]);
  });

  it('refuses to undo a correction or an unknown id, or without a reason', async () => {
    const orderId = await orderWith('printed');
    await correct(orderId, 'printed');
    expect(outcomeOf(await correct(orderId, 'correct:printed'))).toEqual([409, 'CORRECTION_REFUSED']);
    expect(outcomeOf(await correct(orderId, 'nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(outcomeOf(await correct(orderId, 'x\u0000'))).toEqual([404, 'NOT_FOUND']);
    expect(validationPathsOf(await office.post(`/orders/${orderId}/milestones/printed/correct`, {}))).toEqual(['reason']);
  });

  it('the client can cancel again after a mistaken print is undone', async () => {
    const trade = service.trade(service.account.liveKey);
    const orderId = await orderWith('printed');
    expect((await trade.post(`/orders/${orderId}/cancel`)).json.error?.code).toBe('ORDER_NOT_CANCELLABLE');
    await correct(orderId, 'printed');
    expect((await trade.post(`/orders/${orderId}/cancel`)).json.data.status).toBe('cancelled');
  });

  it('resumes an order with a closed workflow: it is open and found by its status', async () => {
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

  it('a test order advances from its status after the correction', async () => {
    const trade = service.trade(service.account.testKey);
    const { orderId } = await new OrderFactory(service, 'test').place();
    const advanceTo = async (to: string) => (await trade.post(`/test/orders/${orderId}/advance`, { to })).json.data?.status;
    expect(await advanceTo('completed')).toBe('completed');
    const { timeline } = (await office.get(`/orders/${orderId}`)).json.data;
    expect(outcomeOf(await correct(orderId, timeline.at(-1).milestoneId))).toEqual(['in_production', 'in_production', false]);
    expect(await advanceTo('completed')).toBe('completed');
  });

  it('refuses corrections by signal and by an external update with any claimed actor', async () => {
    const orderId = await orderWith('printed');
    const handle = service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));
    const plain = { type: 'corrected', milestoneId: 'correct:printed', corrects: 'printed', reason: 'I say so' };
    const [token] = await service.deps.database.rows<{ id: string }>(`SELECT id FROM studio_tokens WHERE name = 'Rosa'`);
    const forged = { ...plain, credentialId: token?.id, requestId: 'req_1' };
    for (const args of [plain, forged]) {
      const answered = handle.executeUpdate('applyMessage', { args: [args] });
      await expect(answered).rejects.toMatchObject({ cause: { type: 'VALIDATION_ERROR' } });
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

  describe('by the floor (ruling 78)', () => {
    const undo = (studio: HttpClient, orderId: string, milestoneId: string) =>
      studio.post(`/orders/${orderId}/milestones/${milestoneId}/correct`, { reason: 'wrong button' });
    const refusalOf = ({ status, json }: Reply) => [status, json.error?.code, json.error?.message];
    const undoableUntil = async (studio: HttpClient, orderId: string) =>
      (await studio.get(`/orders/${orderId}`)).json.data.timeline.map((entry: { undoableUntil: string | null }) => entry.undoableUntil);

    it('undoes the last milestone of its own token, with the event of the status', async () => {
      const orderId = await orderWith('production_started');
      const { timeline } = (await floor.get(`/orders/${orderId}`)).json.data;
      expect(Date.parse(timeline[0].undoableUntil) - Date.parse(timeline[0].recordedAt)).toBe(60_000);
      const first = await undo(floor, orderId, 'production_started');
      expect(outcomeOf(first)).toEqual(['received', 'received', false]);
      expect(await findEventTypes(service, orderId)).toEqual(['order.received', 'order.in_production', 'order.received']);
      const repeat = await undo(floor, orderId, 'production_started');
      expect([repeat.status, withoutJob(repeat)]).toEqual([200, withoutJob(first)]);
      expect(await undoableUntil(floor, orderId)).toEqual([null, null]);
    });

    it('undoes several milestones, the latest first', async () => {
      const orderId = await orderWith('production_started', 'printed');
      expect(refusalOf(await undo(floor, orderId, 'production_started'))).toEqual([
        403,
        'FORBIDDEN',
        'the floor can undo only the last milestone of an order, printed (printed); ask the office to correct production_started',
      ]);
      expect(outcomeOf(await undo(floor, orderId, 'printed'))).toEqual(['in_production', 'in_production', false]);
      expect(outcomeOf(await undo(floor, orderId, 'production_started'))).toEqual(['received', 'received', false]);
    });

    it('refuses a milestone after sixty seconds, which the office still corrects', async () => {
      const orderId = await orderWith('printed');
      await service.deps.database.run(`UPDATE order_timeline SET created_at = created_at - interval '61 seconds' WHERE order_id = $1`, [
        orderId,
      ]);
      expect(await undoableUntil(floor, orderId)).toEqual([null]);
      expect(refusalOf(await undo(floor, orderId, 'printed'))).toEqual([
        403,
        'FORBIDDEN',
        'the floor can undo a milestone only within 60 seconds; ask the office to correct printed',
      ]);
      expect((await order(orderId)).facts.printed).toBe(true);
      expect(outcomeOf(await correct(orderId, 'printed'))).toEqual(['received', 'received', false]);
    });

    it('refuses the milestone of another token, of a signal or of the account', async () => {
      const other = service.studio(await aToken(service, 'floor'));
      const orderId = await orderWith('printed');
      expect(await undoableUntil(other, orderId)).toEqual([null]);
      expect(refusalOf(await undo(other, orderId, 'printed'))).toEqual([
        403,
        'FORBIDDEN',
        'another sender recorded printed; the floor can undo only the milestones of its own token, so ask the office to correct it',
      ]);
      const handle = service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));
      await handle.signal('milestone', { type: 'held', milestoneId: 'signalled' });
      await waitFor('the signal', async () => (await order(orderId)).status === 'on_hold');
      expect(outcomeOf(await undo(floor, orderId, 'signalled'))).toEqual([403, 'FORBIDDEN']);
      expect(outcomeOf(await undo(floor, orderId, 'printed'))).toEqual([403, 'FORBIDDEN']); // no longer the last
      expect((await order(orderId)).status).toBe('on_hold');
    });

    it('a refused undo is in the audit log', async () => {
      const other = service.studio(await aToken(service, 'floor', { name: 'Trimmer' }));
      const orderId = await orderWith('printed');
      expect(outcomeOf(await undo(other, orderId, 'printed'))).toEqual([403, 'FORBIDDEN']);
      const entries = await findAuditEntries(service, 'POST /orders/:id/milestones/:milestoneId/correct');
      expect(entries.filter(({ actor }) => actor === 'Trimmer')).toMatchObject([
        { action: 'write.refused', after: { code: 'FORBIDDEN', count: 1 } },
      ]);
    });

    it('refuses what the office cannot correct either', async () => {
      const orderId = await orderWith('cancelled');
      expect(outcomeOf(await undo(floor, orderId, 'cancelled'))).toEqual([409, 'CORRECTION_REFUSED']);
      expect(outcomeOf(await undo(floor, orderId, 'nothing'))).toEqual([404, 'NOT_FOUND']);
    });

    it('never undoes a milestone that is no longer the last, in any interleaving', async () => {
      const other = service.studio(await aToken(service, 'floor'));
      const orderIds = await Promise.all([1, 2, 3, 4, 5, 6].map(() => orderWith('production_started')));
      for (const orderId of orderIds) {
        const [undone, later] = await Promise.all([
          undo(floor, orderId, 'production_started'),
          other.post(`/orders/${orderId}/milestones`, { milestoneId: 'later', type: 'printed' }),
        ]);
        const recorded = (await order(orderId)).timeline.map(({ milestoneId }: { milestoneId: string }) => milestoneId);
        expect([later.status, recorded]).toEqual([
          200,
          undone.status === 200 ? ['production_started', 'correct:production_started', 'later'] : ['production_started', 'later'],
        ]);
        if (undone.status !== 200) expect(outcomeOf(undone)).toEqual([403, 'FORBIDDEN']);
      }
    });
  });
});
