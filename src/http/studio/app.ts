import { studioAddressesOf } from '../docs/addresses';
import type Koa from 'koa';
import { takeHitBack } from '../../db/repositories/admission';
import type { HttpDeps } from '../deps';
import { createApi } from '../api';
import { studioDocument } from '../openapi/studio';
import { STUDIO_NEEDS } from '../health';
import { bearerCredential } from '../../security/api-keys';
import type { RequestState } from '../types';
import { sourceAddress } from '../source-address';
import { admitStudio } from './support/admission';
import { codecEndpoint } from './support/codec';
import { studioConsole } from '../console/console';
import { namedOrder } from './support/named-order';
import { STUDIO_ENDPOINTS } from './endpoints';
import type { StudioCaller, StudioEndpoint } from './support/types';

/** The studio API, on a listener of its own. */
export function createStudioApp(deps: HttpDeps): Koa<RequestState> {
  return createApi<StudioCaller, StudioEndpoint>(deps, {
    prefix: '/studio/v1',
    endpoints: STUDIO_ENDPOINTS,
    unknown: 'refused',
    corsOrigins: [],
    documented: {
      name: 'Studio API',
      endpoints: 'studio/v1',
      readers: 'studio',
      addresses: studioAddressesOf(deps.config),
      document: studioDocument,
    },
    needs: STUDIO_NEEDS,
    hasReadinessDetails: true,
    // Cookies share their source's queue, because anybody can make one up.
    credentialOf: (request) => bearerCredential(request.headers.authorization) ?? sourceAddress(request, deps.trustedProxies),
    keyOf: ({ tokenId, credential }) => (credential.kind === 'none' ? null : tokenId),
    beside: [codecEndpoint(deps), studioConsole()],
    named: (path, params) => namedOrder(deps.database, path, params),
    admit: (request, endpoint, { requestId }) => admitStudio(deps, request, endpoint, requestId),
    takeHitBack: ({ tokenId }, { name }) => takeHitBack(deps.database, `token:${tokenId}`, name),
  });
}
