import {
  attemptsOf,
  findStudioDelivery,
  listDeliveries,
  type DeliverySort,
  type StudioDeliveryDetail,
  type StudioDeliveryRow,
} from '../../../db/repositories/webhook-deliveries';
import type { Sql } from '../../../db/database';
import { presentDelivery, presentDeliveryRow } from '../../../presenters/deliveries';
import { deliveryWorkflowId } from '../../../../workflows/webhook-messages';
import { DELIVERY_CSV } from '../../../presenters/csv-columns';
import type { Answer } from '../../types';
import { answerCsv } from '../csv';
import { resendDelivery as resend } from '../../../orders/resend-delivery';
import { answerFiltered, type FilteredList } from '../filters';
import { timesOf } from '../period';
import { DELIVERY_FILTERS } from '../schemas/filters';
import type { StudioRequest } from '../types';
import { workflowUrl } from '../workflow-url';
import type { Environment } from '../../../domain/limits';
import type { DeliveryState } from '../../../domain/webhook-rules';
import { found, pathId } from '../../path-id';

/** `GET /deliveries`: of every account, and of both environments unless one is named. */
export async function getDeliveries(request: StudioRequest): Promise<Answer> {
  return answerFiltered(request, deliveryList(request));
}

/** `GET /deliveries.csv` (ruling 64). */
export async function exportDeliveries(request: StudioRequest): Promise<Answer> {
  return answerCsv(request, deliveryList(request), DELIVERY_CSV);
}

function deliveryList(
  request: StudioRequest,
): FilteredList<StudioDeliveryRow, typeof DELIVERY_FILTERS, ReturnType<typeof presentDeliveryRow>> {
  return {
    name: 'deliveries',
    schemas: DELIVERY_FILTERS,
    find: async ({ environment, from, to, state, sort, ...same }, page) =>
      listDeliveries(
        request.deps.database,
        {
          ...same,
          environment: environment as Environment | undefined,
          state: state as DeliveryState | undefined,
          sort: sort as DeliverySort | undefined,
          ...(await timesOf(request, { from, to })),
        },
        page,
      ),
    mark: ({ created_at, next_attempt_at, id }, { sort }) => ({
      createdAt: sort === 'nextAttempt' ? (next_attempt_at ?? created_at) : created_at,
      id,
    }),
    present: presentDeliveryRow,
  };
}

/** `GET /deliveries/{id}`, with its event's exact text and every attempt, as of one moment. */
export async function getDelivery(request: StudioRequest): Promise<Answer> {
  return { data: await viewDelivery(request) };
}

/** `POST /deliveries/{id}/resend`. @throws ApiError ENDPOINT_DISABLED */
export async function resendDelivery(request: StudioRequest): Promise<Answer> {
  const { deps, caller, requestId } = request;
  await resend(deps, {
    load: (sql) => loadDelivery(sql, request),
    by: { tokenId: caller.tokenId, name: caller.name, requestId },
    howToEnable,
  });
  return { data: await viewDelivery(request) };
}

export const howToEnable = (endpointId: string): string => `enable it first: POST /webhook-endpoints/${endpointId}/enable`;

async function viewDelivery(request: StudioRequest) {
  const { delivery, attempts } = await request.deps.database.snapshot(async (sql) => {
    const loaded = await loadDelivery(sql, request);
    return { delivery: loaded, attempts: await attemptsOf(sql, loaded.id) };
  });
  const hasWorkflow = delivery.handed_over_at !== null;
  return presentDelivery(delivery, {
    attempts,
    scheduleMs: request.deps.webhookRetryScheduleMs,
    workflowUrl: hasWorkflow ? workflowUrl(request, deliveryWorkflowId(delivery.id)) : null,
  });
}

/** The delivery that the path names. @throws ApiError NOT_FOUND, also for a malformed id, which can name nothing (ruling 8) */
async function loadDelivery(sql: Sql, request: StudioRequest): Promise<StudioDeliveryDetail> {
  return found(request, 'dlv', await findStudioDelivery(sql, pathId(request, 'dlv')));
}
