import { newId, newSecret } from '../../../src/security/ids';
import { createActivities } from '../../../activities';
import { resumeLostOrders } from '../../../activities/lost-orders';
import { decide, decideChange, eventStatus, type OrderMessage } from '../../../src/domain/order-messages';
import { describeIssues, readSignal } from '../../../src/domain/order-messages/read';
import { orderState, orderWorkflowId } from '../../../workflows/messages';
import { SEARCH_ATTRIBUTES } from '../../../workflows/search-attributes';
import { anAccount } from '../../support/accounts';
import { anIdempotencyKeyHeader, anOrder, aQuote, placeOrder } from '../../support/baskets';
import { startService } from '../../support/service';
import { useFixture, useService } from '../../support/fixtures';
import { warnings } from '../../support/temporal-runtime';
import { waitFor } from '../../support/wait-for';
import { aMilestone, aParcel, aParcelVoid, OrderDriver, refusalCodeOf, type OrderRef } from './order-driver';

describe('an order without its workflow', () => {
  const service = useService();
  const desk = useFixture(() => new OrderDriver(service));

  /** An order with a print and a parcel, whose workflow is then lost. */
  const aLostOrder = async (): Promise<OrderRef> => {
    const ref = await desk.placeOrder();
    await desk.apply(ref, { milestoneId: 'm1', type: 'production_started' });
    await desk.apply(ref, aParcel('p1'));
    await desk.handle(ref).terminate('lost');
    return ref;
  };
  const status = async (workflowId: string) => (await desk.client.workflow.getHandle(workflowId).describe()).status.name;

  it('is resumed by the next milestone, with its earlier messages applied', async () => {
    const ref = await aLostOrder();
    await desk.apply(ref, { milestoneId: 'm1', type: 'production_started' });
    expect(await refusalCodeOf(desk.apply(ref, { milestoneId: 'm1', type: 'printed' }))).toBe('MILESTONE_ID_REUSED');
    await desk.apply(ref, aMilestone('completed'));
    expect(await desk.row(ref)).toMatchObject({ status: 'shipped', base_status: 'completed', version: 4 });
    expect(await desk.timeline(ref)).toHaveLength(3);
  });

  it('is resumed by a cancel, which is decided on the stored facts', async () => {
    const ref = await aLostOrder();
    await expect(desk.cancel(ref)).rejects.toMatchObject({ code: 'ORDER_NOT_CANCELLABLE', message: expect.stringContaining('shipped') });
    const cancellable = await desk.placeOrder();
    await desk.handle(cancellable).terminate('lost');
    await desk.cancel(cancellable);
    expect(await desk.row(cancellable)).toMatchObject({ base_status: 'cancelled', invoice_voided_at: expect.any(Date) });
  });

  it('is started by a signal with only its id: loads the order, applies the signal and sets its search attributes', async () => {
    const ref = await aLostOrder();
    await desk.signalWithStart(ref, aMilestone('completed'));
    await waitFor('the signal applied', async () => (await desk.row(ref)).base_status === 'completed');
    expect((await desk.timeline(ref)).map(({ type, outcome, actor }) => [type, outcome, actor])).toEqual([
      ['production_started', 'applied', 'STUDIO_ADMIN_TOKEN'],
      ['parcel_added', 'applied', 'STUDIO_ADMIN_TOKEN'],
      ['completed', 'applied', 'signal'],
    ]);
    await desk.apply(ref, aParcelVoid('p1'));
    const { typedSearchAttributes: attributes } = await desk.handle(ref).describe();
    const named = Object.values(SEARCH_ATTRIBUTES).map((key) => [key.name, attributes.get(key)]);
    expect(Object.fromEntries(named)).toMatchObject({
      OrderNumber: ref.orderNumber,
      OrderStatus: 'completed',
      TradeAccount: ref.accountId,
      OrderEnvironment: 'test',
    });
  });

  it('a signal with start for an order that is not stored ends its workflow, with the reason in the log', async () => {
    const unknown = { orderId: newId('ord') };
    await desk.signalWithStart(unknown, aMilestone('printed'));
    await waitFor('its workflow closed', async () => (await status(orderWorkflowId(unknown.orderId))) === 'COMPLETED');
    expect(warnings).toContainEqual({
      message: 'the order does not exist in the database; its workflow ends',
      meta: expect.objectContaining({ orderId: unknown.orderId }),
    });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['no order id', {}],
    ['an unknown id', { orderId: 'ord_X' }],
    ['NUL in the id', { orderId: 'ord_0\0' }],
  ])('a start with %s fails the workflow, and is not retried', async (_title, input) => {
    const unknown = { orderId: newId('ord') };
    await desk.signalWithStart(unknown, aMilestone('printed'), input);
    await expect(desk.handle(unknown).result()).rejects.toMatchObject({
      cause: { type: 'VALIDATION_ERROR', message: expect.stringContaining('{ orderId }') },
    });
  });

  it('keeps its quote spent: ordering it again names the order, and starts nothing', async () => {
    const quoteId = await desk.createQuote();
    const ref = await desk.placeOrderOf(quoteId);
    await desk.handle(ref).terminate('lost');
    expect(await refusalCodeOf(desk.placeOrderOf(quoteId))).toBe('QUOTE_ALREADY_ORDERED');
    expect(await status(orderWorkflowId(ref.orderId))).toBe('TERMINATED');
  });

  it('is resumed by the sweeper', async () => {
    const ref = await aLostOrder();
    const running = await desk.placeOrder();
    await desk.sql(`UPDATE orders SET workflow_checked_at = workflow_checked_at - interval '2 minutes'`);
    const countRecentlySeen = async (): Promise<number> =>
      (
        await desk.sql(`SELECT 1 FROM orders WHERE id = ANY ($1) AND workflow_checked_at > now() - interval '1 minute'`, [
          [ref.orderId, running.orderId],
        ])
      ).length;
    expect(await countRecentlySeen()).toBe(0);
    const found = await desk.client.workflow.execute('sweep', { workflowId: `sweep-${newSecret()}`, taskQueue: service.taskQueue });
    expect(found).toMatchObject({ oldestCheckAt: expect.stringMatching(/Z$/), idempotencyRecords: expect.any(Number) });
    expect(found.orders).toBeGreaterThanOrEqual(1);
    expect(found.looked).toBeGreaterThanOrEqual(2);
    expect(await countRecentlySeen()).toBe(2);
    expect(await status(orderWorkflowId(ref.orderId))).toBe('RUNNING');
    await desk.signal(ref, aMilestone('printed'));
    await waitFor('the resumed order applies', async () => (await desk.row(ref)).printed);
    await desk.handle(ref).terminate('done');
  });

  it('is resumed also if the check of another order fails; an outage fails the run', async () => {
    const [lost, failing] = [await aLostOrder(), await aLostOrder()];
    const { runs } = service.deps.temporal;
    const sweep = (isFailing: (orderId: string) => boolean) => {
      const withFailures = Object.create(runs) as typeof runs;
      withFailures.describeOrder = (id) => (isFailing(id) ? Promise.reject(new Error('namespace is away')) : runs.describeOrder(id));
      const temporal = { ...service.deps.temporal, runs: withFailures };
      return resumeLostOrders({ ...service.deps, temporal }, new AbortController().signal);
    };
    const makeDue = () =>
      desk.sql(`UPDATE orders SET workflow_checked_at = workflow_checked_at - interval '2 minutes' WHERE id = ANY ($1)`, [
        [lost.orderId, failing.orderId],
      ]);
    await makeDue();
    await expect(sweep(() => true)).rejects.toThrow('namespace is away');
    await sweep((id) => id === failing.orderId);
    expect(await Promise.all([lost, failing].map(({ orderId }) => status(orderWorkflowId(orderId))))).toEqual(['RUNNING', 'TERMINATED']);
    await makeDue();
    await sweep(() => false);
    expect(await status(orderWorkflowId(failing.orderId))).toBe('RUNNING');
    for (const ref of [lost, failing]) await desk.handle(ref).terminate('done');
  });

  it('an order with a lost start is started by any API process that checks', async () => {
    const ref = await desk.placeOrder();
    await desk.handle(ref).terminate('as if it had never been started');
    const other = await desk.placeOrder();
    await desk.sql(`UPDATE orders SET workflow_checked_at = NULL WHERE id = ANY ($1)`, [[ref.orderId, other.orderId]]);
    await waitFor('both marked', async () => (await desk.sql(`SELECT 1 FROM orders WHERE workflow_checked_at IS NULL`)).length === 0);
    expect(await status(orderWorkflowId(other.orderId))).toBe('RUNNING');
    // A closed run is not restarted with its old facts: the next message starts one with the stored facts.
    expect(await status(orderWorkflowId(ref.orderId))).toBe('TERMINATED');
    await desk.apply(ref, aMilestone('production_started'));
    expect(await desk.row(ref)).toMatchObject({ base_status: 'in_production' });
  });

  it('keeps changes that a dead run stored and no sender repeats', async () => {
    const ref = await desk.placeOrder();
    const activities = createActivities(service.deps);
    const before = (await activities.loadOrder({ orderId: ref.orderId }))?.state;
    if (before === undefined) throw new Error('no order');
    const storeMessage = async (facts: typeof before.facts, expectedVersion: number, message: OrderMessage) => {
      const verdict = decide(facts, message);
      if ('refused' in verdict) throw new Error(verdict.refused);
      const outcome = await activities.applyChange({
        orderId: ref.orderId,
        accountId: before.accountId,
        orderNumber: ref.orderNumber,
        expectedVersion,
        message,
        sender: null,
        decision: { facts: verdict.facts, eventStatus: eventStatus(facts, verdict.facts) },
      });
      return { facts: verdict.facts, outcome };
    };
    const [started, printed] = [toReceivedMessage(aMilestone('production_started')), toReceivedMessage(aMilestone('printed'))];
    const first = await storeMessage(before.facts, 1, started);
    expect(first.outcome).toEqual({ outcome: 'applied', version: 2 });
    await storeMessage(first.facts, 2, printed);
    // The task that stored both was lost with "printed". "production started" runs again.
    expect((await storeMessage(before.facts, 1, started)).outcome).toMatchObject({
      outcome: 'repeated',
      stored: { version: 3, facts: { printed: true } },
    });
    // The order's workflow has not seen them, and reads them before its next decision.
    await desk.apply(ref, started);
    await expect(desk.cancel(ref)).rejects.toMatchObject({ code: 'ORDER_NOT_CANCELLABLE' });
  });

  /** Stores a milestone as a workflow task does that is lost before its workflow learns the result. */
  const storeInLostTask = async (ref: OrderRef, type: 'cancelled' | 'printed'): Promise<void> => {
    const activities = createActivities(service.deps);
    await waitFor('its workflow', async () => (await status(orderWorkflowId(ref.orderId)).catch(() => null)) === 'RUNNING');
    const state = (await activities.loadOrder({ orderId: ref.orderId }))?.state;
    if (state === undefined) throw new Error('no order');
    const { accountId, orderNumber, version: expectedVersion, facts } = state;
    const message = toReceivedMessage(aMilestone(type));
    const decision = decideChange(facts, message);
    const stored = await activities.applyChange({
      orderId: ref.orderId,
      accountId,
      orderNumber,
      expectedVersion,
      message,
      sender: null,
      decision,
    });
    expect(stored).toMatchObject({ outcome: 'applied' });
  };

  it('that a lost task settled, or changed, is loaded again by the sweeper, and only once', async () => {
    const [settled, changed] = [await desk.placeOrder(), await desk.placeOrder()];
    await Promise.all([storeInLostTask(settled, 'cancelled'), storeInLostTask(changed, 'printed')]);
    // The worker died and the callers are gone: no message reaches these workflows any more.
    await desk.sql(`UPDATE orders SET workflow_checked_at = workflow_checked_at - interval '2 minutes'`);
    const sweep = () => desk.client.workflow.execute('sweep', { workflowId: `sweep-${newSecret()}`, taskQueue: service.taskQueue });
    await sweep();
    const known = async (ref: OrderRef) => (await desk.handle(ref).query(orderState))?.version;
    await waitFor('both loaded', async () => (await known(settled)) === 2 && (await known(changed)) === 2);
    await desk.sql(`UPDATE orders SET workflow_checked_at = workflow_checked_at - interval '2 minutes' WHERE id = $1`, [changed.orderId]);
    await sweep();
    const reloads = async (ref: OrderRef): Promise<number> =>
      ((await desk.handle(ref).fetchHistory()).events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
    expect([await reloads(settled), await reloads(changed)]).toEqual([1, 1]);
    expect(await desk.sql('SELECT 1 FROM orders WHERE id = $1 AND settled_at < workflow_checked_at', [settled.orderId])).toHaveLength(1);
  });

  it('reads a change that a lost task stored for a caller who is gone', async () => {
    const ref = await desk.placeOrder();
    await storeInLostTask(ref, 'cancelled');
    // The task was lost with its worker. The update runs again when the row of its message is deleted.
    await expect(service.deps.temporal.orders.applyMessage(ref.orderId, newId('msg'), newId('req'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await desk.handle(ref).query(orderState)).toMatchObject({ version: 2, facts: { baseStatus: 'cancelled' } });
  });

  it('with an older state than the database decides again on the stored state', async () => {
    const ref = await desk.placeOrder();
    await desk.sql(`UPDATE orders SET printed = true, printed_lines = '{0}', version = version + 1 WHERE id = $1`, [ref.orderId]);
    await desk.apply(ref, aMilestone('production_started'));
    await expect(desk.cancel(ref)).rejects.toMatchObject({ code: 'ORDER_NOT_CANCELLABLE' });
    expect(await desk.row(ref)).toMatchObject({ base_status: 'in_production', printed: true, version: 3 });
  });

  it('a refused submission leaves no workflow, and a later one of the same quote places the order', async () => {
    const poor = await anAccount(service.deps.database, { creditLimitCents: 0 });
    const trade = service.trade(poor.testKey);
    const { quoteId } = await aQuote(trade);
    const workflowId = orderWorkflowId(`ord_${quoteId.slice(4)}`);
    const headers = anIdempotencyKeyHeader();
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await placeOrder(trade, quoteId, headers)).json.error?.code).toBe('CREDIT_LIMIT_EXCEEDED');
      await expect(status(workflowId)).rejects.toThrow(/not found/i);
    }
    await desk.sql(`UPDATE accounts SET credit_limit_cents = NULL WHERE id = $1`, [poor.accountId]);
    expect((await placeOrder(trade, quoteId, headers)).status).toBe(201);
    await waitFor('its workflow', () => status(workflowId).catch(() => null));
  });

  it('many concurrent refused submissions all get their refusal', async () => {
    const poor = await anAccount(service.deps.database, { creditLimitCents: 0 });
    const { quoteId } = await aQuote(service.trade(poor.testKey));
    const codes = await Promise.all(Array.from({ length: 12 }, () => refusalCodeOf(desk.placeOrderOf(quoteId, 'test', poor.accountId))));
    expect(new Set(codes)).toEqual(new Set(['CREDIT_LIMIT_EXCEEDED']));
  });

  it('an order is placed without a worker, and its workflow continues when there is one', async () => {
    const idle = await startService({ worker: false });
    try {
      const trade = idle.trade(idle.account.testKey);
      const order = await anOrder(trade);
      const cancelled = trade.post(`/orders/${order.orderId}/cancel`);
      await idle.startWorker();
      expect((await cancelled).json.data).toMatchObject({ orderId: order.orderId, status: 'cancelled' });
    } finally {
      await idle.stop();
    }
  });
});

/** The message in the format that the workflow stores. */
function toReceivedMessage(message: OrderMessage): OrderMessage {
  const read = readSignal(message);
  if ('issues' in read) throw new Error(describeIssues(read.issues));
  return read.message;
}
