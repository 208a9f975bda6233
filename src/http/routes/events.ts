import { isIdentifier } from '../../domain/identifiers';
import { readFeed } from '../../orders/event-feed';
import { listBody } from '../../presenters/envelope';
import { limitOf, once, queryError } from '../cursor';
import type { Answer, TradeRequest } from '../types';

/**
 * `GET /events`: the account's and environment's events, oldest first, each the very text its webhooks carry (rulings 35 and 61). Nothing
 * is ever skipped by who reads on from the last event they have.
 */
export async function listEvents({ deps, caller, query }: TradeRequest): Promise<Answer> {
  const { accountId, environment } = caller;
  const limit = limitOf(query);
  const after = once(query, 'after');
  const isReadable = after === null || isIdentifier('evt', after);
  const page = isReadable ? await readFeed(deps.database, { accountId, environment }, after, limit) : null;
  if (page === null) {
    throw queryError(
      'after',
      `must be the id of an event of this account's ${environment} orders: a nextCursor, or the id of a webhook; leave it out to begin with the oldest`,
    );
  }
  return {
    text: listBody(
      page.events.map(({ body }) => body),
      page.nextAfter,
    ),
  };
}
