import { sleep } from '@temporalio/workflow';
import * as today from '../../workflows';

/** Today's order workflow with one timer more in front: what a careless change does. */
export async function order(input: Parameters<typeof today.order>[0]): Promise<void> {
  await sleep('1 minute');
  await today.order(input);
}

export { quoteHold, sweep } from '../../workflows';
