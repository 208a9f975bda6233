import { CancellationScope, condition, continueAsNew, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import { seeArtworkThrough } from './artwork';
import { applyMilestone, cancelOrder, milestone, orderFacts, reread, retryDelivery, type OrderInput, type OrderSettings } from './messages';
import { OrderInTurn } from './order-in-turn';
import { requireCancel, requireDelivery, requireMessage, requireOrderId } from './validators';

/**
 * One order, from its placing until it has settled and been quiet for a while. It starts with the order's facts, or loads them from the
 * database. It takes one message after the other, decides with the rules of `src/domain` and stores the result; webhook deliveries that
 * need retries are its children (specification "Order status", rulings 28–30).
 */
export async function order(input: OrderInput): Promise<void> {
  requireOrderId(input);
  const inTurn = new OrderInTurn(input);
  CancellationScope.current().cancelRequested.catch(() => inTurn.hearCancelRequest());

  setHandler(orderFacts, () => inTurn.state);
  // What waits for a run's first task is delivered handler by handler, so the order here decides: signals first, then updates.
  setHandler(milestone, (payload) => inTurn.hear(payload));
  setHandler(reread, () => inTurn.reread());
  setDefaultSignalHandler((name, payload) => inTurn.hearUnknown(name, payload));
  setHandler(applyMilestone, (message) => inTurn.apply(message), { validator: requireMessage });
  setHandler(cancelOrder, ({ requestId }) => inTurn.cancel(requestId), { validator: requireCancel });
  setHandler(retryDelivery, (delivery) => inTurn.retry(delivery), { validator: requireDelivery });

  // What the Web UI calls cancelling must not end the run: the order would stay as it is, with nobody to move it.
  await CancellationScope.nonCancellable(async () => {
    // oxlint-disable-next-line typescript/no-floating-promises -- goes on beside the order, and handles its own failures
    seeArtworkThrough(input.orderId, inTurn);
    const settings = await inTurn.open();
    if (settings !== null) await untilQuiet(inTurn, input.orderId, settings);
    await condition(() => inTurn.isAtRest);
  });
}

/** Until the order has settled and nothing has happened for a while, or it turns out that there is no such order. */
async function untilQuiet(inTurn: OrderInTurn, orderId: string, settings: OrderSettings): Promise<void> {
  while (!inTurn.isGone) {
    await inTurn.confirmWhenDue();
    // Wakes for nothing else: every condition that comes true costs another round through the workflow.
    await condition(() => inTurn.isSettled || inTurn.isGone || inTurn.isLong || inTurn.owesConfirmation);
    if (inTurn.owesConfirmation && !inTurn.isLong) continue;
    const news = inTurn.sinceNow();
    if (!inTurn.isLong && !(await condition(news, settings.quietPeriodMs, { summary: 'settled; closes when nothing happens until then' })))
      return;
    if (inTurn.isLong) {
      await condition(() => inTurn.isAtRest);
      if (inTurn.state !== null) await continueAsNew<typeof order>({ orderId, state: inTurn.state, settings });
    }
  }
}
