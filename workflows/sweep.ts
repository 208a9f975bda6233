import { forgetExpired, sweepLost } from './activity-proxies';

type Swept = Awaited<ReturnType<typeof sweepLost>> & Awaited<ReturnType<typeof forgetExpired>>;

/** Run by a Temporal Schedule: finds runs that were lost and forgets what has expired; its result tells how much of each. */
export async function sweep(): Promise<Swept> {
  const found = await sweepLost();
  return { ...found, ...(await forgetExpired()) };
}
