import {
  attemptsOf,
  findStudioDelivery,
  listDeliveries,
  resendDelivery as restart,
  type DeliveryFilter,
  type StudioDeliveryDetail,
} from '../../../db/repositories/webhook-deliveries';
import { lockEndpoint } from '../../../db/repositories/webhook-endpoints';
import type { Sql } from '../../../db/database';
import { ApiError } from '../../../domain/errors';
import { presentDelivery, presentDeliveryRow } from '../../../presenters/deliveries';
import { deliveryWorkflowId } from '../../../../workflows/webhook-messages';
import type { Answer } from '../../types';
import { audited } from '../audited';
import { answerPage, markByAge } from '../paging';
import type { StudioRequest } from '../types';
import { workflowUrl } from '../workflow-url';
import { DELIVERY_STATES } from '../../../domain/webhook-rules';
import { found, pathId } from '../../path-id';
import { idOf, oneOf } from '../query';

/** `GET /deliveries`: of every account, newest first. */
export async function getDeliveries(request: StudioRequest): Promise<Answer> {
  const filter = readFilter(request.query);
  return answerPage(request, {
    name: `deliveries/${JSON.stringify(filter)}`,
    find: (limit, after) => listDeliveries(request.deps.database, filter, limit, after),
    mark: markByAge,
    present: presentDeliveryRow,
  });
}

/** `GET /deliveries/{id}`, with its event's exact text and every attempt, as of one moment. */
export async function getDelivery(request: StudioRequest): Promise<Answer> {
  return { data: await viewDelivery(request) };
}

/**
 * `POST /deliveries/{id}/resend`: starts a new chain of attempts with the same event, whatever state the delivery is in. The relay takes it
 * up like any other; attempts of an older chain change nothing any more (specification "Delivery guarantees" 3).
 * @throws ApiError ENDPOINT_DISABLED
 */
export async function resendDelivery(request: StudioRequest): Promise<Answer> {
  const { deps } = request;
  await audited(request, async (sql, record) => {
    const before = await loadDelivery(sql, request);
    await requireWorkingEndpoint(sql, before.endpoint_id);
    const chain = found(request, 'dlv', await restart(sql, before.id, deps.clock.now()));
    await record({ action: 'delivery.resend', subject: before.id, before: standing(before), after: { state: 'pending', chain } });
  });
  deps.deliveryBell.ring();
  return { data: await viewDelivery(request) };
}

const standing = ({ state, chain }: StudioDeliveryDetail) => ({ state, chain });

/** Locks the endpoint, so that nobody disables it before the new chain has started. */
async function requireWorkingEndpoint(sql: Sql, endpointId: string): Promise<void> {
  const endpoint = await lockEndpoint(sql, endpointId);
  if (endpoint === null || endpoint.deleted_at !== null) {
    throw new ApiError('ENDPOINT_DISABLED', 'the endpoint of this delivery is deleted: nothing can be sent there any more', { endpointId });
  }
  if (endpoint.state === 'disabled') throw disabledEndpoint(endpointId);
}

export function disabledEndpoint(endpointId: string): ApiError {
  return new ApiError('ENDPOINT_DISABLED', `the endpoint is disabled; enable it first: POST /webhook-endpoints/${endpointId}/enable`, {
    endpointId,
  });
}

async function viewDelivery(request: StudioRequest) {
  const { delivery, attempts } = await request.deps.database.snapshot(async (sql) => {
    const loaded = await loadDelivery(sql, request);
    return { delivery: loaded, attempts: await attemptsOf(sql, loaded.id) };
  });
  const hasWorkflow = delivery.handed_over_at !== null;
  return presentDelivery(delivery, attempts, hasWorkflow ? workflowUrl(request, deliveryWorkflowId(delivery.id)) : null);
}

/** The delivery that the path names. @throws ApiError NOT_FOUND, also for a malformed id, which can name nothing (ruling 8) */
async function loadDelivery(sql: Sql, request: StudioRequest): Promise<StudioDeliveryDetail> {
  return found(request, 'dlv', await findStudioDelivery(sql, pathId(request, 'dlv')));
}

function readFilter(query: URLSearchParams): DeliveryFilter {
  return {
    state: oneOf(query, 'state', DELIVERY_STATES),
    endpointId: idOf(query, 'endpointId', 'whe', 'a webhook endpoint'),
    orderId: idOf(query, 'orderId', 'ord', 'an order'),
  };
}
