import type { ErrorCode } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { STUDIO_ENDPOINTS } from '../studio/endpoints';
import { SECURE_NAME } from '../studio/support/session-cookie';
import type { StudioEndpoint } from '../studio/support/types';
import { ALWAYS, openApiDocument, type ToldApi } from './document';

/** The studio API, told for its document. */
export const STUDIO_API: ToldApi = {
  title: "The studio's side of trade print orders",
  description:
    'For the floor, the office and admins. Every answer is `{ data, error }`, exactly one of the two null; lists add `nextCursor`. ' +
    'Fields and query parameters that are not known are refused. Every write is in the audit log.',
  server: './studio/v1',
  credential: { name: 'studioToken', description: 'A token `lps_…` that an admin minted, with the role floor, office or admin.' },
  session: {
    name: 'studioSession',
    cookie: SECURE_NAME,
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
  unknown: 'refused',
  endpoints: STUDIO_ENDPOINTS.map((endpoint) => ({
    ...endpoint,
    admission: {
      needs: endpoint.open === undefined ? `a token with the role \`${endpoint.role}\` or higher` : 'no credential',
      perMinute: LIMITS.studioRequestsPerMinute,
      isOpen: endpoint.open !== undefined,
      refuses: admissionCodes(endpoint),
    },
  })),
};

/** What a cookie adds to what letting somebody in may give; whoever is let in anyway is refused for the origin alone. */
function admissionCodes({ method, open, createsCredential }: StudioEndpoint): readonly ErrorCode[] {
  if (open !== undefined) return ['ORIGIN_REFUSED', 'RATE_LIMITED', 'INTERNAL_ERROR'];
  return [
    ...ALWAYS,
    'SESSION_ENDED',
    'SIGNED_IN_AS_ANOTHER',
    ...(method === 'GET' ? [] : (['ORIGIN_REFUSED'] as const)),
    ...(createsCredential === true ? (['REAUTHENTICATION_REQUIRED'] as const) : []),
  ];
}

/** The OpenAPI 3.1 document of the studio API. */
export const studioDocument = (): Record<string, unknown> => openApiDocument(STUDIO_API);
