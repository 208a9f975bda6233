import { forgetExpired, startMissing } from './activity-proxies';

/** Run by a Temporal Schedule: starts what rows are waiting for and forgets what has expired. */
export async function sweep(): Promise<{ quoteHolds: number; orders: number; deliveries: number }> {
  const started = await startMissing();
  await forgetExpired();
  return started;
}
