import { condition, defineUpdate, setHandler } from '@temporalio/workflow';

export const empty = defineUpdate<string, [string]>('empty');

/** Stays open, as an order's workflow does. */
export async function bare(): Promise<void> {
  setHandler(empty, (argument) => argument);
  await condition(() => false);
}
