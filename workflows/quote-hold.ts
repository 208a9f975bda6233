import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { expireQuote } from './activity-proxies';
import { quoteConsumed, type QuoteHoldInput } from './messages';

/**
 * Holds a quote's price: one timer to `expiresAt` raced with "consumed" (specification "Quote lifecycle"). The clock at
 * order time decides whether a quote can be ordered; this marks the row, so that the studio sees it.
 */
export async function quoteHold({ quoteId, expiresAt }: QuoteHoldInput): Promise<'consumed' | 'expired'> {
  let consumed = false;
  setHandler(quoteConsumed, () => {
    consumed = true;
  });
  setCurrentDetails(`Held until ${expiresAt}`);
  const remainingMs = Date.parse(expiresAt) - Date.now();
  if (remainingMs > 0) await condition(() => consumed, remainingMs);
  if (consumed) return 'consumed';
  await expireQuote({ quoteId });
  return 'expired';
}
