import { quoteWorkflowId } from '../../../workflows/messages';
import type { OrderMessage } from '../../../src/domain/order-messages';
import { reconcile } from '../../../src/reconcile';
import { useFixture, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { aMilestone, aParcel, aParcelVoid, OrderDriver, type OrderRef } from '../workflows/order-driver';

describe('reconciling runs of orders', () => {
  const service = useService();
  const desk = useFixture(() => new OrderDriver(service));

  const runReconcile = async (dryRun: boolean) => (await reconcile(service.deps, { dryRun, restored: false, issuedNumbers: [] })).findings;
  const untilListed = (...orders: OrderRef[]) =>
    waitFor('Temporal lists them', async () => {
      const running = new Set<string>();
      for await (const run of service.deps.temporal.runs.listOrderRuns()) if (run.isRunning) running.add(run.orderId);
      return orders.every(({ orderId }) => running.has(orderId));
    });
  const readRunVersion = async ({ orderId }: OrderRef) => (await service.deps.temporal.runs.queryOrderState(orderId))?.version;

  it('finds no problem with orders that got every message, and with one paid on account whose run loads the payment later', async () => {
    const [busy, quiet] = [await desk.placeOrder(), await desk.placeOrder()];
    const messages: OrderMessage[] = [
      aMilestone('production_started'),
      aParcel('z'),
      aParcel('a'),
      aParcel('m'),
      aParcelVoid('m'),
      aParcelVoid('z'),
      { milestoneId: 'payment-2', type: 'payment_recorded', paymentId: '2', amountCents: 100 },
      { milestoneId: 'payment-1', type: 'payment_recorded', paymentId: '1', amountCents: 200 },
    ];
    for (const message of messages) await desk.apply(busy, message);
    const paid = { paymentId: 'bank-1', environment: 'test', amountCents: (await desk.row(quiet)).total_cents };
    const reply = await service.studio().post(`/accounts/${quiet.accountId}/payments`, paid);
    expect([reply.status, reply.json.error]).toEqual([200, null]);
    await untilListed(busy, quiet);
    const versions = await Promise.all([busy, quiet].map(async (order) => [await readRunVersion(order), (await desk.row(order)).version]));
    expect(versions.some(([held, stored]) => held < stored)).toBe(true);
    expect(await runReconcile(true)).toEqual([]);
  });

  it('marks an expired quote whose timer was lost, and starts the timer of an open one', async () => {
    const [expired, open] = [await desk.createQuote(), await desk.createQuote()];
    await service.deps.database.run(`UPDATE quotes SET expires_at = now() - interval '1 hour' WHERE id = $1`, [expired]);
    const expectedFindings = (repaired: boolean) =>
      expect.arrayContaining([
        expect.objectContaining({ kind: 'quote not marked expired', subject: expired, repaired }),
        expect.objectContaining({ kind: 'quote without a timer', subject: open, repaired }),
      ]);
    expect(await runReconcile(true)).toEqual(expectedFindings(false));
    expect(await runReconcile(false)).toEqual(expectedFindings(true));
    expect(await service.deps.temporal.runs.isRunning(quoteWorkflowId(open))).toBe(true);
    expect(await runReconcile(true)).toEqual([]);
  });

  it.each([
    ['is newer than the stored row', 'version = version - 1'],
    ['has the same version with other content', `printed = true, printed_lines = '{0}'`],
  ])('a run that %s reloads it', async (_what, restored) => {
    const order = await desk.placeOrder();
    await desk.apply(order, aMilestone('production_started'));
    await service.deps.database.run(`UPDATE orders SET ${restored} WHERE id = $1`, [order.orderId]);
    await untilListed(order);
    const expectedFindings = (repaired: boolean) => [expect.objectContaining({ kind: 'run differs', subject: order.orderId, repaired })];
    expect(await runReconcile(true)).toEqual(expectedFindings(false));
    expect(await runReconcile(false)).toEqual(expectedFindings(true));
    expect(await runReconcile(true)).toEqual([]);
  });
});
