import { ENDPOINTS } from '../trade/endpoints';
import { openApiDocument, type ApiDescription } from './document';
import { ORDER_EXAMPLE, QUOTE_EXAMPLE } from './examples';
import * as json from './json';
import { textParameter } from './operation';
import { WEBHOOKS } from './webhooks';

/** The trade API, told for its document. */
export const TRADE_API: ApiDescription = {
  title: 'Trade print orders',
  description:
    'Read the catalogue, upload artwork, ask for a price that holds for 24 hours, turn it into an order on account and follow it to the parcel.\n\n' +
    'Every answer is `{ data, error }`, exactly one of the two null; lists add `nextCursor`. Money is in whole cents, times are RFC 3339 in UTC. ' +
    'Fields that are not known are ignored; fields, values of `status` and `type`, and error codes may be added within v1, so keep a default arm. A path answers 405 `METHOD_NOT_ALLOWED` with `Allow` for a method that it does not take.',
  server: './v1',
  credential: { name: 'apiKey', description: 'The API key `lpk_…` that the studio issued, for the live or the test environment.' },
  tags: [
    { name: 'Catalogue', description: 'Products, materials and sizes.' },
    { name: 'Artwork', description: 'Files, sent straight to the store by signed URLs.' },
    { name: 'Quotes', description: 'Prices that hold for 24 hours.' },
    { name: 'Orders', description: 'Placing, following and cancelling.' },
    { name: 'Events', description: 'Everything that happened, in one line.' },
    { name: 'Webhooks', description: 'What the service sends to registered endpoints.' },
  ],
  unknownFields: 'ignored',
  pathParameters: {
    orders: textParameter('of the order', ORDER_EXAMPLE.orderId),
    lines: { schema: json.integer(undefined, { minimum: 0 }), description: 'of the line, from 0', example: 0 },
    quotes: textParameter('of the quote', QUOTE_EXAMPLE.quoteId),
    uploads: textParameter('of the upload', 'upl_6b1d0f52c9e84a37'),
    'webhook-deliveries': textParameter('of the delivery', 'dlv_70ae'),
    'webhook-endpoints': textParameter('of the endpoint', 'whe_33d8'),
  },
  endpoints: ENDPOINTS.map((endpoint) => ({
    ...endpoint,
    admission: { requirement: `a key with the scope \`${endpoint.scope}\``, perMinute: endpoint.perMinute },
  })),
  webhooks: WEBHOOKS,
};

/** The OpenAPI 3.1 document of the trade API; `server` is its address as clients see it. */
export const tradeDocument = (server = TRADE_API.server): Record<string, unknown> => openApiDocument({ ...TRADE_API, server });
