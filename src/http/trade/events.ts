import { STATUS_EVENT_TYPES, STORED_EVENT_TYPES } from '../../domain/events';
import { isIdentifier } from '../../domain/identifiers';
import { findLatestEventId, readFeed } from '../../orders/event-feed';
import { ENTRIES_BYTES, listBody } from '../../presenters/envelope';
import { readLimit, singleValue, queryError } from '../cursor';
import { readFilters } from '../filters';
import * as json from '../openapi/json';
import { EVENT_EXAMPLE } from '../openapi/examples';
import { ORDER_EVENT } from '../openapi/resources';
import { EVENT_PAGE_PARAMETERS } from '../schemas/paging';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../types';

const LATEST_EVENT = json.resource<{ id: string | null }>('LatestEvent', {
  id: [
    json.nullable(json.id('evt', 'the newest event; send it as `after`. Null if there is none: begin without `after`.')),
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
    summary: 'List events',
    description:
      'Lists the events of the environment of the key, the oldest first, with the bodies of the webhooks. Use it to catch up after an outage, or instead of webhooks. Store the id of the last event that this list returned, and send it as `after` in the next request. This skips no event. Do not send the id of a webhook: webhooks arrive in any order, so an older event that has not arrived would be skipped. Send `nextCursor` as `after` for the next page; it is null on the last page.',
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
    summary: 'Retrieve the id of the newest event',
    description: 'Send it as `after` of `GET /events` to skip all earlier events.',
    response: LATEST_EVENT,
    handler: getLatestEvent,
  },
];

/** The events have the exact text of their webhooks. A client that continues after the last event skips no event. */
async function listEvents({ deps, caller, query }: TradeRequest): Promise<HandlerResponse> {
  const { accountId, environment } = caller;
  const limit = readLimit(query);
  const { issues } = readFilters(query, { issues: EVENT_PAGE_PARAMETERS.issues });
  const types = issues === undefined ? STATUS_EVENT_TYPES : STORED_EVENT_TYPES;
  const after = singleValue(query, 'after');
  const isValidId = after === null || isIdentifier('evt', after);
  const page = isValidId ? await readFeed(deps.database, { accountId, environment }, after, { limit, bytes: ENTRIES_BYTES, types }) : null;
  if (page === null) {
    throw queryError(
      'after',
      `must be the id of the last event that this list returned for ${environment} orders; leave it out to begin with the oldest`,
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
