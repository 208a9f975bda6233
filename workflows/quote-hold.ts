import { setCurrentDetails, sleep } from '@temporalio/workflow';
import { expireUnlessOrdered } from './activity-proxies';
import type { QuoteHoldInput } from './messages';

/**
 * Waits until the quote expires, then marks it expired if it was not ordered (specification "Quote lifecycle"). Placing an order checks the
 * expiry itself and does not depend on this timer.
 */
export async function quoteHold({ quoteId, expiresAt }: QuoteHoldInput): Promise<'ordered' | 'expired' | 'gone'> {
  setCurrentDetails(`Price held until ${expiresAt}`);
  const remainingMs = Date.parse(expiresAt) - Date.now();
  if (remainingMs > 0) await sleep(remainingMs, { summary: `price held until ${expiresAt}` });
  return expireUnlessOrdered({ quoteId });
}
