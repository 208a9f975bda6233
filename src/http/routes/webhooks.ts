import { findStudioDelivery, findOwnDelivery, listOwnDeliveries, type OwnDeliveryRow } from '../../db/repositories/webhook-deliveries';
import type { Sql } from '../../db/database';
import { listEndpoints, type EndpointView } from '../../db/repositories/webhook-endpoints';
import { DELIVERY_STATES, type DeliveryState } from '../../domain/webhook-rules';
import { resendDelivery } from '../../orders/resend-delivery';
import { presentOwnDelivery } from '../../presenters/deliveries';
import { presentOwnEndpoint } from '../../presenters/webhook-endpoints';
import { once, queryError } from '../cursor';
import { answerPage, markByAge } from '../paging';
import { found, pathId } from '../path-id';
import type { Answer, TradeRequest } from '../types';

/** `GET /webhook-endpoints`: those that hear of this account's orders in the key's environment, newest first; never their secrets. */
export async function listOwnEndpoints(request: TradeRequest): Promise<Answer> {
  const { deps, caller } = request;
  const { accountId, environment } = caller;
  return answerPage(request, {
    name: `own-endpoints/${accountId}/${environment}`,
    find: (limit, after) => listEndpoints(deps.database, { accountId, environment }, limit, after),
    mark: markByAge,
    present: (endpoint: EndpointView) => presentOwnEndpoint(endpoint, deps.clock.now()),
  });
}

/** `GET /webhook-deliveries`: what was sent, is to be sent or could not be, newest first; a cursor keeps the filter (rulings 10 and 61). */
export async function listDeliveries(request: TradeRequest): Promise<Answer> {
  const { deps, caller, query } = request;
  const { accountId, environment } = caller;
  return answerPage(request, {
    name: `own-deliveries/${accountId}/${environment}`,
    filters: readState(query),
    find: (limit, after, state) =>
      listOwnDeliveries(deps.database, caller, state === '' ? null : (state as DeliveryState), { limit, after }),
    mark: markByAge,
    present: (delivery: OwnDeliveryRow) => presentOwnDelivery(delivery),
  });
}

function readState(query: URLSearchParams): DeliveryState | null {
  const given = once(query, 'state');
  const known = DELIVERY_STATES.find((state) => state === given) ?? null;
  if (given !== null && known === null) throw queryError('state', `must be one of ${DELIVERY_STATES.join(', ')}`);
  return known;
}

/**
 * `POST /webhook-deliveries/{id}/resend`: as the studio resends. The audit log has the key that asked for it.
 * @throws ApiError NOT_FOUND, ENDPOINT_DISABLED
 */
export async function resendOwnDelivery(request: TradeRequest): Promise<Answer> {
  const { deps, caller, requestId } = request;
  const id = pathId(request, 'dlv');
  await resendDelivery(deps, {
    load: (sql) => loadOwn(request, sql, id),
    by: { tokenId: caller.keyId, name: 'account', requestId },
    howToEnable: () => 'ask the studio to enable it',
  });
  return { data: presentOwnDelivery(found(request, 'dlv', await findOwnDelivery(deps.database, id))) };
}

async function loadOwn(request: TradeRequest, sql: Sql, id: string) {
  const delivery = await findStudioDelivery(sql, id);
  const { accountId, environment } = request.caller;
  return found(request, 'dlv', delivery?.account_id === accountId && delivery.environment === environment ? delivery : null);
}
