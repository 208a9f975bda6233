import { isIdentifier } from '../../domain/identifiers';
import { readFeed } from '../../orders/event-feed';
import { ENTRIES_BYTES, listBody } from '../../presenters/envelope';
import { limitOf, once, queryError } from '../cursor';
import * as json from '../openapi/json';
import { ORDER_EVENT } from '../openapi/resources';
import { EVENT_PAGE } from '../schemas/paging';
import type { Answer, EndpointRow, TradeRequest } from '../types';

export const EVENTS_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/events',
    scope: 'orders:read',
    perMinute: 120,
    query: EVENT_PAGE,
    id: 'listEvents',
    summary: "The account's events of the key's environment, oldest first, with the bodies of the webhooks",
    description:
      'For catching up after an outage, or instead of webhooks: none is ever skipped by a reader who pages. `nextCursor` is what to send as `after`; it is null when you have all there is.',
    answer: json.list(ORDER_EVENT),
    paged: true,
    handler: listEvents,
  },
];

/**
 * `GET /events`: the account's and environment's events, oldest first, each the very text its webhooks carry (rulings 35 and 61). Nothing
 * is ever skipped by who reads on from the last event they have.
 */
async function listEvents({ deps, caller, query }: TradeRequest): Promise<Answer> {
  const { accountId, environment } = caller;
  const limit = limitOf(query);
  const after = once(query, 'after');
  const isReadable = after === null || isIdentifier('evt', after);
  const page = isReadable ? await readFeed(deps.database, { accountId, environment }, after, { limit, bytes: ENTRIES_BYTES }) : null;
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
