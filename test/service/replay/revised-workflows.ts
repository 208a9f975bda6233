import { sleep } from '@temporalio/workflow';
import * as today from '../../../workflows';

/** The change of changed-workflows.ts for new runs only, guarded by the input's revision: the other worked example of docs/workflows.md. */
export async function order(input: Parameters<typeof today.order>[0]): Promise<void> {
  if (input.revision > 1) await sleep('1 minute');
  await today.order(input);
}

export { attention, quoteHold, retention, sweep, webhookDelivery, webhookPing } from '../../../workflows';
