import { isIdentifier } from '../../domain/identifiers';
import { findLatestEventId, readFeed } from '../../orders/event-feed';
import { ENTRIES_BYTES, listBody } from '../../presenters/envelope';
import { readLimit, singleValue, queryError } from '../cursor';
import * as json from '../openapi/json';
import { EVENT_EXAMPLE } from '../openapi/examples';
import { ORDER_EVENT } from '../openapi/resources';
import { EVENT_PAGE_PARAMETERS } from '../schemas/paging';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../types';

const LATEST_EVENT = json.resource<{ id: string | null }>('LatestEvent', {
  id: [
    json.nullable(json.id('evt', 'the newest event, to send as `after`; null while there is none: then begin without `after`')),
    EVENT_EXAMPLE.id,
  ],
});

export const EVENTS_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/events',
    scope: 'orders:read',
    perMinute: 120,
    query: EVENT_PAGE_PARAMETERS,
    id: 'listEvents',
    summary: "The account's events of the key's environment, oldest first, with the bodies of the webhooks",
    description:
      'For catching up after an outage, or instead of webhooks. Keep the id of the last event that this list returned, and send it as `after` the next time: no event is ever skipped. ' +
      'Do not send the id of a webhook. Webhooks come in any order, so an older event may not have reached you yet, and it would be skipped. ' +
      '`nextCursor` is the `after` of the next page; it is null when you have all there is.',
    response: json.list(ORDER_EVENT),
    paged: true,
    handler: listEvents,
  },
  {
    method: 'GET',
    path: '/events/latest',
    scope: 'orders:read',
    perMinute: 120,
    id: 'getLatestEvent',
    summary: 'The id of the newest event, to follow from now on',
    description: 'Send it as `after` of `GET /events` to skip everything that happened before.',
    response: LATEST_EVENT,
    handler: getLatestEvent,
  },
];

/** Each event is the very text that its webhooks carry. Who reads on from the last event skips none (rulings 35 and 61). */
async function listEvents({ deps, caller, query }: TradeRequest): Promise<HandlerResponse> {
  const { accountId, environment } = caller;
  const limit = readLimit(query);
  const after = singleValue(query, 'after');
  const isValidId = after === null || isIdentifier('evt', after);
  const page = isValidId ? await readFeed(deps.database, { accountId, environment }, after, { limit, bytes: ENTRIES_BYTES }) : null;
  if (page === null) {
    throw queryError(
      'after',
      `must be the id of an event of this account's ${environment} orders: the last that this list returned; leave it out to begin with the oldest`,
    );
  }
  return {
    text: listBody(
      page.events.map(({ body }) => body),
      page.nextAfter,
    ),
  };
}

async function getLatestEvent({ deps, caller }: TradeRequest): Promise<HandlerResponse> {
  const { accountId, environment } = caller;
  return { data: { id: await findLatestEventId(deps.database, { accountId, environment }) } };
}
