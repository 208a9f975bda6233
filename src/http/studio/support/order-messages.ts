import { findAccountOfOrder } from '../../../db/repositories/orders';
import { ApiError, notFoundError } from '../../../domain/errors';
import type { OrderMessage } from '../../../domain/order-messages';
import { sendMessage } from '../../../orders/send-message';
import { presentStudioOrder } from '../../../presenters/studio-orders';
import { OBJECTIVE_SECONDS } from '../../../telemetry/metrics';
import { afterChange, overloadRefusal } from '../../overload';
import { requireFound, pathId } from '../../path-id';
import type { HandlerResponse } from '../../types';
import { loadOrderView } from './order-view';
import type { StudioRequest } from './types';

/** Faults of the service. Other errors are answers. */
const FAULT_CODES: readonly string[] = ['SERVICE_UNAVAILABLE', 'OVERLOADED', 'INTERNAL_ERROR'];

/**
 * Sends a message to the workflow of the order in the path, and responds with the changed order. The workflow validates the message and
 * stores it once, with its audit entry.
 * @param hasSubject tells whether the order has the milestone, parcel, payment or credit note in the path; if not, NOT_FOUND
 * @throws ApiError MILESTONE_REFUSED, MILESTONE_ID_REUSED, CORRECTION_REFUSED, CREDIT_INSUFFICIENT (studio API "Refusals")
 */
export async function sendOrderMessage(
  request: StudioRequest,
  message: OrderMessage,
  hasSubject?: (orderId: string) => Promise<boolean>,
): Promise<HandlerResponse> {
  const orderId = pathId(request, 'ord');
  if (hasSubject !== undefined) {
    requireFound(request, 'ord', await findAccountOfOrder(request.deps.database, orderId));
    if (!(await hasSubject(orderId))) throw notFoundError('milestone, parcel, payment or credit note on this order');
  }
  await sendStudioMessage(request, orderId, message);
  return { data: presentStudioOrder(await afterChange(() => loadOrderView(request))) };
}

/**
 * Sends a message in the name of the caller's token. Returns whether the order changed.
 * @throws ApiError as above
 */
export async function sendStudioMessage(
  { deps, caller, requestId }: StudioRequest,
  orderId: string,
  message: OrderMessage,
): Promise<boolean> {
  const startedAtMs = performance.now();
  const record = (errorCode: string | null): void => {
    if (errorCode === 'NOT_FOUND') return; // there is no such order, so there was no message
    const seconds = (performance.now() - startedAtMs) / 1000;
    deps.metrics.messageDuration.record(seconds, { type: message.type, ...(errorCode === null ? {} : { 'error.type': errorCode }) });
    const isFault = errorCode !== null && FAULT_CODES.includes(errorCode);
    deps.metrics.countObjective('messages', !isFault && seconds <= OBJECTIVE_SECONDS.messages);
  };
  try {
    const isChanged = await sendMessage(deps, {
      orderId,
      message,
      sender: { credentialId: caller.tokenId, badgeId: caller.badgeId, requestId },
    });
    record(null);
    return isChanged;
  } catch (error) {
    record(error instanceof ApiError ? error.code : (overloadRefusal(error)?.code ?? 'INTERNAL_ERROR'));
    throw error;
  }
}
