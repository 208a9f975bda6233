import type { ErrorCode } from '../../domain/errors';
import { ATTENTION_CODES } from '../../domain/attention';
import { STORED_SECTIONS } from '../../domain/catalogue';
import { LIMITS } from '../../domain/limits';
import { STUDIO_ENDPOINTS } from '../studio/endpoints';
import { SECURE_COOKIE_NAME } from '../studio/support/session-cookie';
import type { StudioEndpoint } from '../studio/support/types';
import { ACCOUNT_ID, DELIVERY_ID, ENDPOINT_ID, INVOICE_NUMBER, TOKEN_ID } from '../studio/support/examples';
import { ORDER_EXAMPLE } from './examples';
import * as json from './json';
import { textParameter } from './operation';
import { COMMON_ERROR_CODES, openApiDocument, type ApiDescription } from './document';

const PATH_PARAMETERS = {
  sessions: textParameter('of the session', 'ses_4be1'),
  tokens: textParameter('of the token', TOKEN_ID),
  accounts: textParameter('of the account', ACCOUNT_ID),
  keys: textParameter('of the key', 'key_9b20'),
  'webhook-endpoints': textParameter('of the endpoint', ENDPOINT_ID),
  deliveries: textParameter('of the delivery', DELIVERY_ID),
  orders: textParameter('of the order: its id, or its number such as P-10001', ORDER_EXAMPLE.orderId),
  lines: { schema: json.integer(undefined, { minimum: 0 }), description: 'of the line, from 0', example: 0 },
  milestones: textParameter('as it was sent', 'press-7-1041'),
  invoices: textParameter('of the invoice, or its number', INVOICE_NUMBER),
  'credit-notes': textParameter('of the credit note, or its number; below an order the `creditNoteId` as it was sent', 'CN-10001'),
  parcels: textParameter('as it was sent', 'p-1'),
  payments: textParameter('as it was sent', 'bank-2026-03-05-7'),
  refunds: textParameter('as it was sent', 'bank-2026-03-09-2'),
  attention: { schema: json.closedEnum(ATTENTION_CODES), description: 'what needed a person', example: 'SIGNAL_REFUSED' },
  catalogue: { schema: json.closedEnum(STORED_SECTIONS), description: 'of the catalogue', example: 'sleeves' },
  ':section': textParameter('of the row: its id, slug or sizeCode', 'A4'),
  'price-books': { schema: json.integer(), description: 'of the book', example: 1 },
};

/** The studio API, told for its document. */
export const STUDIO_API: ApiDescription = {
  title: "The studio's side of trade print orders",
  description:
    'For the floor, the office and admins. Every answer is `{ data, error }`, exactly one of the two null; lists add `nextCursor`. ' +
    'Fields and query parameters that are not known are refused. Every write is in the audit log.',
  server: './studio/v1',
  credential: { name: 'studioToken', description: 'A token `lps_…` that an admin minted, with the role floor, office or admin.' },
  session: {
    name: 'studioSession',
    cookie: SECURE_COOKIE_NAME,
    description:
      'The cookie of `POST /session`, where no Authorization header is sent; without https it is named without `__Host-`. Writes with it need the exact `Origin` of this ' +
      'listener. A request with the header `Service-Unattended` does not count against the thirty minutes after which an unused session ends. One with the header ' +
      '`Service-Signed-In-As` is refused unless the session is of that token.',
  },
  tags: [
    { name: 'Orders', description: "The floor's job list, milestones, parcels and payments." },
    { name: 'Money', description: 'Invoices, payments on account, refunds and statements.' },
    { name: 'Documents', description: 'What is printed, as PDF outside the envelope.' },
    { name: 'Accounts', description: 'Whom the studio sells to.' },
    { name: 'Access', description: "Studio tokens and the accounts' API keys." },
    { name: 'Webhooks', description: 'Endpoints and what was delivered to them.' },
    { name: 'Catalogue', description: 'What is on offer.' },
    { name: 'Prices', description: 'Price books.' },
    { name: 'Settings', description: 'Switches.' },
    { name: 'Events', description: 'What changes, as it changes.' },
    { name: 'Schedules', description: 'What runs by itself.' },
    { name: 'Audit', description: 'Who did what.' },
  ],
  unknownFields: 'refused',
  pathParameters: PATH_PARAMETERS,
  endpoints: STUDIO_ENDPOINTS.map((endpoint) => ({
    ...endpoint,
    admission: {
      requirement: endpoint.open === undefined ? `a token with the role \`${endpoint.role}\` or higher` : 'no credential',
      perMinute: LIMITS.studioRequestsPerMinute,
      isOpen: endpoint.open !== undefined,
      errorCodes: admissionCodes(endpoint),
    },
  })),
};

/** What a cookie adds to what letting somebody in may give; whoever is let in anyway is refused for the origin alone. */
function admissionCodes({ method, open, createsCredential }: StudioEndpoint): readonly ErrorCode[] {
  if (open !== undefined) return ['ORIGIN_REFUSED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'OVERLOADED'];
  return [
    ...COMMON_ERROR_CODES,
    'SESSION_ENDED',
    'SIGNED_IN_AS_ANOTHER',
    ...(method === 'GET' ? [] : (['ORIGIN_REFUSED'] as const)),
    ...(createsCredential === true ? (['REAUTHENTICATION_REQUIRED'] as const) : []),
  ];
}

/** The OpenAPI 3.1 document of the studio API. */
export const studioDocument = (): Record<string, unknown> => openApiDocument(STUDIO_API);
