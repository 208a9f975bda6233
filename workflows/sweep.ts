import { forgetExpired, sweepLost } from './activity-proxies';

/** Run by a Temporal Schedule: finds runs that were lost and forgets what has expired. */
export async function sweep(): Promise<{ orders: number; deliveries: number }> {
  const found = await sweepLost();
  await forgetExpired();
  return found;
}
