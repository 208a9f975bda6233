import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '../../src/dev/project';
import { quoteWorkflowId } from '../../workflows/messages';
import type { OrderRef } from '../../src/temporal';
import { anAccount } from '../support/accounts';
import { waitFor } from '../support/wait-for';
import { onDevServer, type OwnEnvironment } from '../workflows/environment';
import { aMilestone, aParcel, aVoid, OrderDesk, refusalCode } from '../workflows/order-desk';

/**
 * Records one history of every workflow shape into test/replay/histories: `npm run histories`. Not a test; it runs under
 * jest for the sake of the servers that the tests have. A recorded history is never recorded again once its shape was
 * released: it is what runs in production, and stays until no such workflow is left.
 */
describe('recording', () => {
  let environment: OwnEnvironment;
  let desk: OrderDesk;
  afterEach(() => environment?.stop());

  const begin = async (dynamicConfig: string[], env: Record<string, string> = {}) => {
    environment = await onDevServer(dynamicConfig, env);
    desk = new OrderDesk(environment.service);
  };
  const save = async (name: string, workflowId: string, runId?: string) => {
    const script = path.join(projectRoot, 'scripts', 'record-histories.mjs');
    const fetched = spawnSync(process.execPath, [script, '--as', name, workflowId, ...(runId === undefined ? [] : [runId])], {
      env: { ...process.env, TEMPORAL_ADDRESS: environment.temporal.address }, encoding: 'utf8',
    });
    if (fetched.status !== 0) throw new Error(fetched.stderr);
  };
  const idOf = (ref: OrderRef) => `order/${ref.orderId}`;
  const runOf = async (ref: OrderRef) => (await desk.handle(ref).describe()).runId;
  const closed = async (workflowId: string) => {
    await waitFor('closed', async () => (await desk.door.client.workflow.getHandle(workflowId).describe()).status.name !== 'RUNNING');
  };
  const saveClosed = async (name: string, workflowId: string) => {
    await closed(workflowId);
    await save(name, workflowId);
  };

  it('orders, holds and a sweep', async () => {
    await begin([], { ORDER_QUIET_PERIOD: '3s' });
    const quoteId = await desk.quote('live', false);
    await desk.door.startQuoteHold(quoteId, new Date(Date.now() + 3_600_000));
    const ref = await desk.submit(quoteId, 'live');
    await desk.atRest(ref);
    await saveClosed('quote-hold-consumed', quoteWorkflowId(quoteId));
    await desk.apply(ref, aMilestone('production_started', { actor: 'floor token' }));
    await desk.signal(ref, { milestoneId: 'bad-1', type: 'teleported' });
    await desk.apply(ref, aMilestone('printed'));
    await desk.apply(ref, aMilestone('held'));
    await desk.signal(ref, { milestoneId: 'bad-2', type: 'completed' });
    await desk.apply(ref, aMilestone('released'));
    await desk.apply(ref, { milestoneId: 'pay-1', type: 'payment_recorded', paymentId: 'pay-1', amountCents: 100 });
    await desk.apply(ref, { milestoneId: 'back-1', type: 'payment_reversed', paymentId: 'pay-1' });
    await desk.apply(ref, aParcel('p1'));
    await desk.apply(ref, aVoid('p1'));
    await desk.signal(ref, aParcel('p2'));
    await waitFor('shipped', async () => (await desk.row(ref)).status === 'shipped');
    await refusalCode(desk.cancel(ref));
    await desk.apply(ref, aMilestone('completed'));
    await saveClosed('order-completed', idOf(ref));
    await desk.apply(ref, aVoid('p2'));
    await saveClosed('order-resumed', idOf(ref));

    const plain = await desk.order();
    for (const message of [aMilestone('production_started'), aMilestone('printed'), aMilestone('held'), aMilestone('released'), aParcel('p1'), aMilestone('completed')]) {
      await desk.atRest(plain);
      await desk.apply(plain, message);
    }
    await saveClosed('order-whole-life', idOf(plain));

    const cancelled = await desk.order();
    await desk.atRest(cancelled);
    await desk.cancel(cancelled);
    await saveClosed('order-cancelled', idOf(cancelled));

    const poor = await anAccount(environment.service.deps.dataSource, { creditLimitCents: 0 });
    const refusedQuote = await desk.quote();
    await desk.sql(`UPDATE quotes SET account_id = $2 WHERE id = $1`, [refusedQuote, poor.accountId]);
    await refusalCode(desk.submit(refusedQuote, 'test', poor.accountId));
    await saveClosed('order-refused', `order/${refusedQuote.replace('quo_', 'ord_')}`);

    const unknown: OrderRef = { orderId: 'ord_0123456789', orderNumber: 'T-0', accountId: 'acc_0123456789', environment: 'test' };
    await refusalCode(desk.apply(unknown, aMilestone('printed')));
    await saveClosed('order-unknown', idOf(unknown));

    const expired = await desk.quote();
    await desk.door.startQuoteHold(expired, new Date(Date.now() + 1500));
    await saveClosed('quote-hold-expired', quoteWorkflowId(expired));
    const late = await desk.quote();
    await desk.door.startQuoteHold(late, new Date(0));
    await saveClosed('quote-hold-late', quoteWorkflowId(late));

    await desk.door.client.workflow.execute('sweep', { workflowId: 'sweep', taskQueue: environment.service.taskQueue });
    await save('sweep', 'sweep');
  });

  it('an order that continues as new', async () => {
    await begin(['limit.historyCount.suggestContinueAsNew=40']);
    const ref = await desk.order();
    const first = await runOf(ref);
    for (let index = 0; (await runOf(ref)) === first; index += 1) await desk.apply(ref, aParcel(`p${index}`));
    const second = await runOf(ref);
    await desk.apply(ref, aMilestone('production_started'));
    await desk.cancel(ref).catch(() => undefined);
    await save('order-continued-first', idOf(ref), first);
    await save('order-continued-second', idOf(ref), second);
  });
});
