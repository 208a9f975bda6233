import { milestone, orderWorkflowId } from '../../workflows/messages';
import { anOrder } from '../support/baskets';
import { startService, type TestService } from '../support/service';
import { waitFor } from '../support/wait-for';

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
