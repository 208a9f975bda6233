import { studioExampleAddresses } from '../docs/addresses';
import type Koa from 'koa';
import { removeLatestHit } from '../../db/repositories/admission';
import type { StudioDeps, StudioServerDeps } from '../deps';
import { createApi } from '../api';
import { studioDocument } from '../openapi/studio';
import { bearerCredential } from '../../security/api-keys';
import type { RequestState } from '../types';
import { sourceAddress } from '../source-address';
import { admitStudio } from './support/admission';
import { codecEndpoint } from './support/codec';
import { redirectToSignIn, studioConsole } from '../console/console';
import { resolveOrderNumber } from './support/order-number-param';
import { STUDIO_ENDPOINTS } from './endpoints';
import type { StudioCaller, StudioEndpoint } from './support/types';

/** The studio API on its separate listener. */
export function createStudioApp(deps: StudioServerDeps): Koa<RequestState> {
  return createApi<StudioDeps, StudioCaller, StudioEndpoint>(deps, {
    prefix: '/studio/v1',
    endpoints: STUDIO_ENDPOINTS,
    unknownFields: 'refused',
    corsOrigins: [],
    documentation: {
      name: 'Studio API',
      endpointsPath: 'studio/v1',
      audience: 'studio',
      addresses: studioExampleAddresses(deps.config),
      createDocument: studioDocument,
    },
    hasReadinessDetails: true,
    // Requests with cookies share the queue of their source address, because callers can invent cookies.
    credentialOf: (request) => bearerCredential(request.headers.authorization) ?? sourceAddress(request, deps.trustedProxies),
    callerKeyOf: ({ tokenId, credential }) => (credential.kind === 'none' ? null : tokenId),
    middleware: [redirectToSignIn(), codecEndpoint(deps), studioConsole()],
    resolveParams: (path, params) => resolveOrderNumber(deps.database, path, params),
    admit: (request, endpoint, { requestId }) => admitStudio(deps, request, endpoint, requestId),
    removeLatestHit: ({ tokenId }, { name }) => removeLatestHit(deps.database, `token:${tokenId}`, name),
  });
}
