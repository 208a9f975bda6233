import { ApiError } from './errors';
import type { Environment } from './limits';

interface QuoteLifecycle {
  quoteId: string;
  environment: Environment;
  expiresAt: Date;
  consumedAt: Date | null;
}

/**
 * Returns the state of a quote. `held`: its price is held and it can be ordered. An ordered quote stays `consumed`, even after it would
 * have expired (specification "Quote lifecycle").
 */
export function quoteState(quote: QuoteLifecycle, now: Date): 'held' | 'expired' | 'consumed' {
  if (quote.consumedAt !== null) return 'consumed';
  return now.getTime() >= quote.expiresAt.getTime() ? 'expired' : 'held';
}

/**
 * Checks that a quote can be ordered in this environment now.
 * @throws ApiError QUOTE_ENVIRONMENT_MISMATCH, QUOTE_ALREADY_ORDERED (orderId) or QUOTE_EXPIRED (expiresAt), in this order
 */
export function assertOrderable(quote: QuoteLifecycle, environment: Environment, now: Date): void {
  if (quote.environment !== environment) {
    throw new ApiError(
      'QUOTE_ENVIRONMENT_MISMATCH',
      `the quote was priced by a ${quote.environment} key; order it with a ${quote.environment} key of the same account`,
    );
  }
  const state = quoteState(quote, now);
  if (state === 'consumed') throw alreadyOrderedError(orderIdOfQuote(quote.quoteId));
  if (state === 'expired') {
    throw new ApiError('QUOTE_EXPIRED', 'the quote has expired; ask for a new one with POST /quotes', {
      expiresAt: quote.expiresAt.toISOString(),
    });
  }
}

export function alreadyOrderedError(orderId: string): ApiError {
  return new ApiError('QUOTE_ALREADY_ORDERED', `the quote has already been ordered as ${orderId}`, { orderId });
}

/** One quote makes one order. The order's id is the quote's id with another prefix, so a second order cannot be stored. */
export function orderIdOfQuote(quoteId: string): string {
  return `ord_${quoteId.slice('quo_'.length)}`;
}
