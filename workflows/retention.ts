import { forgetAddresses } from './activity-proxies';

/** Run by a Temporal Schedule: erases the addresses of expired quotes. */
export async function retention(): Promise<{ quotes: number }> {
  return forgetAddresses();
}
