import { randomBytes } from 'node:crypto';
import { insertMessage } from '../../../src/db/repositories/order-messages';
import { HOUR_MS } from '../../../src/domain/duration';
import type { OrderMessage } from '../../../src/domain/order-messages';
import { newId } from '../../../src/security/ids';
import { TemporalUnavailable } from '../../../src/temporal/breaker';
import { orderWorkflowId } from '../../../workflows/messages';
import { useSharedService } from '../../support/fixtures';
import { sweepOnce } from '../../support/sweep';
import { waitFor } from '../../support/wait-for';
import { aMilestone, aParcel, aParcelVoid, OrderDriver, refusalCodeOf, type OrderRef } from './order-driver';

describe('messages to an order', () => {
  const service = useSharedService();
  const desk = new OrderDriver(service);

  const refusals = async (ref: OrderRef) => (await desk.timeline(ref)).filter(({ outcome }) => outcome === 'refused');
  const attention = (ref: OrderRef) =>
    desk.sql<{ code: string; message: string }>(
      'SELECT code, message FROM order_attention WHERE order_id = $1 AND cleared_at IS NULL ORDER BY id',
      [ref.orderId],
    );
  const untilFirstRefusal = (ref: OrderRef) => waitFor('a refusal in the timeline', async () => (await refusals(ref))[0]);
  const expectStillAnswering = async (ref: OrderRef) => {
    await desk.apply(ref, aMilestone('production_started'));
    expect(await desk.row(ref)).toMatchObject({ base_status: 'in_production' });
    expect((await desk.handle(ref).describe()).status.name).toBe('RUNNING');
  };

  describe('updates', () => {
    it('in sequence change the order, its facts, invoice and events', async () => {
      const ref = await desk.placeOrder();
      const { total_cents } = await desk.row(ref);
      const messages: OrderMessage[] = [
        aMilestone('production_started'),
        aMilestone('held'),
        aMilestone('released'),
        aMilestone('printed'),
        aParcel('p1'),
        aParcel('p2'),
        aParcelVoid('p1'),
        aParcelVoid('p2'),
        { milestoneId: 'pay-1', type: 'payment_recorded', paymentId: 'pay-1', amountCents: Number(total_cents) },
        { milestoneId: 'back-1', type: 'payment_reversed', paymentId: 'pay-1', reason: 'bounced' },
        aMilestone('completed'),
      ];
      for (const message of messages) await desk.apply(ref, message);
      expect(await desk.row(ref)).toMatchObject({
        status: 'completed',
        base_status: 'completed',
        printed: true,
        paid_cents: 0,
        version: 12,
        event_sequence: 8,
      });
      expect(await desk.eventTypes(ref)).toEqual([
        'order.received',
        'order.in_production',
        'order.on_hold',
        'order.in_production',
        'order.shipped',
        'order.shipped',
        'order.in_production',
        'order.completed',
      ]);
      expect((await desk.timeline(ref)).map(({ milestone_id }) => milestone_id)).toEqual(messages.map(({ milestoneId }) => milestoneId));
    });

    it('with a repeated message return the order and change nothing', async () => {
      const ref = await desk.placeOrder();
      const message = aMilestone('production_started', { note: 'press 2' });
      for (let turn = 0; turn < 3; turn += 1) await desk.apply(ref, message);
      expect(await desk.timeline(ref)).toHaveLength(1);
      expect(await desk.eventTypes(ref)).toEqual(['order.received', 'order.in_production']);
    });

    it('a refused message sent again is decided again', async () => {
      const ref = await desk.placeOrder();
      const message = aMilestone('completed');
      expect(await refusalCodeOf(desk.apply(ref, message))).toBe('MILESTONE_REFUSED');
      await desk.apply(ref, aMilestone('production_started'));
      await desk.apply(ref, message);
      expect(await desk.row(ref)).toMatchObject({ base_status: 'completed' });
      expect((await desk.timeline(ref)).at(-1)).toMatchObject({ milestone_id: message.milestoneId, outcome: 'applied' });
    });

    it('the same message by signal and by update counts once', async () => {
      const ref = await desk.placeOrder();
      const message = { milestoneId: 'both-ways', type: 'production_started' as const, occurredAt: '2026-03-01T09:00:00+10:00' };
      await desk.signal(ref, message);
      await waitFor('the signal applied', async () => (await desk.timeline(ref)).length === 1);
      await desk.apply(ref, message);
      expect(await desk.timeline(ref)).toHaveLength(1);
    });

    it('the same id with another content is MILESTONE_ID_REUSED', async () => {
      const ref = await desk.placeOrder();
      await desk.apply(ref, { milestoneId: 'm1', type: 'production_started' });
      expect(await refusalCodeOf(desk.apply(ref, { milestoneId: 'm1', type: 'printed' }))).toBe('MILESTONE_ID_REUSED');
      expect(await refusalCodeOf(desk.apply(ref, { milestoneId: 'm1', type: 'production_started', note: 'other' }))).toBe(
        'MILESTONE_ID_REUSED',
      );
      expect(await desk.row(ref)).toMatchObject({ printed: false, version: 2 });
    });

    it('a refusal names its reason, and nothing is stored', async () => {
      const ref = await desk.placeOrder();
      await expect(desk.apply(ref, aMilestone('completed'))).rejects.toMatchObject({
        code: 'MILESTONE_REFUSED',
        message: expect.stringContaining('production_started'),
      });
      await expect(desk.apply(ref, aParcelVoid('nowhere'))).rejects.toMatchObject({ code: 'MILESTONE_REFUSED' });
      expect(await desk.timeline(ref)).toEqual([]);
      expect(await desk.row(ref)).toMatchObject({ version: 1, event_sequence: 1 });
    });

    it('an invalid update writes nothing to the history', async () => {
      const ref = await desk.placeOrder();
      const length = async () => (await desk.handle(ref).describe()).historyLength;
      await desk.waitUntilIdle(ref);
      const before = await length();
      await expect(desk.gateway.applyMessage(ref.orderId, 'ord_00', 'req_1')).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
      expect(await length()).toBe(before);
    });

    it("have a readable summary in the order's history", async () => {
      const ref = await desk.placeOrder();
      await desk.apply(ref, aMilestone('printed'));
      await desk.apply(ref, aParcel('CC-20041'));
      const { events } = await desk.handle(ref).fetchHistory();
      const words = (events ?? []).flatMap(({ userMetadata }) =>
        userMetadata?.summary?.data ? [JSON.parse(Buffer.from(userMetadata.summary.data).toString())] : [],
      );
      expect(words).toEqual(expect.arrayContaining(['printed', 'parcel CC-20041']));
    });

    it.each(['applyMessage', 'retryDelivery'])('%s with unreadable arguments is refused, and the order continues', async (name) => {
      const ref = await desk.placeOrder();
      const handle = desk.handle(ref);
      const executeUpdate = handle.executeUpdate.bind(handle) as (update: string, options: { args: unknown[] }) => Promise<unknown>;
      for (const args of [[], [null], ['garbage'], [{ type: 'printed' }], [7]]) {
        await expect(executeUpdate(name, { args })).rejects.toThrow(/Update failed/);
      }
      await expectStillAnswering(ref);
    });

    it.each<[string, object]>([
      ['an endpoint id above the maximum length', { endpointId: 'whe_'.padEnd(3000, '0') }],
      ['a delivery id above the maximum length', { deliveryId: 'dlv_'.padEnd(1100, '0') }],
      ['no time', { notBefore: 'x' }],
      ['an object for an account', { accountId: {} }],
      ['NUL in an id', { deliveryId: 'dlv_0\0' }],
      ['attempt 0', { attempt: 0 }],
    ])('a retry with %s is refused before it can fail a task', async (_title, wrong) => {
      const ref = await desk.placeOrder();
      const good = {
        deliveryId: 'dlv_00',
        chain: 1,
        attempt: 2,
        notBefore: new Date().toISOString(),
        endpointId: 'whe_00',
        accountId: ref.accountId,
        title: 'x',
        lastAnswer: 'x',
      };
      await expect(desk.handle(ref).executeUpdate('retryDelivery', { args: [{ ...good, ...wrong }] })).rejects.toThrow(/Update failed/);
      await expectStillAnswering(ref);
    });

    it('an unknown order is NOT_FOUND', async () => {
      const ref: OrderRef = { orderId: 'ord_0123456789', orderNumber: 'T-0', accountId: service.account.accountId, environment: 'test' };
      expect(await refusalCodeOf(desk.apply(ref, aMilestone('printed')))).toBe('NOT_FOUND');
      expect(await refusalCodeOf(desk.cancel(ref))).toBe('NOT_FOUND');
      const id = newId('msg');
      await service.deps.database.run(
        `INSERT INTO order_messages (id, order_id, content, credential_id, request_id, created_at) VALUES ($1, $2, $3, 'tok_1', 'req_1', now())`,
        [id, ref.orderId, JSON.stringify(aMilestone('printed'))],
      );
      expect(await refusalCodeOf(service.deps.temporal.orders.applyMessage(ref.orderId, id, 'req_1'))).toBe('NOT_FOUND');
      await waitFor('its workflow closed', async () => (await desk.handle(ref).describe()).status.name === 'COMPLETED');
    });
  });

  it('an id that is invalid in a URL is not recorded', async () => {
    const ref = await desk.placeOrder();
    const named = (id: string): OrderMessage[] => [
      aMilestone('production_started', { milestoneId: id }),
      { type: 'parcel_added', parcelId: id, trackingNumber: 'T' },
      { type: 'payment_recorded', paymentId: id, amountCents: 1 },
    ];
    for (const message of named('..')) await desk.signal(ref, message);
    await waitFor('the signals refused', async () => (await desk.timeline(ref)).length === 3);
    expect((await desk.timeline(ref)).map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'refused']);
    for (const message of named('...')) await desk.apply(ref, message);
  });

  it('an order number is refused as a tracking number', async () => {
    const ref = await desk.placeOrder();
    const message: OrderMessage = { type: 'parcel_added', parcelId: 'p1', trackingNumber: 'P-10001' };
    await desk.signal(ref, message);
    await waitFor('the signal refused', async () => (await desk.timeline(ref)).length === 1);
    expect(await desk.timeline(ref)).toMatchObject([
      { outcome: 'refused', reason: expect.stringContaining("the carrier's tracking number") },
    ]);
  });

  describe('signals', () => {
    it('apply the same changes as updates, in the order sent', async () => {
      const ref = await desk.placeOrder();
      for (const message of [aMilestone('production_started'), aMilestone('printed'), aParcel('s1'), aMilestone('completed')])
        await desk.signal(ref, message);
      await waitFor('the last one applied', async () => (await desk.row(ref)).base_status === 'completed');
      expect(await desk.row(ref)).toMatchObject({ status: 'shipped', printed: true });
      expect((await desk.timeline(ref)).map(({ actor }) => actor)).toEqual(['signal', 'signal', 'signal', 'signal']);
    });

    it('a repeat changes nothing', async () => {
      const ref = await desk.placeOrder();
      const message = aMilestone('production_started');
      await desk.signal(ref, message);
      await desk.signal(ref, message);
      await desk.signal(ref, aMilestone('printed'));
      await waitFor('both applied', async () => (await desk.row(ref)).printed);
      expect((await desk.timeline(ref)).map(({ type, outcome }) => `${type} ${outcome}`)).toEqual([
        'production_started applied',
        'printed applied',
      ]);
    });

    it.each<[string, unknown[], string]>([
      ['a milestone that the state does not allow', [{ milestoneId: 'x', type: 'completed' }], 'production_started'],
      ['an unknown type', [{ milestoneId: 'x', type: 'teleported' }], 'type must be one of'],
      ['a text', ['printed'], 'must be an object'],
      ['null', [null], 'must be an object'],
      ['a list', [[{ milestoneId: 'x', type: 'printed' }]], 'must be an object'],
      ['no payload', [], 'must be an object'],
      ['bytes', [new Uint8Array([1, 2, 3])], 'milestoneId'],
      ['no id', [{ type: 'printed' }], 'milestoneId'],
      ['an id that cannot become text', [{ milestoneId: { toString: null }, type: 'printed' }], 'milestoneId'],
      ['a NUL in the id', [{ milestoneId: 'a\u0000b', type: 'printed' }], 'milestoneId'],
      ['a lone surrogate', [{ milestoneId: 'x', type: 'printed', note: '\ud800' }], 'note'],
      ['a parcel without tracking', [{ milestoneId: 'x', type: 'parcel_added', parcelId: 'p' }], 'trackingNumber'],
      ['an invalid amount', [{ milestoneId: 'x', type: 'payment_recorded', paymentId: 'p', amountCents: 1.5 }], 'amountCents'],
      [
        'more money than is open',
        [{ milestoneId: 'x', type: 'payment_recorded', paymentId: 'p', amountCents: Number.MAX_SAFE_INTEGER }],
        'the payment is 90071992547409.91',
      ],
      ['an invalid time', [{ milestoneId: 'x', type: 'printed', occurredAt: 'yesterday' }], 'occurredAt'],
      ['a time PostgreSQL cannot store', [{ milestoneId: 'x', type: 'printed', occurredAt: '0000-01-01T00:00:00Z' }], 'occurredAt'],
      ['an earlier time in UTC', [{ milestoneId: 'x', type: 'printed', occurredAt: '0001-01-01T00:00:00+23:59' }], 'occurredAt'],
      ['a later time in UTC', [{ milestoneId: 'x', type: 'printed', occurredAt: '9999-12-31T23:59:59-23:59' }], 'occurredAt'],
      [
        'more text than an index can hold',
        [
          {
            milestoneId: randomBytes(1000).toString('base64'),
            type: randomBytes(200).toString('base64'),
            note: randomBytes(9000).toString('base64'),
          },
        ],
        'milestoneId',
      ],
      [
        'much more text in four-byte characters',
        [
          {
            milestoneId: Array.from({ length: 250 }, (_, i) => String.fromCodePoint(0x1f300 + ((i * 7919) % 700))).join(''),
            type: Array.from({ length: 2500 }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7919) % 42_000))).join(''),
          },
        ],
        'milestoneId',
      ],
    ])('%s is recorded with the reason, and the order continues', async (_title, payload, reason) => {
      const ref = await desk.placeOrder();
      await desk.signal(ref, ...payload);
      expect((await untilFirstRefusal(ref)).reason).toContain(reason);
      await expectStillAnswering(ref);
    });

    it('an id already used for another message is recorded as refused', async () => {
      const ref = await desk.placeOrder();
      await desk.apply(ref, { milestoneId: 'm1', type: 'production_started' });
      await desk.signal(ref, { milestoneId: 'm1', type: 'printed' });
      expect(await untilFirstRefusal(ref)).toMatchObject({
        milestone_id: 'm1',
        type: 'printed',
        reason: expect.stringContaining('used for another'),
      });
      expect(await desk.row(ref)).toMatchObject({ printed: false });
    });

    it('cannot act as the account', async () => {
      const ref = await desk.placeOrder();
      await desk.apply(ref, aMilestone('printed'));
      await desk.signal(ref, { ...aMilestone('cancelled'), actor: 'account' });
      await waitFor("the studio's cancel applied", async () => (await desk.row(ref)).base_status === 'cancelled');
      expect((await desk.timeline(ref)).at(-1)).toMatchObject({ actor: 'signal' });
    });

    it('with an unknown name are in the timeline, need attention, and do not change the order', async () => {
      const ref = await desk.placeOrder();
      await desk.handle(ref).signal('milestones', { milestoneId: 'm-9', type: 'printed' });
      await desk.handle(ref).signal('x'.repeat(900));
      await waitFor('both', async () => (await refusals(ref)).length === 2);
      expect((await refusals(ref))[0]).toMatchObject({
        milestone_id: 'm-9',
        type: 'milestones',
        reason: expect.stringContaining('no signal is named milestones'),
      });
      expect(await attention(ref)).toMatchObject([
        { code: 'SIGNAL_REFUSED', message: expect.stringContaining('milestones') },
        { code: 'SIGNAL_REFUSED' },
      ]);
      await expectStillAnswering(ref);
    });

    it.each(['__temporal_foo', '__temporal_workflow_metadata', '__stack_trace', '__temporal'])(
      "named %s, like Temporal's own, are refused too",
      async (name) => {
        const ref = await desk.placeOrder();
        await desk.handle(ref).signal(name, {});
        expect((await untilFirstRefusal(ref)).reason).toContain(name);
        await expectStillAnswering(ref);
      },
    );

    it.each(['parcel:box', 'payment:1', 'cancel:req_1', 'payment-reversal:1', 'correct:m1'])(
      'the id %s is reserved for the service and refused',
      async (milestoneId) => {
        const ref = await desk.placeOrder();
        await desk.signal(ref, { milestoneId, type: 'printed' });
        expect((await untilFirstRefusal(ref)).reason).toContain('must not begin with');
        expect(await desk.row(ref)).toMatchObject({ printed: false });
      },
    );

    it('cannot act as a token of the studio', async () => {
      const ref = await desk.placeOrder();
      const [{ id }] = (await desk.sql<{ id: string }>('SELECT id FROM studio_tokens LIMIT 1')) as [{ id: string }];
      await desk.signal(ref, { milestoneId: 'm1', type: 'printed', tokenId: id, requestId: 'req_forged' });
      await waitFor('it is applied', async () => (await desk.row(ref)).printed);
      expect(await desk.sql('SELECT actor_id, actor, action, request_id FROM audit_log WHERE subject = $1', [ref.orderId])).toEqual([
        { actor_id: 'signal', actor: 'signal', action: 'milestone.printed', request_id: 'signal' },
      ]);
    });

    it('an update sent to Temporal cannot act as a token or as the account', async () => {
      const ref = await desk.placeOrder();
      const [{ id }] = (await desk.sql<{ id: string }>('SELECT id FROM studio_tokens LIMIT 1')) as [{ id: string }];
      const executeUpdate = (argument: unknown) => desk.handle(ref).executeUpdate<unknown, [unknown]>('applyMessage', { args: [argument] });
      const printed = { milestoneId: 'm1', type: 'printed', tokenId: id, credentialId: id, requestId: 'req_forged', actor: 'account' };
      await expect(executeUpdate(printed)).rejects.toThrow(/Update failed/);
      const unknown = executeUpdate({ messageId: newId('msg'), ...printed });
      await expect(unknown).rejects.toMatchObject({ cause: { type: 'SERVICE_UNAVAILABLE' } });
      expect([await desk.timeline(ref), (await desk.row(ref)).printed]).toEqual([[], false]);
      expect(await desk.sql('SELECT 1 FROM audit_log WHERE subject = $1', [ref.orderId])).toEqual([]);
    });

    it('the id of a message in a history cannot be sent again, to this order or another', async () => {
      const [ref, other] = [await desk.placeOrder(), await desk.placeOrder()];
      const studio = service.studio();
      expect((await studio.post(`/orders/${ref.orderId}/milestones`, { milestoneId: 'm1', type: 'completed' })).status).toBe(409);
      expect((await studio.post(`/orders/${ref.orderId}/milestones`, { milestoneId: 'm2', type: 'production_started' })).status).toBe(200);
      const { events } = await desk.handle(ref).fetchHistory();
      const references = (events ?? [])
        .flatMap(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => accepted?.acceptedRequest?.input?.args?.payloads ?? [])
        .map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()));
      const reference = { messageId: expect.stringMatching(/^msg_/) };
      expect(references).toEqual([reference, reference]);
      for (const sent of references)
        for (const { orderId } of [ref, other])
          await expect(desk.handle({ orderId }).executeUpdate('applyMessage', { args: [sent] })).rejects.toMatchObject({
            cause: { type: 'SERVICE_UNAVAILABLE' },
          });
      expect(await desk.timeline(ref)).toMatchObject([{ milestone_id: 'm2', actor: 'Test admin' }]);
      expect(await desk.timeline(other)).toEqual([]);
    });

    it('a stored message lasts as long as its request, or a day if the request was interrupted', async () => {
      const { orderId } = await desk.placeOrder();
      const sender = { credentialId: newId('tok'), badgeId: null, requestId: 'req_1' };
      const insert = async (id: string, ageHours: number) => {
        const storedAt = new Date(service.deps.clock.now().getTime() - ageHours * HOUR_MS);
        await insertMessage(service.deps.database, { id, orderId, message: aMilestone('printed'), sender }, storedAt);
      };
      const [lost, recent] = [newId('msg'), newId('msg')];
      await insert(lost, 25);
      await insert(recent, 23);
      await desk.apply({ orderId }, aMilestone('held'));
      await refusalCodeOf(desk.apply({ orderId }, aMilestone('completed')));
      await sweepOnce(service.deps);
      expect(await desk.sql('SELECT id FROM order_messages WHERE order_id = $1', [orderId])).toEqual([{ id: recent }]);
    });

    it('a message to another order is not applied', async () => {
      const [ref, other] = [await desk.placeOrder(), await desk.placeOrder()];
      const [id, now] = [newId('msg'), new Date()];
      const sender = { credentialId: newId('tok'), badgeId: null, requestId: 'req_1' };
      await insertMessage(service.deps.database, { id, orderId: ref.orderId, message: aMilestone('printed'), sender }, now);
      await expect(desk.gateway.applyMessage(other.orderId, id, 'req_1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(await desk.timeline(other)).toEqual([]);
    });

    it('a refusal needs attention once, until the same message is applied', async () => {
      const ref = await desk.placeOrder();
      const message = aMilestone('completed');
      await desk.signal(ref, message);
      await desk.signal(ref, message);
      await desk.apply(ref, aMilestone('held'));
      await desk.signal(ref, message);
      await waitFor('two reasons', async () => (await refusals(ref)).length === 2);
      expect(await attention(ref)).toMatchObject([{ code: 'SIGNAL_REFUSED', message: expect.stringContaining('completed: ') }]);
      await desk.apply(ref, aMilestone('released'));
      await desk.apply(ref, aMilestone('production_started'));
      await desk.signal(ref, message);
      await waitFor('it is applied', async () => (await desk.row(ref)).base_status === 'completed');
      expect(await attention(ref)).toEqual([]);
    });

    it.each<[string, Record<string, string>, string]>([
      ['broken JSON', { encoding: 'json/plain' }, '{"milestoneId": '],
      ['an unknown encoding', { encoding: 'binary/encrypted' }, 'xxxx'],
    ])('with the payload %s are recorded as refused, and the order continues', async (_title, metadata, data) => {
      const ref = await desk.placeOrder();
      await desk.apply(ref, aMilestone('printed'));
      const bytes = Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, Buffer.from(value)]));
      await desk.client.workflowService.signalWorkflowExecution({
        namespace: 'default',
        signalName: 'milestone',
        workflowExecution: { workflowId: orderWorkflowId(ref.orderId) },
        input: { payloads: [{ metadata: bytes, data: Buffer.from(data) }] },
      });
      await waitFor('the refusal in the timeline', async () => (await desk.timeline(ref)).some(({ outcome }) => outcome === 'refused'));
      await expectStillAnswering(ref);
      expect(await desk.row(ref)).toMatchObject({ printed: true });
    });
  });

  describe('a parcel or payment is identified by its id', () => {
    it('the same parcel by signal and by update is added once', async () => {
      const ref = await desk.placeOrder();
      const parcel = { type: 'parcel_added' as const, parcelId: 'box-1', trackingNumber: 'AP-1' };
      await desk.signal(ref, { ...parcel, milestoneId: 'floor-1', note: 'two prints' });
      await waitFor('it is added', async () => (await desk.row(ref)).status === 'shipped');
      await desk.apply(ref, parcel);
      expect(await desk.timeline(ref)).toMatchObject([{ milestone_id: 'floor-1', type: 'parcel_added', outcome: 'applied' }]);
      expect(await refusalCodeOf(desk.apply(ref, { ...parcel, trackingNumber: 'AP-2' }))).toBe('MILESTONE_ID_REUSED');
    });

    it('a parcel, a payment and a milestone may have one id', async () => {
      const ref = await desk.placeOrder();
      const milestoneId = 'one';
      await desk.apply(ref, { milestoneId, type: 'printed' });
      await desk.apply(ref, { milestoneId, type: 'parcel_added', parcelId: 'one', trackingNumber: 'AP-1' });
      await desk.apply(ref, { milestoneId, type: 'payment_recorded', paymentId: 'one', amountCents: 1 });
      expect(await desk.timeline(ref)).toHaveLength(3);
      expect(await desk.sql('SELECT action FROM audit_log WHERE subject = $1 ORDER BY id', [ref.orderId])).toEqual([
        { action: 'milestone.printed' },
        { action: 'parcel.add' },
        { action: 'payment.record' },
      ]);
    });

    it('is refused if added again after voiding: a new parcel needs a new id', async () => {
      const ref = await desk.placeOrder();
      const parcel = { type: 'parcel_added' as const, parcelId: 'box-1', trackingNumber: 'AP-1' };
      for (const message of [parcel, { type: 'parcel_voided' as const, parcelId: 'box-1' }]) await desk.apply(ref, message);
      await expect(desk.apply(ref, parcel)).rejects.toMatchObject({
        code: 'MILESTONE_REFUSED',
        message: expect.stringContaining('new parcel id'),
      });
      await desk.apply(ref, { type: 'parcel_voided', parcelId: 'box-1' });
      expect(await desk.row(ref)).toMatchObject({ status: 'received', version: 3 });
    });
  });

  it('a parcel that leaves a cancelled order, and money on a void invoice, need attention until they are undone', async () => {
    const ref = await desk.placeOrder();
    await desk.apply(ref, { type: 'payment_recorded', paymentId: 'bank-1', amountCents: 5 });
    await desk.apply(ref, aMilestone('cancelled'));
    await desk.apply(ref, aParcel('box-1'));
    expect(await attention(ref)).toMatchObject([
      { code: 'PAID_BUT_VOID', message: expect.stringContaining('0.05') },
      { code: 'SHIPPED_AFTER_CANCEL', message: expect.stringContaining('box-1') },
    ]);
    await desk.apply(ref, aParcelVoid('box-1'));
    expect(await attention(ref)).toMatchObject([{ code: 'PAID_BUT_VOID' }]);
    await desk.apply(ref, { type: 'payment_reversed', paymentId: 'bank-1', reason: 'bounced' });
    expect(await attention(ref)).toEqual([]);
  });

  describe('"Request Cancellation" of the Temporal Web UI', () => {
    it('changes nothing, shows a message about it, and the order continues to its end', async () => {
      const ref = await desk.placeOrder();
      await desk.handle(ref).cancel();
      expect(await untilFirstRefusal(ref)).toMatchObject({
        type: 'cancellation_requested',
        reason: expect.stringContaining('does not cancel an order'),
      });
      expect(await attention(ref)).toMatchObject([
        { code: 'CANCELLATION_REQUESTED', message: expect.stringContaining('choose "Cancel order"') },
      ]);
      await expectStillAnswering(ref);
      await desk.signal(ref, aParcel('after'));
      await waitFor('shipped', async () => (await desk.row(ref)).status === 'shipped');
      await desk.apply(ref, aMilestone('completed'));
      expect(await desk.row(ref)).toMatchObject({ base_status: 'completed' });
    });

    it('during waiting messages loses none of them', async () => {
      const ref = await desk.placeOrder();
      const sent = Promise.all(Array.from({ length: 10 }, (_, index) => desk.apply(ref, aParcel(`p${index}`))));
      await desk.handle(ref).cancel();
      await sent;
      expect((await desk.timeline(ref)).filter(({ outcome }) => outcome === 'applied')).toHaveLength(10);
    });
  });

  describe('an order with too many messages', () => {
    it('accepts 200 milestones, refuses more with the reason, and can still be paid, shipped and cancelled', async () => {
      const ref = await desk.placeOrder();
      const long = '\u{1F5BC}'.repeat(250);
      await desk.sql(
        `INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, content, digest, actor, occurred_at, created_at)
        SELECT $1, 'n' || n, 'n' || n, 'printed', 'applied', jsonb_build_object('type', 'printed', 'note', $2::text)::text, 'd', 'floor', now(), now() FROM generate_series(1, 199) n`,
        [ref.orderId, long],
      );
      await desk.apply(ref, aMilestone('printed', { note: long }));
      await expect(desk.apply(ref, aMilestone('printed', { note: long }))).rejects.toMatchObject({
        code: 'MILESTONE_REFUSED',
        message: expect.stringMatching(/200 milestones.*can still cancel/),
      });
      await desk.apply(ref, aParcel('p1'));
      await desk.apply(ref, aParcelVoid('p1'));
      await desk.apply(ref, aMilestone('cancelled'));
      expect(await desk.row(ref)).toMatchObject({ status: 'cancelled' });
    });

    it('accepts 256 KiB of texts, refuses more with the fields to shorten, and can still be cancelled and its parcels voided', async () => {
      const ref = await desk.placeOrder();
      await desk.apply(ref, aParcel('p1'));
      await desk.sql(
        `INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, content, digest, actor, occurred_at, created_at)
        SELECT $1, 'n' || n, 'n' || n, 'printed', 'applied', jsonb_build_object('type', 'printed', 'note', $2::text)::text, 'd', 'floor', now(), now() FROM generate_series(1, 128) n`,
        [ref.orderId, 'x'.repeat(2000)],
      );
      const trackingUrl = `https://track.example/${'9'.repeat(1900)}`;
      const full = { code: 'MILESTONE_REFUSED', message: expect.stringMatching(/of 262144 bytes.*shorten trackingUrl \(1924 bytes\)/) };
      await desk.apply(ref, aMilestone('printed', { note: 'x'.repeat(1900) }));
      await expect(desk.apply(ref, aParcel('p2', { trackingUrl, note: 'on a pallet' }))).rejects.toMatchObject(full);
      await desk.apply(ref, aMilestone('printed', { note: 'short' }));
      await expect(desk.apply(ref, aMilestone('cancelled', { note: 'x'.repeat(2000) }))).rejects.toMatchObject({
        message: expect.stringContaining('shorten note (2002 bytes)'),
      });
      await desk.apply(ref, aParcelVoid('p1'));
      await desk.apply(ref, aMilestone('cancelled', { note: 'the customer called' }));
      expect(await desk.row(ref)).toMatchObject({ status: 'cancelled' });
    });

    it('accepts 200 cancels, and the first one counts', async () => {
      const ref = await desk.placeOrder();
      await desk.apply(ref, aMilestone('cancelled'));
      await desk.sql(
        `INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, content, digest, actor, occurred_at, created_at)
        SELECT $1, 'c' || n, 'c' || n, 'cancelled', 'applied', '{}', 'd', 'floor', now(), now() FROM generate_series(1, 199) n`,
        [ref.orderId],
      );
      await expect(desk.apply(ref, aMilestone('cancelled'))).rejects.toMatchObject({ message: expect.stringContaining('200 cancels') });
    });

    it('accepts 200 parcels, and their labels can be voided', async () => {
      const ref = await desk.placeOrder();
      await desk.sql(
        `INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, content, digest, actor, occurred_at, created_at)
        SELECT $1, 'p' || n, 'parcel:p' || n, 'parcel_added', 'applied', '{}', 'd', 'floor', now(), now() FROM generate_series(1, 199) n`,
        [ref.orderId],
      );
      await desk.apply(ref, aParcel('last'));
      await expect(desk.apply(ref, aParcel('more'))).rejects.toMatchObject({ message: expect.stringContaining('200 parcels') });
      await desk.apply(ref, aParcelVoid('last'));
      await desk.apply(ref, aMilestone('printed'));
    });

    it.each(['\t', '\u0085', '\u2028'])('stores a refused id without its control character (%j)', async (control) => {
      const ref = await desk.placeOrder();
      await desk.signal(ref, { milestoneId: `press${control}7`, type: 'printed' });
      expect(await untilFirstRefusal(ref)).toMatchObject({
        milestone_id: 'press\ufffd7',
        reason: expect.stringContaining('milestoneId must not contain control characters'),
      });
    });

    it('stores 200 refusals, and reports once that there were more', async () => {
      const ref = await desk.placeOrder();
      await desk.sql(
        `INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, reason, content, actor, occurred_at, created_at)
        SELECT $1, 'r' || n, '', 'printed', 'refused', 'no', '{}', 'signal', now(), now() FROM generate_series(1, 199) n`,
        [ref.orderId],
      );
      for (const milestoneId of ['a', 'b', 'c']) await desk.signal(ref, { milestoneId, type: 'teleported' });
      await waitFor('the report of further refusals', async () =>
        (await attention(ref)).some(({ message }) => message.includes('more than 200')),
      );
      await expectStillAnswering(ref);
      expect(await refusals(ref)).toHaveLength(200);
      expect(await attention(ref)).toHaveLength(2);
    });
  });

  it('a cancel racing "printed" has exactly one winner', async () => {
    const refs = await Promise.all(Array.from({ length: 30 }, () => desk.placeOrder()));
    const outcomes = await Promise.all(
      refs.map(async (ref, round) => {
        const cancel = () => refusalCodeOf(desk.cancel(ref));
        const print = () => refusalCodeOf(desk.apply(ref, aMilestone('printed')));
        const [cancelled, printed] =
          round % 2 === 0 ? await Promise.all([cancel(), print()]) : (await Promise.all([print(), cancel()])).reverse();
        const row = await desk.row(ref);
        expect([cancelled, printed].filter((code) => code === 'answered')).toHaveLength(1);
        if (cancelled === 'answered') {
          expect(printed).toBe('MILESTONE_REFUSED');
          expect(row).toMatchObject({ base_status: 'cancelled', printed: false, invoice_voided_at: expect.any(Date) });
        } else {
          expect(cancelled).toBe('ORDER_NOT_CANCELLABLE');
          expect(row).toMatchObject({ base_status: 'received', printed: true, invoice_voided_at: null });
        }
        expect(await desk.timeline(ref)).toHaveLength(1);
        return cancelled;
      }),
    );
    expect(outcomes).toHaveLength(30);
  });

  it('a cancel names every obstacle, and a cancelled order is returned unchanged', async () => {
    const ref = await desk.placeOrder();
    await desk.apply(ref, aMilestone('printed'));
    await desk.apply(ref, aParcel('c1'));
    await desk.apply(ref, { milestoneId: 'c-pay', type: 'payment_recorded', paymentId: 'c-pay', amountCents: 1 });
    await expect(desk.cancel(ref)).rejects.toMatchObject({
      code: 'ORDER_NOT_CANCELLABLE',
      message: expect.stringMatching(/shipped.*printed.*money/s),
    });
    const other = await desk.placeOrder();
    await Promise.all([desk.cancel(other), desk.cancel(other), desk.cancel(other)]);
    expect(await desk.timeline(other)).toHaveLength(1);
    expect(await desk.eventTypes(other)).toEqual(['order.received', 'order.cancelled']);
  });

  it('forty concurrent signals and forty updates are all applied once', async () => {
    const ref = await desk.placeOrder();
    const parcels = Array.from({ length: 40 }, (_, index) => index);
    // A busy machine may respond too late. A sender without a response repeats the same message.
    const applyUntilAnswered = async (message: OrderMessage): Promise<void> => {
      await desk.apply(ref, message).catch((error: unknown) => {
        if (error instanceof TemporalUnavailable) return applyUntilAnswered(message);
        throw error;
      });
    };
    await Promise.all(parcels.flatMap((index) => [desk.signal(ref, aParcel(`sig${index}`)), applyUntilAnswered(aParcel(`upd${index}`))]));
    await waitFor('all eighty', async () => (await desk.timeline(ref)).length === 80);
    const [{ parcels: count }] = (await desk.sql<any>(`SELECT count(*)::int AS parcels FROM parcels WHERE order_id = $1`, [
      ref.orderId,
    ])) as [any];
    expect(count).toBe(80);
    expect(await desk.row(ref)).toMatchObject({ version: 81, event_sequence: 81 });
  });
});
