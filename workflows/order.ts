import { CancellationScope, condition, continueAsNew, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import { awaitMissingArtwork } from './artwork';
import { applyMessage, cancelOrder, milestone, orderState, reload, retryDelivery, type OrderInput, type OrderSettings } from './messages';
import { OrderWorkflowState } from './order-workflow-state';
import { requireCancel, requireDelivery, requireMessage, requireOrderId } from './validators';

/**
 * One order, from its placing until it has settled and been quiet for a while. It starts with the order's facts, or loads them from the
 * database. It takes one message after the other, decides with the rules of `src/domain` and stores the result; webhook deliveries that
 * need retries are its children (specification "Order status", rulings 28–30).
 */
export async function order(input: OrderInput): Promise<void> {
  requireOrderId(input);
  const workflowState = new OrderWorkflowState(input);
  CancellationScope.current().cancelRequested.catch(() => workflowState.handleCancelRequest());

  setHandler(orderState, () => workflowState.state);
  // What waits for a run's first task is delivered handler by handler, so the order here decides: signals first, then updates.
  setHandler(milestone, (payload) => workflowState.handleSignal(payload));
  setHandler(reload, () => workflowState.reload());
  setDefaultSignalHandler((name, payload) => workflowState.handleUnknownSignal(name, payload));
  setHandler(applyMessage, (message) => workflowState.apply(message), { validator: requireMessage });
  setHandler(cancelOrder, ({ requestId }) => workflowState.cancel(requestId), { validator: requireCancel });
  setHandler(retryDelivery, (delivery) => workflowState.startRetries(delivery), { validator: requireDelivery });

  // What the Web UI calls cancelling must not end the run: the order would stay as it is, with nobody to move it.
  await CancellationScope.nonCancellable(async () => {
    // oxlint-disable-next-line typescript/no-floating-promises -- goes on beside the order, and handles its own failures
    awaitMissingArtwork(input.orderId, workflowState);
    const settings = await workflowState.ensureLoaded();
    if (settings !== null) await runUntilQuiet(workflowState, input.orderId, settings);
    await condition(() => workflowState.isIdle);
  });
}

/** Until the order has settled and nothing has happened for a while, or it turns out that there is no such order. */
async function runUntilQuiet(workflowState: OrderWorkflowState, orderId: string, settings: OrderSettings): Promise<void> {
  while (!workflowState.isMissing) {
    await workflowState.confirmWhenDue();
    // Wakes for nothing else: every condition that comes true costs another round through the workflow.
    await condition(
      () => workflowState.isSettled || workflowState.isMissing || workflowState.shouldContinueAsNew || workflowState.needsConfirmation,
    );
    if (workflowState.needsConfirmation && !workflowState.shouldContinueAsNew) continue;
    const hasChanged = workflowState.watchChanges();
    if (
      !workflowState.shouldContinueAsNew &&
      !(await condition(hasChanged, settings.quietPeriodMs, { summary: 'settled; closes when nothing happens until then' }))
    )
      return;
    if (workflowState.shouldContinueAsNew) {
      await condition(() => workflowState.isIdle);
      if (workflowState.state !== null) await continueAsNew<typeof order>({ orderId, state: workflowState.state, settings });
    }
  }
}
