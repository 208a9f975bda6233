import { orderIdOfQuote } from '../../src/domain/quote-state';
import { milestone, orderWorkflowId } from '../../workflows/messages';
import { anOrder } from '../support/baskets';
import { startService, type TestService } from '../support/service';
import { waitFor } from '../support/wait-for';
import { OrderDesk } from '../workflows/order-desk';

it('a signal that Temporal took before an update is judged before it', async () => {
  const service: TestService = await startService();
  try {
    const { orderId } = await anOrder(service.trade(service.account.testKey));
    await service.worker?.stop();
    const handle = service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));
    await handle.signal(milestone, { milestoneId: 'm1', type: 'held' });
    await waitFor('the signal is in the history', async () => (await handle.fetchHistory()).events?.some((event) => event.workflowExecutionSignaledEventAttributes));
    const released = service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'm2', type: 'released' });
    await service.startWorker();
    const reply = await released;
    expect([reply.status, reply.json.error]).toEqual([200, null]);
  } finally {
    await service.stop();
  }
});

// So it is for an order that was stored by a worker which died before it could tell, and had its next messages meanwhile.
it('also where a workflow begins with both of them, and with its submission', async () => {
  const service: TestService = await startService({ worker: false });
  try {
    const desk = new OrderDesk(service);
    const quoteId = await desk.quote();
    const submitted = desk.submit(quoteId);
    const orderId = orderIdOfQuote(quoteId);
    const handle = service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));
    await waitFor('the workflow is started', () => handle.describe().then(() => true, () => false));
    await handle.signal(milestone, { milestoneId: 'm1', type: 'held' });
    const { accountId } = service.account;
    const released = desk.apply({ orderId, orderNumber: 'T-0', accountId, environment: 'test' }, { milestoneId: 'm2', type: 'released' });
    await service.startWorker();
    await submitted;
    await released;
    expect(await desk.timeline({ orderId, orderNumber: 'T-0', accountId, environment: 'test' })).toMatchObject([{ type: 'held', outcome: 'applied' }, { type: 'released', outcome: 'applied' }]);
  } finally {
    await service.stop();
  }
});
