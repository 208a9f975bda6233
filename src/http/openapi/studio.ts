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
import { COMMON_ERROR_CODES, exactDocument, type ApiDescription } from './document';
import { publishedDocument } from './published';

const PATH_PARAMETERS = {
  sessions: textParameter('the id of the session', 'ses_4be1'),
  badges: textParameter('the id of the badge', 'bdg_51c2'),
  'badge-holders': textParameter('the code of the badge', 'BADGE-7K3M9QTX2A'),
  tokens: textParameter('the id of the token', TOKEN_ID),
  accounts: textParameter('the id of the account', ACCOUNT_ID),
  keys: textParameter('the id of the key', 'key_9b20'),
  'webhook-endpoints': textParameter('the id of the endpoint', ENDPOINT_ID),
  deliveries: textParameter('the id of the delivery', DELIVERY_ID),
  orders: textParameter('the id of the order, or its number such as P-10001', ORDER_EXAMPLE.orderId),
  lines: { schema: json.integer(undefined, { minimum: 0 }), description: 'the index of the line, from 0', example: 0 },
  milestones: textParameter('the `milestoneId`', 'press-7-1041'),
  invoices: textParameter('the id or number of the invoice', INVOICE_NUMBER),
  'credit-notes': textParameter('the id or number of the credit note; below an order the `creditNoteId`', 'CN-10001'),
  notes: textParameter('the `noteId`', 'phone-4711'),
  parcels: textParameter('the `parcelId`', 'p-1'),
  payments: textParameter('the `paymentId`', 'bank-2026-03-05-7'),
  refunds: textParameter('the `refundId`', 'bank-2026-03-09-2'),
  attention: { schema: json.closedEnum(ATTENTION_CODES), description: 'the code of the attention', example: 'SIGNAL_REFUSED' },
  catalogue: { schema: json.closedEnum(STORED_SECTIONS), description: 'the section of the catalogue', example: 'sleeves' },
  materials: { schema: json.closedEnum(STORED_SECTIONS), description: 'the section of the catalogue', example: 'mouldings' },
  ':section': textParameter('the id, slug or sizeCode of the row', 'A4'),
  'statement-runs': textParameter('the id of the run', 'run_5d20'),
  sends: textParameter('the id of the mail', 'snd_71c0'),
  'price-books': { schema: json.integer(), description: 'the version of the price book', example: 1 },
};

export const STUDIO_API: ApiDescription = {
  title: 'Trade print orders: studio API',
  description:
    'The studio API serves the floor, the office and admins. Every response is `{ data, error }`, and exactly one of the two is null. Lists add `nextCursor`. Unknown fields and query parameters are refused. The audit log records every write.',
  server: './studio/v1',
  credential: { name: 'studioToken', description: 'A token `lps_…` from an admin, with the role floor, office or admin.' },
  session: {
    name: 'studioSession',
    cookie: SECURE_COOKIE_NAME,
    description:
      'The cookie of `POST /session` identifies requests without an Authorization header. Without https its name has no `__Host-`. Writes with the cookie need the exact `Origin` of this listener. A request with the header `Service-Unattended` does not extend the session. A request with the header `Service-Signed-In-As` is refused unless the session belongs to that token. A station names the scanned badge in the header `Studio-Badge`.',
  },
  tags: [
    { name: 'Orders', description: 'The job list, milestones, parcels and payments.' },
    { name: 'Money', description: 'Invoices, payments on account, refunds and statements.' },
    { name: 'Documents', description: 'PDF files, outside the envelope.' },
    { name: 'Accounts', description: 'The trade customers of the studio.' },
    { name: 'Access', description: 'Studio tokens and API keys of accounts.' },
    { name: 'Webhooks', description: 'Endpoints and their deliveries.' },
    { name: 'Catalogue', description: 'Products, materials and sizes.' },
    { name: 'Prices', description: 'Price books.' },
    { name: 'Notes', description: 'Notes on orders and accounts. Clients never see them.' },
    { name: 'Settings', description: 'Settings of the studio.' },
    { name: 'Events', description: 'A stream of changes.' },
    { name: 'Schedules', description: 'Tasks that run on a schedule.' },
    { name: 'Audit', description: 'The log of all writes.' },
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

/** The error codes that a cookie adds; open endpoints add only ORIGIN_REFUSED. */
function admissionCodes({ method, open, createsCredential }: StudioEndpoint): readonly ErrorCode[] {
  if (open !== undefined) return ['ORIGIN_REFUSED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'OVERLOADED'];
  return [
    ...COMMON_ERROR_CODES,
    'SESSION_ENDED',
    'SIGNED_IN_AS_ANOTHER',
    'BADGE_REFUSED',
    ...(method === 'GET' ? [] : (['ORIGIN_REFUSED'] as const)),
    ...(createsCredential === true ? (['REAUTHENTICATION_REQUIRED'] as const) : []),
  ];
}

/** The exact document of the studio API, for the console, the command line and tests. */
export const exactStudioDocument = (): Record<string, unknown> => exactDocument(STUDIO_API);

/** The served OpenAPI 3.1 document of the studio API. */
export const studioDocument = (): Record<string, unknown> => publishedDocument(exactStudioDocument());
