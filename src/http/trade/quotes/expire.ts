import { expireNow } from '../../../db/repositories/quotes';
import { alreadyOrdered, orderIdOfQuote } from '../../../domain/quote-state';
import { presentQuote } from '../../../presenters/quotes';
import type { Answer, EndpointRow, TradeRequest } from '../../types';
import { namedQuote, QUOTE } from './quotes';

export const EXPIRE_QUOTE_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'POST',
    path: '/test/quotes/:id/expire',
    scope: 'orders:write',
    perMinute: 60,
    testOnly: true,
    id: 'expireTestQuote',
    summary: 'Let a test quote expire now',
    description:
      'For test keys; a live key finds nothing here. Ordering the quote is `QUOTE_EXPIRED` from then on. Expired already is 200. No body is read.',
    answer: QUOTE,
    refuses: ['QUOTE_ALREADY_ORDERED'],
    handler: expireQuote,
  },
];

/** Callers are test keys, so this is a test quote (ruling 61). */
async function expireQuote(request: TradeRequest): Promise<Answer> {
  const { deps } = request;
  const { id } = await namedQuote(request);
  const ended = await expireNow(deps.database, id, deps.clock.now());
  const quote = ended ?? (await namedQuote(request));
  if (quote.consumed_at !== null) throw alreadyOrdered(orderIdOfQuote(id));
  return { data: presentQuote(quote) };
}
