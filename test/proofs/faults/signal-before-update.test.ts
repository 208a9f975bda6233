import { milestone, orderWorkflowId } from '../../../workflows/messages';
import { anOrder } from '../../support/baskets';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { OrderDriver } from '../../service/workflows/order-driver';

it('a signal that Temporal accepted before an update is processed before it', async () => {
  const service: TestService = await startService();
  try {
    const { orderId } = await anOrder(service.trade(service.account.testKey));
    const handle = service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));
    await waitFor('the start of its workflow', () => handle.describe().catch(() => null)); // the workflow starts after the response
    await service.worker?.stop();
    await handle.signal(milestone, { milestoneId: 'm1', type: 'held' });
    await waitFor('the signal is in the history', async () =>
      (await handle.fetchHistory()).events?.some((event) => event.workflowExecutionSignaledEventAttributes),
    );
    // A worker that starts slowly answers only the repetition.
    const released = waitFor('an answer', async () => {
      const answered = await service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'm2', type: 'released' });
      return answered.status !== 503 && answered;
    });
    await service.startWorker();
    const reply = await released;
    expect([reply.status, reply.json.error]).toEqual([200, null]);
  } finally {
    await service.stop();
  }
});

// In this state a worker finds a run that has not begun, with both messages.
it('also if a run starts with both', async () => {
  const service: TestService = await startService({ worker: false });
  try {
    const desk = new OrderDriver(service);
    const order = await desk.placeOrder();
    await desk.signal(order, { milestoneId: 'm1', type: 'held' });
    const released = desk.apply(order, { milestoneId: 'm2', type: 'released' });
    await service.startWorker();
    await released;
    expect(await desk.timeline(order)).toMatchObject([
      { type: 'held', outcome: 'applied' },
      { type: 'released', outcome: 'applied' },
    ]);
  } finally {
    await service.stop();
  }
});
