import { sleep, upsertMemo } from '@temporalio/workflow';
import { order as orderOfToday } from '../../../workflows/order';
import { webhookDelivery as deliveryOfToday } from '../../../workflows/webhook-delivery';

/** The current order workflow with an additional timer at the start, as after a careless change. */
export async function order(input: Parameters<typeof orderOfToday>[0]): Promise<void> {
  await sleep('1 minute');
  await orderOfToday(input);
}

/** The current delivery workflow with an additional command before its first retry. */
export async function webhookDelivery(input: Parameters<typeof deliveryOfToday>[0]): ReturnType<typeof deliveryOfToday> {
  upsertMemo({ seen: true });
  return deliveryOfToday(input);
}

export { attention, documentSend, quoteExpiry, reminders, retention, statementRun, sweep } from '../../../workflows/queues/orders';
export { webhookPing } from '../../../workflows/queues/webhooks';
