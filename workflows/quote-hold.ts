import { setCurrentDetails, sleep } from '@temporalio/workflow';
import { endHold } from './activity-proxies';
import type { QuoteHoldInput } from './messages';

/**
 * The 24 hours of a quote's price: one timer to `expiresAt`, whatever becomes of the quote. It decides nothing, because the clock at order
 * time does; at its end it reads what became of the quote and marks an unspent one expired (specification "Quote lifecycle").
 */
export async function quoteHold({ quoteId, expiresAt }: QuoteHoldInput): Promise<'ordered' | 'expired' | 'gone'> {
  setCurrentDetails(`Price held until ${expiresAt}`);
  const remainingMs = Date.parse(expiresAt) - Date.now();
  if (remainingMs > 0) await sleep(remainingMs, { summary: `price held until ${expiresAt}` });
  return endHold({ quoteId });
}
