import { exampleAddresses } from './docs/addresses';
import { redirectRootToDocs } from './docs/documentation';
import type Koa from 'koa';
import { removeLatestHit } from '../db/repositories/admission';
import type { TradeDeps, TradeServerDeps } from './deps';
import { createApi } from './api';
import type { UnsentLimits } from '../http-server/unsent-responses';
import { admitTrade } from './middleware/admission';
import { tradeDocument } from './openapi/trade';
import { slowRequestQueueKey } from './ping';
import { ENDPOINTS } from './trade/endpoints';
import { bearerCredential } from '../security/api-keys';
import { sourceAddress } from './source-address';
import type { Endpoint, RequestState, TradeCaller } from './types';

/** The trade API (specification "Endpoints"). */
export function createTradeApp(deps: TradeServerDeps, unsentLimits?: UnsentLimits): Koa<RequestState> {
  return createApi<TradeDeps, TradeCaller, Endpoint>(deps, {
    prefix: '/v1',
    endpoints: ENDPOINTS,
    unknownFields: 'ignored',
    corsOrigins: deps.config.apiCorsOrigins,
    documentation: {
      name: 'Trade API',
      endpointsPath: 'v1',
      audience: 'clients',
      addresses: exampleAddresses(deps.config),
      createDocument: () => tradeDocument(deps.config.publicBaseUrl),
    },
    middleware: [redirectRootToDocs()],
    hasReadinessDetails: false,
    callerKeyOf: ({ keyId }) => keyId,
    unsentLimits,
    admit: (request, endpoint, head) => admitTrade(deps, request, endpoint, head),
    // A credential is secret, so other callers cannot fill its queue.
    credentialOf: (request) => bearerCredential(request.headers.authorization) ?? sourceAddress(request, deps.trustedProxies),
    queueOf: ({ accountId, environment }, { scope, name, queue }) => {
      if (name === 'POST /orders') return null; // placing an order waits in `accountWriteQueue`
      if (queue === 'messages') return { queue: deps.tradeMessageQueue, key: accountId };
      if (queue === 'slow') return { queue: deps.slowRequestQueue, key: slowRequestQueueKey(accountId, environment) };
      return { queue: scope === 'orders:write' ? deps.tradeWriteQueue : deps.tradeReadQueue, key: accountId };
    },
    removeLatestHit: ({ keyId }, { name }) => removeLatestHit(deps.database, `key:${keyId}`, name),
  });
}
