import { sleep, upsertMemo } from '@temporalio/workflow';
import * as today from '../../../workflows';

/** Today's order workflow with one timer more in front: what a careless change does. */
export async function order(input: Parameters<typeof today.order>[0]): Promise<void> {
  await sleep('1 minute');
  await today.order(input);
}

/** Today's delivery workflow, noting something before its first retry. */
export async function webhookDelivery(input: Parameters<typeof today.webhookDelivery>[0]): ReturnType<typeof today.webhookDelivery> {
  upsertMemo({ seen: true });
  return today.webhookDelivery(input);
}

export { attention, quoteHold, retention, sweep, webhookPing } from '../../../workflows';
