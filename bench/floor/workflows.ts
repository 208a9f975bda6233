import { condition, defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { FloorActivities } from './rows';

const { writeMilestone } = proxyLocalActivities<FloorActivities>({ startToCloseTimeout: '5s' });

export const empty = defineUpdate<string, [string]>('empty');
export const milestone = defineUpdate<void, [orderId: string, type: string]>('milestone');

/** Stays open, as an order's workflow does. */
export async function bare(): Promise<void> {
  setHandler(empty, (argument) => argument);
  setHandler(milestone, writeMilestone);
  await condition(() => false);
}
