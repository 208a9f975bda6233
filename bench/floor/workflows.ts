import { condition, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';
import type { FloorActivities } from './messages';

/** An update whose handler does nothing. */
export const empty = defineUpdate<string, [string]>('empty');

/** Stays open, as an order does. */
export async function bare(): Promise<void> {
  setHandler(empty, (argument) => argument);
  await condition(() => false);
}

const { post } = proxyActivities<FloorActivities>({ startToCloseTimeout: '60s' });

/** The least a delivery could be: one activity that posts. */
export async function barePost(body: string): Promise<void> {
  await post(body);
}
