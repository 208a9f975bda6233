import { newSecret } from '../../src/security/ids';
import type { OrderRef } from '../../src/temporal';
import { createActivities } from '../../activities';
import { messageContent, readOrderMessage } from '../../src/domain/order-message';
import { decide, eventStatus, type OrderMessage } from '../../src/domain/order-status';
import { orderWorkflowId, quoteWorkflowId } from '../../workflows/messages';
import { anAccount } from '../support/accounts';
import { aKeyHeader, aQuote, placeOrder } from '../support/baskets';
import { startService, type TestService } from '../support/service';
import { waitFor } from '../support/wait-for';
import { aMilestone, aParcel, OrderDesk, refusalCode } from './order-desk';

describe('an order whose workflow is gone', () => {
  let service: TestService;
  let desk: OrderDesk;
  beforeAll(async () => {
    service = await startService();
    desk = new OrderDesk(service);
  });
  afterAll(() => service.stop());

  /** Printed, one parcel, and then its workflow is lost. */
  const aLostOrder = async (): Promise<OrderRef> => {
    const ref = await desk.order();
    await desk.apply(ref, { milestoneId: 'm1', type: 'production_started' });
    await desk.apply(ref, aParcel('p1'));
    await desk.handle(ref).terminate('lost');
    return ref;
  };
  const status = async (workflowId: string) => (await desk.door.client.workflow.getHandle(workflowId).describe()).status.name;

  it('is resumed by the next milestone, with what was applied before', async () => {
    const ref = await aLostOrder();
    await desk.apply(ref, { milestoneId: 'm1', type: 'production_started' });
    expect(await refusalCode(desk.apply(ref, { milestoneId: 'm1', type: 'printed' }))).toBe('MILESTONE_ID_REUSED');
    await desk.apply(ref, aMilestone('completed'));
    expect(await desk.row(ref)).toMatchObject({ status: 'shipped', base_status: 'completed', version: 4 });
    expect(await desk.timeline(ref)).toHaveLength(3);
  });

  it('is resumed by a cancel, which is judged on the facts stored', async () => {
    const ref = await aLostOrder();
    await expect(desk.cancel(ref)).rejects.toMatchObject({ code: 'ORDER_NOT_CANCELLABLE', message: expect.stringContaining('shipped') });
    const cancellable = await desk.order();
    await desk.handle(cancellable).terminate('lost');
    await desk.cancel(cancellable);
    expect(await desk.row(cancellable)).toMatchObject({ base_status: 'cancelled', invoice_voided_at: expect.any(Date) });
  });

  it('refuses to be submitted again', async () => {
    const quoteId = await desk.quote();
    const ref = await desk.submit(quoteId);
    await desk.handle(ref).terminate('lost');
    expect(await refusalCode(desk.submit(quoteId))).toBe('QUOTE_ALREADY_ORDERED');
    await waitFor('its workflow closed', async () => (await status(orderWorkflowId(ref.orderId))) === 'COMPLETED');
  });

  it('is resumed by the sweeper, and so is a hold that was never started', async () => {
    const ref = await aLostOrder();
    const running = await desk.order();
    const quoteId = await desk.quote();
    await desk.sql(`UPDATE orders SET created_at = created_at - interval '2 minutes'`);
    await desk.sql(`UPDATE quotes SET hold_started_at = NULL, created_at = created_at - interval '2 minutes' WHERE id = $1`, [quoteId]);
    await waitFor('visibility knows', async () => {
      const known = await desk.door.runningOrders([ref.orderId, running.orderId]);
      return known.has(running.orderId) && !known.has(ref.orderId);
    });
    const started = await desk.door.client.workflow.execute('sweep', { workflowId: `sweep-${newSecret()}`, taskQueue: service.taskQueue });
    expect(started).toMatchObject({ quoteHolds: 1 });
    expect(await status(orderWorkflowId(ref.orderId))).toBe('RUNNING');
    expect(await status(quoteWorkflowId(quoteId))).toBe('RUNNING');
    await desk.signal(ref, aMilestone('printed'));
    await waitFor('the resumed order applies', async () => (await desk.row(ref)).printed);
    await desk.handle(ref).terminate('done');
    await desk.door.client.workflow.getHandle(quoteWorkflowId(quoteId)).terminate('done');
  });

  it('does not overwrite what a run that died stored and nobody sends again', async () => {
    const ref = await desk.order();
    const activities = createActivities(service.deps);
    const before = await activities.loadOrder({ orderId: ref.orderId });
    if (before === null) throw new Error('no order');
    const store = async (facts: typeof before.facts, expectedVersion: number, message: OrderMessage) => {
      const verdict = decide(facts, message);
      if ('refused' in verdict) throw new Error(verdict.refused);
      const outcome = await activities.applyChange({ orderId: ref.orderId, expectedVersion, message, facts: verdict.facts, eventStatus: eventStatus(facts, verdict.facts) });
      return { facts: verdict.facts, outcome };
    };
    const [started, printed] = [asReceived(aMilestone('production_started')), asReceived(aMilestone('printed'))];
    const first = await store(before.facts, 1, started);
    expect(first.outcome).toEqual({ applied: true, version: 2 });
    await store(first.facts, 2, printed);
    // The task that stored both was lost with "printed"; "production started" runs again.
    expect((await store(before.facts, 1, started)).outcome).toMatchObject({ stale: { version: 3, facts: { printed: true }, applied: { [printed.milestoneId]: messageContent(printed) } } });
    // The order's workflow knows of neither: it learns of them before it judges anything.
    await desk.apply(ref, started);
    await expect(desk.cancel(ref)).rejects.toMatchObject({ code: 'ORDER_NOT_CANCELLABLE' });
  });

  it('that knows less than the database decides again on what is stored', async () => {
    const ref = await desk.order();
    await desk.sql(`UPDATE orders SET printed = true, version = version + 1 WHERE id = $1`, [ref.orderId]);
    await desk.apply(ref, aMilestone('production_started'));
    await expect(desk.cancel(ref)).rejects.toMatchObject({ code: 'ORDER_NOT_CANCELLABLE' });
    expect(await desk.row(ref)).toMatchObject({ base_status: 'in_production', printed: true, version: 3 });
  });

  it('a refused submission closes its workflow, and a later one of the same quote places the order', async () => {
    const poor = await anAccount(service.deps.dataSource, { creditLimitCents: 0 });
    const trade = service.trade(poor.testKey);
    const { quoteId } = await aQuote(trade);
    const workflowId = orderWorkflowId(`ord_${quoteId.slice(4)}`);
    const headers = aKeyHeader();
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await placeOrder(trade, quoteId, headers)).json.error?.code).toBe('CREDIT_LIMIT_EXCEEDED');
      await waitFor('its workflow closed', async () => (await status(workflowId)) === 'COMPLETED');
    }
    expect(await status(quoteWorkflowId(quoteId))).toBe('RUNNING');
    await desk.sql(`UPDATE accounts SET credit_limit_cents = NULL WHERE id = $1`, [poor.accountId]);
    expect((await placeOrder(trade, quoteId, headers)).status).toBe(201);
    await waitFor('its hold ended', async () => (await status(quoteWorkflowId(quoteId))) === 'COMPLETED');
  });

  it('many refused submissions at once are all answered as refused', async () => {
    const poor = await anAccount(service.deps.dataSource, { creditLimitCents: 0 });
    const { quoteId } = await aQuote(service.trade(poor.testKey));
    const codes = await Promise.all(Array.from({ length: 12 }, () => refusalCode(desk.submit(quoteId, 'test', poor.accountId))));
    expect(new Set(codes)).toEqual(new Set(['CREDIT_LIMIT_EXCEEDED']));
  });

  it('a submission waits for a worker; the same key meanwhile is told to wait, and replays afterwards', async () => {
    const idle = await startService({ worker: false });
    try {
      const trade = idle.trade(idle.account.testKey);
      const { quoteId } = await aQuote(trade);
      const headers = aKeyHeader();
      const first = placeOrder(trade, quoteId, headers);
      const handle = idle.deps.temporal.client.workflow.getHandle(orderWorkflowId(`ord_${quoteId.slice(4)}`));
      await waitFor('the submission has reached Temporal', () => handle.describe().catch(() => null));
      const meanwhile = await placeOrder(trade, quoteId, headers);
      expect(meanwhile).toMatchObject({ status: 409, headers: { 'retry-after': expect.any(String) } });
      await idle.startWorker();
      const placed = await first;
      expect(placed.status).toBe(201);
      expect(await placeOrder(trade, quoteId, headers)).toMatchObject({ status: 201, text: placed.text, headers: { 'idempotent-replayed': 'true' } });
    } finally {
      await idle.stop();
    }
  });

  it('a worker that stops while it places an order leaves one order', async () => {
    const own = await startService();
    try {
      const trade = own.trade(own.account.testKey);
      const { quoteId } = await aQuote(trade);
      const headers = aKeyHeader();
      const lock = own.deps.dataSource.createQueryRunner();
      await lock.startTransaction();
      await lock.query(`SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE`, [own.account.accountId]);
      const first = placeOrder(trade, quoteId, headers);
      await waitFor('the placing waits for the account', async () => {
        const waiting = await own.deps.dataSource.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
        return waiting.length > 0;
      });
      const stopped = own.worker?.stop();
      await lock.rollbackTransaction();
      await lock.release();
      await stopped;
      await own.startWorker();
      expect((await first).status).toBe(201);
      const orders = await own.deps.dataSource.query(`SELECT o.id FROM orders o JOIN invoices i ON i.order_id = o.id`);
      expect(orders).toHaveLength(1);
    } finally {
      await own.stop();
    }
  });
});

/** The message in the shape the workflow stores it. */
function asReceived(message: OrderMessage): OrderMessage {
  const read = readOrderMessage(message);
  if ('problem' in read) throw new Error(read.problem);
  return read.message;
}
