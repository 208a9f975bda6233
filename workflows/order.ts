import { CancellationScope, condition, continueAsNew, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import { awaitMissingArtwork } from './artwork';
import { applyMessage, milestone, orderState, reload, retryDelivery, type OrderInput, type OrderSettings } from './messages';
import { OrderWorkflowState } from './order-workflow-state';
import { requireDelivery, requireMessageId, requireOrderId } from './validators';

/**
 * One order, from placing until it has settled and a quiet period has passed. Starts with the order's facts or loads them from the
 * database. Takes one message at a time, decides with the rules of `src/domain` and stores the result. Webhook deliveries that need retries
 * run as child workflows (specification "Order status", rulings 28–30).
 */
export async function order(input: OrderInput): Promise<void> {
  requireOrderId(input);
  const workflowState = new OrderWorkflowState(input);
  CancellationScope.current().cancelRequested.catch(() => workflowState.handleCancelRequest());

  setHandler(orderState, () => workflowState.state);
  // Messages that arrive before the first task are delivered in the order of these handlers: signals first, then updates.
  setHandler(milestone, (payload) => workflowState.handleSignal(payload));
  setHandler(reload, () => workflowState.reload());
  setDefaultSignalHandler((name, payload) => workflowState.handleUnknownSignal(name, payload));
  setHandler(applyMessage, (reference) => workflowState.apply(reference), { validator: requireMessageId });
  setHandler(retryDelivery, (delivery) => workflowState.startRetries(delivery), { validator: requireDelivery });

  // A cancellation request must not end the run, because the order would then process no more messages.
  await CancellationScope.nonCancellable(async () => {
    // oxlint-disable-next-line typescript/no-floating-promises -- runs concurrently with the order and handles its own failures
    awaitMissingArtwork(input.orderId, workflowState);
    const settings = await workflowState.ensureLoaded();
    if (settings !== null) await runUntilQuiet(workflowState, input.orderId, settings);
    await condition(() => workflowState.isIdle);
  });
}

/** Runs until the order has settled and a quiet period has passed. Ends early if the order does not exist. */
async function runUntilQuiet(workflowState: OrderWorkflowState, orderId: string, settings: OrderSettings): Promise<void> {
  while (!workflowState.isMissing) {
    await workflowState.sendConfirmationWhenDue();
    // Waits only for conditions that this loop handles, so that other changes do not wake it.
    await condition(
      () => workflowState.isSettled || workflowState.isMissing || workflowState.shouldContinueAsNew || workflowState.needsConfirmation,
    );
    if (workflowState.needsConfirmation && !workflowState.shouldContinueAsNew) continue;
    const hasChanged = workflowState.watchChanges();
    if (
      !workflowState.shouldContinueAsNew &&
      !(await condition(hasChanged, settings.quietPeriodMs, { summary: 'settled; closes after the quiet period' }))
    )
      return;
    if (workflowState.shouldContinueAsNew) {
      await condition(() => workflowState.isIdle);
      if (workflowState.state !== null) await continueAsNew<typeof order>({ orderId, state: workflowState.state, settings });
    }
  }
}
