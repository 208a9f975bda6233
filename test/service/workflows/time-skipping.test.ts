import { orderWorkflowId, quoteWorkflowId } from '../../../workflows/messages';
import { waitFor } from '../../support/wait-for';
import { startOnTimeSkippingServer, type OwnEnvironment } from './environment';
import { aMilestone, aParcel, aParcelVoid, OrderDriver } from './order-driver';

const DAY = 24 * 60 * 60 * 1000;

describe('processes that take days', () => {
  let environment: OwnEnvironment;
  let desk: OrderDriver;
  beforeAll(async () => {
    environment = await startOnTimeSkippingServer();
    desk = new OrderDriver(environment.service);
    await desk.createQuote(); // priced once, before time is skipped
  });
  afterAll(() => environment?.stop());

  const currentTimeMs = () => environment.temporal.currentTimeMs();
  const status = async (workflowId: string) => (await desk.client.workflow.getHandle(workflowId).describe()).status.name;
  const untilClosed = (workflowId: string) => waitFor(`${workflowId} closed`, async () => (await status(workflowId)) === 'COMPLETED');
  const result = (workflowId: string) => desk.client.workflow.getHandle(workflowId).result();
  const quoteRow = async (quoteId: string) => (await desk.sql<any>(`SELECT * FROM quotes WHERE id = $1`, [quoteId]))[0];

  it('a quote is held for exactly 24 hours', async () => {
    const quoteId = await desk.createQuote();
    await desk.service.deps.temporal.quotes.startTimer(quoteId, new Date((await currentTimeMs()) + DAY));
    await environment.temporal.sleep(DAY - 60_000);
    expect(await status(quoteWorkflowId(quoteId))).toBe('RUNNING');
    expect((await quoteRow(quoteId)).expired_at).toBeNull();
    await environment.temporal.sleep(60_000);
    await untilClosed(quoteWorkflowId(quoteId));
    expect(await result(quoteWorkflowId(quoteId))).toBe('expired');
    expect((await quoteRow(quoteId)).expired_at).toEqual(expect.any(Date));
  });

  it('a hold ignores its order: its timer runs to the end, and the result says that the quote was ordered', async () => {
    const quoteId = await desk.createQuote();
    await desk.service.deps.temporal.quotes.startTimer(quoteId, new Date((await currentTimeMs()) + DAY));
    await desk.placeOrderOf(quoteId);
    await environment.temporal.sleep(DAY - 60_000);
    expect(await status(quoteWorkflowId(quoteId))).toBe('RUNNING');
    await environment.temporal.sleep(60_000);
    await untilClosed(quoteWorkflowId(quoteId));
    expect(await result(quoteWorkflowId(quoteId))).toBe('ordered');
    expect((await quoteRow(quoteId)).expired_at).toBeNull();
  });

  it('a hold started after its quote expired ends at once', async () => {
    const quoteId = await desk.createQuote();
    await desk.service.deps.temporal.quotes.startTimer(quoteId, new Date((await currentTimeMs()) - 1));
    await untilClosed(quoteWorkflowId(quoteId));
    expect(await result(quoteWorkflowId(quoteId))).toBe('expired');
  });

  it('an order takes weeks, closes thirty days after its last message, and still accepts later messages', async () => {
    const ref = await desk.placeOrder();
    const workflowId = orderWorkflowId(ref.orderId);
    await environment.temporal.sleep(3 * DAY);
    await desk.apply(ref, aMilestone('production_started'));
    await desk.apply(ref, aMilestone('held'));
    await environment.temporal.sleep(10 * DAY);
    expect(await desk.row(ref)).toMatchObject({ status: 'on_hold', held_from: 'in_production' });
    await desk.apply(ref, aMilestone('released'));
    await desk.apply(ref, aMilestone('printed'));
    await environment.temporal.sleep(60 * DAY); // an order that is not settled stays open without messages
    await desk.apply(ref, aParcel('p1'));
    await desk.apply(ref, aMilestone('completed'));
    await environment.temporal.sleep(29 * DAY);
    expect(await status(workflowId)).toBe('RUNNING');
    await desk.apply(ref, aParcel('p2')); // a message restarts the quiet period
    await environment.temporal.sleep(29 * DAY);
    expect(await status(workflowId)).toBe('RUNNING');
    await environment.temporal.sleep(DAY);
    await untilClosed(workflowId);

    const closedRun = (await desk.handle(ref).describe()).runId;
    await desk.apply(ref, aParcelVoid('p1'));
    await desk.apply(ref, aParcelVoid('p2'));
    expect((await desk.handle(ref).describe()).runId).not.toBe(closedRun);
    expect(await desk.row(ref)).toMatchObject({ status: 'completed', version: 10 });
    await expect(desk.cancel(ref)).rejects.toMatchObject({ code: 'ORDER_NOT_CANCELLABLE', message: expect.stringContaining('printed') });
    await environment.temporal.sleep(30 * DAY);
    await untilClosed(workflowId);
    await desk.apply(ref, aMilestone('cancelled'));
    expect(await desk.row(ref)).toMatchObject({ status: 'cancelled', invoice_voided_at: expect.any(Date) });
  });
});
