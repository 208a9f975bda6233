import { addressesOf } from './docs/addresses';
import { root } from './docs/documentation';
import type Koa from 'koa';
import { takeHitBack } from '../db/repositories/admission';
import type { HttpDeps } from './deps';
import { createApi } from './api';
import { TRADE_NEEDS } from './health';
import type { UnsentBounds } from '../http-server/unsent-answers';
import { admitTrade } from './middleware/admission';
import { tradeDocument } from './openapi/trade';
import { ENDPOINTS } from './trade/endpoints';
import { bearerCredential } from '../security/api-keys';
import { sourceAddress } from './source-address';
import type { Endpoint, RequestState, TradeCaller } from './types';

/** The trade API (specification "Endpoints"). */
export function createTradeApp(deps: HttpDeps, unsentBounds?: UnsentBounds): Koa<RequestState> {
  return createApi<TradeCaller, Endpoint>(deps, {
    prefix: '/v1',
    endpoints: ENDPOINTS,
    unknown: 'ignored',
    corsOrigins: deps.config.apiCorsOrigins,
    documented: {
      name: 'Trade API',
      endpoints: 'v1',
      readers: 'clients',
      addresses: addressesOf(deps.config),
      document: () => tradeDocument(deps.config.publicBaseUrl),
    },
    beside: [root()],
    needs: TRADE_NEEDS,
    hasReadinessDetails: false,
    keyOf: ({ keyId }) => keyId,
    unsentBounds,
    admit: (request, endpoint, head) => admitTrade(deps, request, endpoint, head),
    // A credential is a secret: nobody can take a place in another's queue.
    credentialOf: (request) => bearerCredential(request.headers.authorization) ?? sourceAddress(request, deps.trustedProxies),
    queueOf: ({ accountId, environment }, { scope, name, isSlow }) => {
      if (name === 'POST /orders') return null; // placing waits in `accountWrites`
      if (isSlow) return { queue: deps.tradeSlow, key: `${accountId}/${environment}` };
      return { queue: scope === 'orders:write' ? deps.tradeWrites : deps.tradeReads, key: accountId };
    },
    takeHitBack: ({ keyId }, { name }) => takeHitBack(deps.database, `key:${keyId}`, name),
  });
}
