import { setCurrentDetails, sleep } from '@temporalio/workflow';
import { markExpired } from './activity-proxies';
import type { QuoteExpiryInput } from './messages';

/**
 * Waits until the quote expires, then marks it expired if it was not ordered (specification "Quote lifecycle"). Placing an order checks the
 * expiry itself and does not depend on this timer.
 */
export async function quoteExpiry({ quoteId, expiresAt }: QuoteExpiryInput): Promise<'ordered' | 'expired' | 'gone'> {
  setCurrentDetails(`Price valid until ${expiresAt}`);
  const remainingMs = Date.parse(expiresAt) - Date.now();
  if (remainingMs > 0) await sleep(remainingMs, { summary: `price valid until ${expiresAt}` });
  return markExpired({ quoteId });
}
