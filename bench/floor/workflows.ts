import { condition, defineUpdate, setHandler } from '@temporalio/workflow';

/** An update whose handler does nothing. */
export const empty = defineUpdate<string, [string]>('empty');

/** Stays open, as an order does. */
export async function bare(): Promise<void> {
  setHandler(empty, (argument) => argument);
  await condition(() => false);
}
