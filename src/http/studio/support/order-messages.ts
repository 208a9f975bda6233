import { findAccountOfOrder } from '../../../db/repositories/orders';
import { notFoundError } from '../../../domain/errors';
import { type ValidMessage, toOrderMessage } from '../../../domain/order-message';
import { presentStudioOrder } from '../../../presenters/studio-orders';
import { sealMessage } from '../../../security/sender-seal';
import { requireFound, pathId } from '../../path-id';
import type { HandlerResponse } from '../../types';
import { loadOrderView } from './order-view';
import type { StudioRequest } from './types';

/**
 * Sends a message to the workflow of the order in the path. The workflow validates it and stores it once, with its audit entry.
 * Returns the order afterwards.
 * @param hasSubject whether the order has the milestone, parcel, payment or credit note that the path names; if not, NOT_FOUND
 * @throws ApiError MILESTONE_REFUSED, MILESTONE_ID_REUSED, CORRECTION_REFUSED, CREDIT_INSUFFICIENT (studio API "Refusals")
 */
export async function sendOrderMessage(
  request: StudioRequest,
  message: ValidMessage,
  hasSubject?: (orderId: string) => Promise<boolean>,
): Promise<HandlerResponse> {
  const orderId = pathId(request, 'ord');
  requireFound(request, 'ord', await findAccountOfOrder(request.deps.database, orderId));
  if (hasSubject !== undefined && !(await hasSubject(orderId)))
    throw notFoundError('milestone, parcel, payment or credit note on this order');
  await sendSealedMessage(request, orderId, message);
  return { data: presentStudioOrder(await loadOrderView(request)) };
}

/** Adds the caller's token and its seal to the message. @throws ApiError as above */
export async function sendSealedMessage({ deps, caller, requestId }: StudioRequest, orderId: string, message: ValidMessage): Promise<void> {
  const orderMessageToSend = toOrderMessage({ ...message, tokenId: caller.tokenId, requestId });
  await deps.temporal.orders.applyMessage(orderId, sealMessage(deps.senderSecret, orderId, orderMessageToSend), requestId);
}
