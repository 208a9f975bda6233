import { ENDPOINTS } from '../trade/endpoints';
import { exactDocument, type ApiDescription } from './document';
import { ORDER_EXAMPLE, QUOTE_EXAMPLE } from './examples';
import * as json from './json';
import { textParameter } from './operation';
import { publishedDocument } from './published';

export const TRADE_API: ApiDescription = {
  title: 'Trade print orders',
  description:
    'Read the catalogue, upload artwork, create a quote, order it on account, and track the order to its parcels.\n\n' +
    'Every response is `{ data, error }`, and exactly one of the two is null. Lists add `nextCursor`. Amounts are integer cents, and times are RFC 3339 in UTC. Unknown fields are ignored. Fields, values of `status` and `type`, and error codes may be added within v1, so handle unknown ones. For another method the response is 405 `METHOD_NOT_ALLOWED` with `Allow`.',
  server: './v1',
  credential: { name: 'apiKey', description: 'The API key `lpk_…` from the studio, for the live or the test environment.' },
  tags: [
    { name: 'Catalogue', description: 'Products, materials and sizes.' },
    { name: 'Artwork', description: 'Artwork files, sent directly to the store with signed URLs.' },
    { name: 'Quotes', description: 'Prices that hold for 24 hours.' },
    { name: 'Orders', description: 'Create, track and cancel orders.' },
    { name: 'Events', description: 'All events in order.' },
    { name: 'Webhooks', description: 'Messages to registered endpoints.' },
  ],
  unknownFields: 'ignored',
  pathParameters: {
    orders: textParameter('the id of the order', ORDER_EXAMPLE.orderId),
    lines: { schema: json.integer(undefined, { minimum: 0 }), description: 'the index of the line, from 0', example: 0 },
    quotes: textParameter('the id of the quote', QUOTE_EXAMPLE.quoteId),
    uploads: textParameter('the id of the upload', 'upl_6b1d0f52c9e84a37'),
    'webhook-deliveries': textParameter('the id of the delivery', 'dlv_70ae'),
    'webhook-endpoints': textParameter('the id of the endpoint', 'whe_33d8'),
  },
  endpoints: ENDPOINTS.map((endpoint) => ({
    ...endpoint,
    admission: { requirement: `a key with the scope \`${endpoint.scope}\``, perMinute: endpoint.perMinute },
  })),
};

/** The exact document of the trade API, for its types and tests. */
export const exactTradeDocument = (server = TRADE_API.server): Record<string, unknown> => exactDocument({ ...TRADE_API, server });

/** The served OpenAPI 3.1 document of the trade API; `server` is its public URL. */
export const tradeDocument = (server?: string): Record<string, unknown> => publishedDocument(exactTradeDocument(server));
