import { patched, sleep, upsertMemo } from '@temporalio/workflow';
import * as today from '../../../workflows';

/** The change of changed-workflows.ts with its guard: the worked example of docs/workflows.md, "Changing a workflow". */
export async function order(input: Parameters<typeof today.order>[0]): Promise<void> {
  if (patched('rest-a-minute-first')) await sleep('1 minute');
  await today.order(input);
}

/** As above. */
export async function webhookDelivery(input: Parameters<typeof today.webhookDelivery>[0]): ReturnType<typeof today.webhookDelivery> {
  if (patched('note-it-first')) upsertMemo({ seen: true });
  return today.webhookDelivery(input);
}

export { attention, quoteHold, retention, sweep, webhookPing } from '../../../workflows';
