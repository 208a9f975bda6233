import { patched, sleep, upsertMemo } from '@temporalio/workflow';
import { order as orderOfToday } from '../../../workflows/order';
import { webhookDelivery as deliveryOfToday } from '../../../workflows/webhook-delivery';

/** The change of changed-workflows.ts with its guard: the example of docs/workflows.md, "Changing a workflow". */
export async function order(input: Parameters<typeof orderOfToday>[0]): Promise<void> {
  if (patched('rest-a-minute-first')) await sleep('1 minute');
  await orderOfToday(input);
}

/** The same for the delivery workflow. */
export async function webhookDelivery(input: Parameters<typeof deliveryOfToday>[0]): ReturnType<typeof deliveryOfToday> {
  if (patched('note-it-first')) upsertMemo({ seen: true });
  return deliveryOfToday(input);
}

export { attention, documentSend, quoteExpiry, reminders, retention, statementRun, sweep } from '../../../workflows/queues/orders';
export { webhookPing } from '../../../workflows/queues/webhooks';
