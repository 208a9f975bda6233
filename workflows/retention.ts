import { forgetAddresses } from './activity-proxies';

/** Run by a Temporal Schedule: forgets the addresses of quotes that expired unordered long enough ago. */
export async function retention(): Promise<{ quotes: number }> {
  return forgetAddresses();
}
