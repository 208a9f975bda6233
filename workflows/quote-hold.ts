import { setCurrentDetails, sleep } from '@temporalio/workflow';
import { endHold } from './activity-proxies';
import type { QuoteHoldInput } from './messages';

/**
 * Holds a quote's price: one timer to `expiresAt`, whatever becomes of the quote (specification "Quote lifecycle"). The clock at
 * order time decides whether a quote can be ordered; at the end this reads what it came to, and marks an unspent one for the studio.
 */
export async function quoteHold({ quoteId, expiresAt }: QuoteHoldInput): Promise<'ordered' | 'expired' | 'gone'> {
  setCurrentDetails(`Price held until ${expiresAt}`);
  const remainingMs = Date.parse(expiresAt) - Date.now();
  if (remainingMs > 0) await sleep(remainingMs, { summary: `price held until ${expiresAt}` });
  return endHold({ quoteId });
}
